/** Names of users and channels by their ids. */
export interface SlackNames {
  readonly users: ReadonlyMap<string, string>
  readonly channels: ReadonlyMap<string, string>
}

const ESCAPES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' }

/**
 * The text as people saw it: `<@U1>` becomes a name, and `<https://x|here>` becomes its label followed by the address.
 */
export function shownText(text: string, { users, channels }: SlackNames): string {
  return text
    .replace(/<([@#!]?)([^<>|]+)(?:\|([^<>]*))?>/g, (_, sign: string, target: string, label?: string) => {
      if (sign === '@') return `@${users.get(target) ?? (label || target)}`
      if (sign === '#') return `#${label || (channels.get(target) ?? target)}`
      if (sign === '!') return label || `@${target.split('^')[0]}`
      return label && label !== target && !target.endsWith(label) ? `${label} (${target})` : target
    })
    .replace(/&(?:lt|gt|amp);/g, (escaped) => ESCAPES[escaped]!)
    .toWellFormed()
}

export const linksIn = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(/<((?:https?|mailto):[^<>|\s]+)(?:\|[^<>]*)?>/g)].map(([, link]) =>
      link!.replaceAll('&amp;', '&'),
    ),
  ),
]
