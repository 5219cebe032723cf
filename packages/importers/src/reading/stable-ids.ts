import { hash } from 'node:crypto'
import { KeyTable } from './key-table.ts'

/** Max. items that are remembered, which takes 34 MB. Beyond them, equal items get the same id. */
const MAX_ITEMS = 1_500_000

/**
 * Makes ids for items of an export that has none. An id comes from the item's identifying content and from its number
 * among equal items: two equal lines are two records, and a longer export gives the same ids to the lines that it
 * repeats. Pass a time as it is written in the file, never as an instant, because the owner may correct the zone.
 */
export class StableIds {
  readonly #met = new KeyTable(MAX_ITEMS)

  idOf(...parts: readonly (string | undefined)[]): string {
    const digest = hash('sha256', JSON.stringify(parts.map((part) => part ?? null))).slice(0, 32)
    const before = this.#met.change(digest, (count = 0) => count + 1)
    return typeof before === 'number' ? `${digest}-${before + 1}` : digest
  }
}

/** The id of a connection, made from the export's own data, such as the chat or the account. */
export function connectionId(source: string, ...parts: readonly string[]): string {
  const words = parts
    .join(' ')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
  // Names in other scripts would leave no characters, and long names lose their end, so a hash is added.
  const exact = hash('sha256', JSON.stringify(parts)).slice(0, 8)
  return [source, words.replace(/-+$/, ''), exact].filter((part) => part !== '').join('-')
}
