import type { IndexedDocument } from '../../../search/segments/segment.ts'
import { buildSegment } from '../../../search/segments/segment-builder.ts'
import { concerns, type Edition, indexedDocument } from '../../words/edition.ts'
import { encodeSegment } from '../../words/encoded-segment.ts'
import type { Handle } from '../engine/database.ts'
import { forgetLongTexts, noteLongTexts } from './long-texts.ts'
import { insertSegment, LISTED, writeParts } from './segment-rows.ts'

/** Max. UTF-16 units of text that wait to be indexed, because building a segment takes several times as much memory. */
const MAX_WAITING_UNITS = 4 * 1024 * 1024
const MAX_WAITING_DOCUMENTS = 8192

/** The words of one transaction of one feed. They become one small segment, or several if there is much text. */
export class WordBatch {
  readonly #handle: Handle
  readonly #edition: Edition
  readonly #waiting = new Map<number, IndexedDocument>()
  readonly #dead = new Map<number, number>()
  #units = 0

  constructor(handle: Handle, edition: Edition) {
    this.#handle = handle
    this.#edition = edition
  }

  /** Adds a record, or a new version of one. */
  add(number: number, members: Readonly<Record<string, unknown>>, isNew: boolean): void {
    if (this.#comesLater(number)) return
    if (!isNew) this.#bury(number)
    const document = indexedDocument(this.#edition, number, members)
    this.#waiting.set(number, document)
    this.#units += document.texts.reduce((sum, text) => sum + text.length, 0)
    noteLongTexts(this.#handle, this.#edition.feed, number, this.#edition.spec.fields, members)
    if (this.#units > MAX_WAITING_UNITS || this.#waiting.size >= MAX_WAITING_DOCUMENTS) this.flush()
  }

  update(number: number, members: Readonly<Record<string, unknown>>, changed: readonly string[]): void {
    if (concerns(this.#edition, changed)) this.add(number, members, false)
  }

  remove(number: number): void {
    if (!this.#comesLater(number)) this.#bury(number)
  }

  /** While an edition is being built, a later slice indexes the records beyond its progress. */
  #comesLater(number: number): boolean {
    return this.#edition.through !== null && number > this.#edition.through
  }

  /** Drops a version that is not stored yet. Marks a stored version as dead. */
  #bury(number: number): void {
    forgetLongTexts(this.#handle, this.#edition.feed, number)
    if (!this.#waiting.delete(number)) this.#dead.set(number, (this.#dead.get(number) ?? 0) + 1)
  }

  /** Stores the words of the batch. Call at the end of the transaction. */
  flush(): void {
    if (this.#waiting.size + this.#dead.size === 0) return
    const { owner, edition } = this.#edition
    const { age, epoch } = nextAge(this.#handle, owner)
    const sql = `insert into word_dead values (?, ?, ?, ?, ?, ?) on conflict (owner, edition, number)
      do update set before = excluded.before, versions = versions + excluded.versions, changed = excluded.changed`
    for (const [number, versions] of this.#dead) this.#handle.run(sql, owner, edition, number, age, versions, epoch)
    if (this.#waiting.size > 0) {
      const segment = encodeSegment(buildSegment([...this.#waiting.values()]))
      const stored = insertSegment(this.#handle, owner, age, LISTED, segment)
      writeParts(this.#handle, stored, segment.parts, 0, segment.parts.length)
    }
    this.#waiting.clear()
    this.#dead.clear()
    this.#units = 0
  }
}

/** Takes the next age of an owner. The write lock of the file makes ages grow in the order of commits. */
function nextAge(handle: Handle, owner: number): { age: number; epoch: number } {
  const sql =
    'update word_owner set epoch = epoch + 1, next_age = next_age + 1 where owner = ? returning next_age, epoch'
  const { next_age: next, epoch } = handle.get<{ next_age: number; epoch: number }>(sql, owner)!
  return { age: next - 1, epoch }
}
