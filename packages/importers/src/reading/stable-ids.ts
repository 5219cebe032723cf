import { hash } from 'node:crypto'
import { KeyTable } from './key-table.ts'

/** Max. items that are remembered, in 34 MB. Beyond them, equal items are one. */
const MAX_ITEMS = 1_500_000

/**
 * Ids for items of an export that has none. The id comes from what identifies the item, and from its number among equal
 * ones: two equal lines are two records, and a longer export gives the same ids to what it repeats. Use the text of a time
 * as it stands in the file, never the instant, because the owner may correct the zone.
 */
export class StableIds {
  readonly #met = new KeyTable(MAX_ITEMS)

  idOf(...parts: readonly (string | undefined)[]): string {
    const digest = hash('sha256', JSON.stringify(parts.map((part) => part ?? null))).slice(0, 32)
    const before = this.#met.change(digest, (count = 0) => count + 1)
    return typeof before === 'number' ? `${digest}-${before + 1}` : digest
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
