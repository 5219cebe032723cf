import { countOf, textOf, warningsOf } from '../resource-server/envelope.ts'
import { shortLine } from './safe-text.ts'

const MAX_WARNINGS = 5

/** The cursors and the count. They come first, because hosts cut the middle or the end of results, never the start. */
export function handles(body: Readonly<Record<string, unknown>>, { counted = true } = {}): string {
  const parts = [
    body['has_more'] === true ? moreOf(body) : undefined,
    named('next_cursor', body['next_cursor']),
    named('previous_cursor', body['previous_cursor']),
    named('next_changes_since', body['next_changes_since']),
    !counted || countOf(body) === undefined ? undefined : `count=${countOf(body)}`,
  ]
  return parts.filter((part) => part !== undefined).join(' ')
}

export function warningLines(body: Readonly<Record<string, unknown>>): string[] {
  const warnings = warningsOf(body)
  const shown = warnings
    .slice(0, MAX_WARNINGS)
    .map(({ code, message }) => `warning ${shortLine(code, 60)}: ${shortLine(message, 300)}`)
  return warnings.length > shown.length ? [...shown, `and ${warnings.length - shown.length} more warnings`] : shown
}

/** Some servers cannot continue a page of several sources. Then the model must narrow its call. */
function moreOf(body: Readonly<Record<string, unknown>>): string {
  const onward = textOf(body['next_cursor']) ?? textOf(body['next_changes_since'])
  return onward === undefined ? 'has_more=true (no cursor: narrow with connection_id or filter)' : 'has_more=true'
}

function named(name: string, value: unknown): string | undefined {
  const text = textOf(value)
  return text === undefined ? undefined : `${name}=${text}`
}
