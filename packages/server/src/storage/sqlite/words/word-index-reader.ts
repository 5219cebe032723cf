import { type DocumentColumns, decodeColumns } from '../../../search/segments/document-columns.ts'
import type { IndexSnapshot } from '../../../search/segments/index-snapshot.ts'
import type { Postings } from '../../../search/segments/postings-codec.ts'
import { type DeadRecords, eachDead } from '../../words/dead-records.ts'
import type { SharedColumns } from '../../words/shared-columns.ts'
import type { Handle } from '../engine/database.ts'
import { BeginningCache } from './beginning-cache.ts'
import { deadOf, deadSince } from './dead-documents.ts'
import type { LoadedSegment } from './loaded-segment.ts'
import { PlacesCache } from './places-cache.ts'
import { PostingCache } from './posting-cache.ts'
import { LISTED, readSegmentRow } from './segment-rows.ts'
import { PartCache, StoredWords } from './stored-words.ts'

interface SegmentRow {
  segment: number
  age: number
}

/** The word index of one owner, in the memory of one thread. It reads only the changes since the last search. */
export class WordIndexReader implements IndexSnapshot {
  readonly #handle: Handle
  readonly #owner: number
  readonly #shared: SharedColumns | undefined
  readonly #postings = new PostingCache()
  readonly #parts: PartCache
  readonly #places = new PlacesCache()
  readonly #beginnings = new BeginningCache()
  #epoch = -1
  segments: readonly LoadedSegment[] = []
  /** The numbers of the segments. The same array while they are the same, also if some of their documents die. */
  #numbers: readonly number[] = []

  constructor(handle: Handle, owner: number, shared?: SharedColumns) {
    this.#handle = handle
    this.#owner = owner
    this.#shared = shared
    this.#parts = new PartCache(handle)
  }

  /** Call first in the read transaction of a search. From then on all data is from the same moment. */
  refresh(): this {
    const [epoch] = this.#handle.column<number>('select epoch from word_owner where owner = ?', this.#owner)
    if (epoch === undefined || epoch === this.#epoch) return this
    const sql = `select segment, age from word_segment indexed by word_segment_owner
      where owner = ? and state = ${LISTED} order by age, segment`
    const rows = this.#handle.all<SegmentRow & Record<string, unknown>>(sql, this.#owner)
    const known = new Map(this.segments.map((segment) => [segment.segment, segment]))
    const dead = known.size === 0 ? new Map() : deadSince(this.#handle, this.#owner, this.#epoch)
    const newest = Math.max(Number.NEGATIVE_INFINITY, ...this.segments.map(({ age }) => age))
    const segments = rows.map((row) => {
      const before = known.get(row.segment)
      if (before) return withDead(before, dead)
      // If a segment is younger than all known ones, its records can only have died since then.
      const isYounger = known.size > 0 && row.age > newest
      return this.#load(row, isYounger ? dead : undefined)
    })
    const isSame = segments.length === this.segments.length && segments.every((one, at) => one === this.segments[at])
    if (!isSame) {
      this.segments = segments
      const numbers = segments.map(({ segment }) => segment)
      if (numbers.join() !== this.#numbers.join()) this.#numbers = numbers
      this.#shared?.keep(this.#owner, numbers)
    }
    this.#epoch = epoch
    return this
  }

  postings(term: string, at: number): Postings | undefined {
    return this.#postings.get(term, this.segments, this.#numbers)[at]
  }

  places(term: string, at: number): Uint8Array {
    const { segment, words } = this.segments[at]!
    return this.#places.get(term, segment, () => words.places(term))
  }

  termsFrom(prefix: string): Iterable<string> {
    return this.#beginnings.get(prefix, this.segments, this.#numbers)
  }

  /** `dead` are the dead records that may be in the segment. They are read if they are not given. */
  #load({ segment, age }: SegmentRow, dead: DeadRecords | undefined): LoadedSegment {
    const shared = this.#shared?.take(this.#owner, segment)
    const row = readSegmentRow(this.#handle, segment, !shared)
    const columns = shared ?? this.#decode(segment, row.columns!)
    const words = new StoredWords(this.#handle, this.#parts, segment, row.firsts)
    const editions = columns.runs.map(({ edition }) => edition)
    return withDead({ segment, age, columns, dead: NONE, words }, dead ?? deadOf(this.#handle, this.#owner, editions))
  }

  #decode(segment: number, bytes: Uint8Array): DocumentColumns {
    const columns = decodeColumns(bytes)
    this.#shared?.publish(this.#owner, segment, columns)
    return columns
  }
}

const NONE: ReadonlySet<number> = new Set()

/** Returns the same object if none of the segment's documents has died. */
function withDead(segment: LoadedSegment, records: DeadRecords): LoadedSegment {
  if (records.size === 0) return segment
  const dead = new Set(segment.dead)
  eachDead(segment.columns, segment.age, records, (doc) => dead.add(doc))
  return dead.size === segment.dead.size ? segment : { ...segment, dead }
}
