import { hash } from 'node:crypto'
import { KeyTable } from './key-table.ts'

/**
 * Remembers the keys of an import and their contents as hashes, to limit memory to 17 MB. A full table keeps its
 * entries and answers `unknown` for other keys.
 */
export class SeenKeys {
  readonly #table: KeyTable

  constructor(capacity = 780_000) {
    this.#table = new KeyTable(capacity)
  }

  /** `same`: the key occurred before with this content. `other`: it occurred with different content. */
  meet(key: string, content: string): 'first' | 'same' | 'other' | 'unknown' {
    const mark = hash('sha1', content, 'buffer').readUInt32LE(0)
    const before = this.#table.change(key, (kept) => kept ?? mark)
    if (before === undefined) return 'first'
    return before === 'full' ? 'unknown' : before === mark ? 'same' : 'other'
  }
}
