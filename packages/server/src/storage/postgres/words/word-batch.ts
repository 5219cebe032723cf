import { INDEXED_UNITS } from '../../../search/analysis/analyser.ts'
import { searchedText } from '../../../search/analysis/searched-text.ts'
import type { IndexedDocument } from '../../../search/segments/segment.ts'
import { concerns, type Edition, indexedDocument } from '../../words/edition.ts'
import type { EncodedSegment } from '../../words/encoded-segment.ts'
import type { SegmentBuilding } from '../../words/segment-building.ts'
import type { Session } from '../engine/session.ts'
import { insertSegment, LISTED, writeParts } from './segment-rows.ts'

/** Max. UTF-16 units of text in one segment, because building it takes several times as much memory. */
const MAX_UNITS = 4 * 1024 * 1024
const MAX_DOCUMENTS = 8192

/** Numbers that a batch takes from the owner's row. */
interface Taken {
  readonly age: number
  readonly next: number
  readonly epoch: number
}

/** The words of one transaction of one feed. They become one small segment, or several if there is much text. */
export class WordBatch {
  readonly #session: Session
  readonly #edition: Edition
  readonly #building: SegmentBuilding
  readonly #waiting = new Map<number, IndexedDocument>()
  readonly #dead = new Map<number, number>()
  /** Records whose long texts must be noted again. */
  readonly #long = new Map<number, readonly string[]>()
  #segments: Promise<EncodedSegment[]> | undefined

  constructor(session: Session, edition: Edition, building: SegmentBuilding) {
    this.#session = session
    this.#edition = edition
    this.#building = building
  }

  /** Adds a record, or a new version of one. */
  add(number: number, members: Readonly<Record<string, unknown>>, isNew: boolean): void {
    if (this.#comesLater(number)) return
    if (!isNew) this.#bury(number)
    this.#waiting.set(number, indexedDocument(this.#edition, number, members))
    const long = this.#edition.spec.fields.filter((field) => searchedText(members[field]).length > INDEXED_UNITS)
    if (long.length > 0 || !isNew) this.#long.set(number, long)
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
    this.#long.set(number, [])
    if (!this.#waiting.delete(number)) this.#dead.set(number, (this.#dead.get(number) ?? 0) + 1)
  }

  /** Starts to split the texts into words. Call after the last record, so that other writes need not wait for it. */
  begin(): void {
    this.#segments = this.#build()
    // If the transaction fails meanwhile, nobody waits for the words.
    this.#segments.catch(() => {})
  }

  /**
   * Stores the words of the batch. Call at the end of the transaction, because the lock of the owner's row orders
   * segments.
   */
  async flush(): Promise<void> {
    await this.#noteLongTexts()
    if (this.#waiting.size + this.#dead.size === 0) return
    const { owner: subject } = this.#edition
    const segments = await (this.#segments ?? this.#build())
    const take = `update word_owner set epoch = epoch + 1, next_age = next_age + 1, next_segment = next_segment + ?
      where subject = ? returning next_age - 1 age, next_segment next, epoch`
    const taken = await this.#session.get<Taken>(take, segments.length, subject)
    const { age, next } = taken!
    const writes = segments.flatMap((encoded, at) => {
      const place = { segment: next - segments.length + at, age, state: LISTED }
      return [
        insertSegment(this.#session, subject, place, encoded),
        writeParts(this.#session, subject, place.segment, encoded.parts, 0, encoded.parts.length),
      ]
    })
    await Promise.all([this.#writeDead(taken!), ...writes])
    this.#waiting.clear()
    this.#dead.clear()
    this.#segments = undefined
  }

  async #build(): Promise<EncodedSegment[]> {
    const segments: EncodedSegment[] = []
    for (const documents of partsOf([...this.#waiting.values()])) segments.push(await this.#building.build(documents))
    return segments
  }

  async #writeDead({ age, epoch }: Taken): Promise<void> {
    if (this.#dead.size === 0) return
    const { owner: subject, edition } = this.#edition
    const bury = `insert into word_dead select ?, ?, x.number, ?, x.versions, ? from unnest(?::bigint[], ?::bigint[]) x(number, versions)
      on conflict (subject, edition, number) do update set before = excluded.before,
        versions = word_dead.versions + excluded.versions, changed = excluded.changed`
    const lists = [[...this.#dead.keys()], [...this.#dead.values()]]
    await this.#session.run(bury, subject, edition, age, epoch, ...lists)
  }

  async #noteLongTexts(): Promise<void> {
    if (this.#long.size === 0) return
    const { owner: subject, feed } = this.#edition
    const forget = 'delete from search_cut where subject = ? and feed = ? and record = any(?::bigint[])'
    await this.#session.run(forget, subject, feed, [...this.#long.keys()])
    const rows = [...this.#long].flatMap(([record, fields]) => fields.map((field) => ({ record, field })))
    const note = 'insert into search_cut select ?, ?, * from unnest(?::bigint[], ?::text[])'
    const lists = [rows.map(({ record }) => record), rows.map(({ field }) => field)]
    if (rows.length > 0) await this.#session.run(note, subject, feed, ...lists)
    this.#long.clear()
  }
}

function partsOf(documents: readonly IndexedDocument[]): IndexedDocument[][] {
  const parts: IndexedDocument[][] = []
  let units = Number.POSITIVE_INFINITY
  for (const document of documents) {
    if (units > MAX_UNITS || parts.at(-1)!.length >= MAX_DOCUMENTS) {
      parts.push([])
      units = 0
    }
    parts.at(-1)!.push(document)
    units += document.texts.reduce((sum, text) => sum + text.length, 0)
  }
  return parts
}
