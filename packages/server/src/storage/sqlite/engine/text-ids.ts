import { RecentCache } from '../../../lib/caches/recent-cache.ts'
import type { Handle } from './database.ts'

/** Stores each text once and names it by a number, because receipts repeat the same texts. */
export class TextIds {
  readonly #db: Handle
  readonly #ids = new RecentCache<string, number>(5000)
  readonly #texts = new RecentCache<number, string>(5000)

  constructor(db: Handle) {
    this.#db = db
  }

  /** If the surrounding transaction is rolled back, call `forget`. */
  id(text: string): number {
    const known = this.#ids.get(text)
    if (known !== undefined) return known
    const stored = this.find(text)
    if (stored !== undefined) return this.#ids.set(text, stored)
    const { id } = this.#db.get<{ id: number }>('insert into text_id (text) values (?) returning id', text)!
    return this.#ids.set(text, id)
  }

  find(text: string): number | undefined {
    return this.#db.get<{ id: number }>('select id from text_id where text = ?', text)?.id
  }

  text(id: number): string {
    const known = this.#texts.get(id)
    if (known !== undefined) return known
    const found = this.#db.get<{ text: string }>('select text from text_id where id = ?', id)?.text
    return found === undefined ? '' : this.#texts.set(id, found)
  }

  forget(): void {
    this.#ids.clear()
    this.#texts.clear()
  }
}
