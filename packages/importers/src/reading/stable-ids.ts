import { hash } from 'node:crypto'

/**
 * Ids for items of an export that has none. The id comes from what identifies the item, and from its number among equal
 * ones: two equal lines are two records, and a longer export gives the same ids to what it repeats. Use the text of a time
 * as it stands in the file, never the instant, because the owner may correct the zone.
 */
export class StableIds {
  readonly #met = new Map<string, number>()

  idOf(...parts: readonly (string | undefined)[]): string {
    const digest = hash('sha256', JSON.stringify(parts.map((part) => part ?? null))).slice(0, 32)
    const before = this.#met.get(digest) ?? 0
    this.#met.set(digest, before + 1)
    return before === 0 ? digest : `${digest}-${before + 1}`
  }
}

/** The id of a connection, from what an export says of itself: a chat, an account. */
export function connectionId(source: string, ...parts: readonly string[]): string {
  const words = parts
    .join(' ')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
  // Names in other scripts leave nothing, and long ones lose their end.
  const exact = hash('sha256', JSON.stringify(parts)).slice(0, 8)
  return [source, words.replace(/-+$/, ''), exact].filter((part) => part !== '').join('-')
}
