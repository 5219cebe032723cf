import { type DocumentColumns, decodeColumns } from '../../../search/segments/document-columns.ts'
import type { IndexSnapshot, ListedSegment } from '../../../search/segments/index-snapshot.ts'
import { decodePostings, entriesIn, type Postings } from '../../../search/segments/postings-codec.ts'
import type { WordPart } from '../../../search/segments/segment.ts'
import { decodeTerms, SegmentWords, seekTerm } from '../../../search/segments/word-part.ts'
import { BYTES_PER_ENTRY, BYTES_PER_LIST } from '../../cache-limits.ts'
import { type DeadRecords, eachDead } from '../../words/dead-records.ts'
import type { SharedColumns } from '../../words/shared-columns.ts'
import type { Session } from '../engine/session.ts'
import { deadOf, deadSince } from './dead-documents.ts'
import { LISTED } from './segment-rows.ts'

/** Max. bytes of words and decoded lists in memory. */
const MAX_BYTES = 64 * 1024 * 1024
/** Decoded words take this many times the memory of encoded ones. */
const DECODED = 3

/** A segment in memory: its documents, its dead documents, and the first term of each part of its words. */
interface LoadedSegment extends ListedSegment {
  readonly age: number
  readonly firsts: readonly string[]
}

interface SegmentRow {
  segment: number
  age: number
  documents: number
  bytes: number
}

export interface IndexSize {
  readonly documents: number
  readonly bytes: number
}

/**
 * The word index of one owner in the memory of this process. The ranking itself cannot wait. If it asks for data that
 * is not in memory, the request is noted. Then a few statements read the data, and the ranking runs again.
 */
export class WordIndexReader implements IndexSnapshot {
  readonly #subject: number
  readonly #shared: SharedColumns | undefined
  #epoch = -1
  segments: readonly LoadedSegment[] = []
  /** Postings by term and segment. Undefined if the segment does not have the term. */
  readonly #postings = new Map<string, Map<number, Postings | undefined>>()
  /** The parts that were read, by segment and position. */
  readonly #parts = new Map<string, SegmentWords>()
  #bytes = 0
  readonly #missing = new Map<string, { readonly segment: number; readonly part: number }>()

  constructor(subject: number, shared?: SharedColumns) {
    this.#subject = subject
    this.#shared = shared
  }

  /**
   * Call first in the snapshot of a search. From then on all data is from the same moment. Returns false and loads
   * nothing if the index is larger than `max`.
   */
  async refresh(session: Session, epoch: number, max?: IndexSize): Promise<boolean> {
    // Forgets data only here. If it did so during a ranking, the ranking would ask for the same data again and again.
    if (this.#bytes > MAX_BYTES) this.#forget()
    if (epoch === this.#epoch) return true
    const sql = `select segment, age, documents, bytes from word_segment
      where subject = ? and state = ${LISTED} order by age, segment`
    const rows = await session.all<SegmentRow>(sql, this.#subject)
    if (max && (sum(rows, 'documents') > max.documents || sum(rows, 'bytes') > max.bytes)) return false
    const known = new Map(this.segments.map((segment) => [segment.segment, segment]))
    const dead = known.size === 0 ? new Map() : await deadSince(session, this.#subject, this.#epoch)
    const fresh = await this.#load(
      session,
      rows.filter(({ segment }) => !known.has(segment)),
    )
    const segments = rows.map(({ segment }) => {
      const before = known.get(segment)
      return before ? withDead(before, dead) : fresh.get(segment)!
    })
    const isSame = segments.length === this.segments.length && segments.every((one, at) => one === this.segments[at])
    if (!isSame) {
      this.segments = segments
      this.#forget()
      this.#shared?.keep(
        this.#subject,
        rows.map(({ segment }) => segment),
      )
    }
    this.#epoch = epoch
    return true
  }

  isAt(epoch: number): boolean {
    return this.#epoch === epoch
  }

  /** Runs a ranking once. Undefined if it asks for data that is not in memory. */
  tryRun<T>(rank: () => T): T | undefined {
    const result = rank()
    return this.#missing.size === 0 ? result : undefined
  }

  /** Repeats a ranking until everything that it asks for is in memory. */
  async run<T>(session: Session, rank: () => T): Promise<T> {
    for (;;) {
      const result = rank()
      if (this.#missing.size === 0) return result
      await this.#loadMissing(session)
    }
  }

  postings(term: string, at: number): Postings | undefined {
    const { segment, columns } = this.segments[at]!
    const lists = this.#postings.get(term)
    if (lists?.has(segment)) return lists.get(segment)
    const words = this.#partWith(term, at)
    if (words === 'missing') return
    const found = words?.find(term)
    const postings = found && decodePostings(found.postings, found.entries, columns)
    this.#keep(term, segment, postings)
    return postings
  }

  /**
   * A part contains the places of its terms next to their postings. It may have been forgotten since the postings were
   * read.
   */
  places(term: string, at: number): Uint8Array {
    const words = this.#partWith(term, at)
    if (words === 'missing' || !words) return NO_PLACES
    return words.find(term)?.places ?? NO_PLACES
  }

  termsFrom(prefix: string): Iterable<string> {
    const found = new Set<string>()
    for (const { segment, firsts } of this.segments) {
      const from = Math.max(0, partOf(firsts, prefix))
      for (let part = from; part < firsts.length && (part === from || firsts[part]!.startsWith(prefix)); part++) {
        const words = this.#part(segment, part)
        if (words === 'missing') continue
        for (let at = seekTerm(words.terms, prefix); words.terms[at]?.startsWith(prefix); at++)
          found.add(words.terms[at]!)
      }
    }
    return found
  }

  /** The only part of a segment that can contain this term. */
  #partWith(term: string, at: number): SegmentWords | 'missing' | undefined {
    const { segment, firsts } = this.segments[at]!
    const part = partOf(firsts, term)
    return part < 0 ? undefined : this.#part(segment, part)
  }

  #part(segment: number, part: number): SegmentWords | 'missing' {
    const name = `${segment} ${part}`
    const known = this.#parts.get(name)
    if (known) return known
    this.#missing.set(name, { segment, part })
    return 'missing'
  }

  async #loadMissing(session: Session): Promise<void> {
    const missing = [...this.#missing.values()]
    this.#missing.clear()
    const sql = `select p.segment, p.part, p.terms, p.postings, p.places from unnest(?::bigint[], ?::bigint[]) x(segment, part)
      join word_part p on p.subject = ? and p.segment = x.segment and p.part = x.part`
    const lists = [missing.map(({ segment }) => segment), missing.map(({ part }) => part)]
    const rows = await session.all<WordPart & { segment: number; part: number }>(sql, ...lists, this.#subject)
    for (const { segment, part, ...words } of rows) {
      this.#parts.set(`${segment} ${part}`, new SegmentWords([words]))
      this.#bytes += DECODED * (words.terms.length + words.postings.length + words.places.length)
    }
  }

  #keep(term: string, segment: number, postings: Postings | undefined): void {
    const lists = this.#postings.get(term) ?? new Map<number, Postings | undefined>()
    this.#postings.set(term, lists)
    lists.set(segment, postings)
    this.#bytes += BYTES_PER_LIST + (postings ? entriesIn(postings) : 0) * BYTES_PER_ENTRY
  }

  #forget(): void {
    this.#postings.clear()
    this.#parts.clear()
    this.#bytes = 0
  }

  /** Documents that another thread has decoded are not read again. */
  async #load(session: Session, rows: readonly SegmentRow[]): Promise<Map<number, LoadedSegment>> {
    if (rows.length === 0) return new Map()
    const shared = new Map(rows.map(({ segment }) => [segment, this.#shared?.take(this.#subject, segment)]))
    const sql = `select s.segment, s.age, case when x.is_wanted then s.columns end "columns", s.parts
      from unnest(?::bigint[], ?::boolean[]) x(segment, is_wanted)
      join word_segment s on s.subject = ? and s.segment = x.segment`
    const wanted = [[...shared.keys()], [...shared.values()].map((columns) => columns === undefined)]
    const stored = await session.all<StoredSegment>(sql, ...wanted, this.#subject)
    const loaded = stored.map(({ segment, age, columns: bytes, parts }) => {
      const columns = shared.get(segment) ?? this.#decode(segment, bytes!)
      return { segment, age, columns, dead: new Set<number>(), firsts: decodeTerms(parts) }
    })
    const editions = loaded.flatMap(({ columns }) => columns.runs.map(({ edition }) => edition))
    const dead = await deadOf(session, this.#subject, [...new Set(editions)])
    return new Map(loaded.map((segment) => [segment.segment, withDead(segment, dead)]))
  }

  #decode(segment: number, bytes: Uint8Array): DocumentColumns {
    const columns = decodeColumns(bytes)
    this.#shared?.publish(this.#subject, segment, columns)
    return columns
  }
}

interface StoredSegment {
  segment: number
  age: number
  /** Null if this process already has them. */
  columns: Uint8Array | null
  parts: Uint8Array
}

const sum = (rows: readonly SegmentRow[], what: 'documents' | 'bytes'): number =>
  rows.reduce((total, row) => total + row[what], 0)

const NO_PLACES = new Uint8Array(0)

/** The position of the only part that can contain a term. */
function partOf(firsts: readonly string[], term: string): number {
  const at = seekTerm(firsts, term)
  return firsts[at] === term ? at : at - 1
}

/** Returns the same object if none of the segment's documents has died. */
function withDead(segment: LoadedSegment, records: DeadRecords): LoadedSegment {
  const dead = new Set(segment.dead)
  eachDead(segment.columns, segment.age, records, (doc) => dead.add(doc))
  return dead.size === segment.dead.size ? segment : { ...segment, dead }
}
