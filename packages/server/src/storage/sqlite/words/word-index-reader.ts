import { type DocumentColumns, decodeColumns } from '../../../search/segments/document-columns.ts'
import type { IndexSnapshot } from '../../../search/segments/index-snapshot.ts'
import type { Postings } from '../../../search/segments/postings-codec.ts'
import { SmallWords } from '../../../search/segments/small-segment.ts'
import type { Handle } from '../engine/database.ts'
import { type DeadRecords, deadOf, deadSince, eachDead } from './dead-documents.ts'
import type { LoadedSegment } from './loaded-segment.ts'
import { PostingCache } from './posting-cache.ts'
import { LISTED } from './segment-rows.ts'
import type { SharedColumns } from './shared-columns.ts'

interface SegmentRow {
  segment: number
  age: number
}

const MAX_CACHED_PLACES = 256

/** The word index of one owner, as one thread has it in memory. It reads only what changed since it last looked. */
export class WordIndexReader implements IndexSnapshot {
  readonly #handle: Handle
  readonly #owner: number
  readonly #shared: SharedColumns | undefined
  readonly #postings: PostingCache
  readonly #places = new Map<string, Uint8Array>()
  #epoch = -1
  segments: readonly LoadedSegment[] = []

  constructor(handle: Handle, owner: number, shared?: SharedColumns) {
    this.#handle = handle
    this.#owner = owner
    this.#shared = shared
    this.#postings = new PostingCache(handle, owner)
  }

  /** Call first in the read transaction of a search. Afterwards everything fits together until its end. */
  refresh(): this {
    const [epoch] = this.#handle.column<number>('select epoch from word_owner where owner = ?', this.#owner)
    if (epoch === undefined || epoch === this.#epoch) return this
    const sql = `select segment, age from word_segment indexed by word_segment_owner
      where owner = ? and state = ${LISTED} order by age, segment`
    const rows = this.#handle.all<SegmentRow & Record<string, unknown>>(sql, this.#owner)
    const known = new Map(this.segments.map((segment) => [segment.segment, segment]))
    const dead = known.size === 0 ? new Map() : deadSince(this.#handle, this.#owner, this.#epoch)
    const segments = rows.map((row) => {
      const before = known.get(row.segment)
      return before ? withDead(before, dead) : this.#load(row)
    })
    const isSame = segments.length === this.segments.length && segments.every((one, at) => one === this.segments[at])
    if (!isSame) {
      this.segments = segments
      this.#places.clear()
      this.#shared?.keep(segments.map(({ segment }) => segment))
    }
    this.#epoch = epoch
    return this
  }

  postings(term: string, at: number): Postings | undefined {
    return this.#postings.get(term, this.segments)[at]
  }

  places(term: string, at: number): Uint8Array {
    const { segment, small } = this.segments[at]!
    if (small) return small.find(term)!.places
    const name = `${segment} ${term}`
    const known = this.#places.get(name)
    if (known) return known
    const sql = `select coalesce(p.places, l.places) from word_posting p left join word_place l using (owner, term, segment)
      where p.owner = ? and p.term = ? and p.segment = ?`
    const [places] = this.#handle.column<Uint8Array>(sql, this.#owner, term, segment)
    if (this.#places.size >= MAX_CACHED_PLACES) this.#places.clear()
    this.#places.set(name, places!)
    return places!
  }

  termsFrom(prefix: string): Iterable<string> {
    const sql = 'select term from word_term where owner = ? and term >= ? and term < ?'
    const found = new Set(this.#handle.column<string>(sql, this.#owner, prefix, `${prefix}\u{10ffff}`))
    for (const { small } of this.segments) {
      if (!small) continue
      for (let at = small.seek(prefix); small.terms[at]?.startsWith(prefix); at++) found.add(small.terms[at]!)
    }
    return found
  }

  #load({ segment, age }: SegmentRow): LoadedSegment {
    const shared = this.#shared?.take(segment)
    const sql = `select ${shared ? 'null' : 'columns'} columns, words from word_segment where segment = ?`
    const row = this.#handle.get<{ columns: Uint8Array; words: Uint8Array | null }>(sql, segment)!
    const columns = shared ?? this.#decode(segment, row.columns)
    const small = row.words ? new SmallWords(row.words) : undefined
    const editions = columns.runs.map(({ edition }) => edition)
    return withDead({ segment, age, columns, dead: new Set(), small }, deadOf(this.#handle, this.#owner, editions))
  }

  #decode(segment: number, bytes: Uint8Array): DocumentColumns {
    const columns = decodeColumns(bytes)
    this.#shared?.publish(segment, columns)
    return columns
  }
}

/** The same segment if none of its documents has died. */
function withDead(segment: LoadedSegment, records: DeadRecords): LoadedSegment {
  const dead = new Set(segment.dead)
  eachDead(segment.columns, segment.age, records, (doc) => dead.add(doc))
  return dead.size === segment.dead.size ? segment : { ...segment, dead }
}
