import { type DocumentColumns, decodeColumns } from '../../../search/segments/document-columns.ts'
import type { IndexSnapshot } from '../../../search/segments/index-snapshot.ts'
import { decodePostings, type Postings } from '../../../search/segments/postings-codec.ts'
import { SmallWords } from '../../../search/segments/small-segment.ts'
import { type DeadRecords, eachDead } from '../../sqlite/words/dead-documents.ts'
import type { LoadedSegment } from '../../sqlite/words/loaded-segment.ts'
import type { Session } from '../engine/session.ts'
import { deadOf, deadSince } from './dead-documents.ts'
import { LISTED } from './segment-rows.ts'

/** Bytes of decoded lists and places that are kept. */
const MAX_BYTES = 64 * 1024 * 1024
const BYTES_PER_ENTRY = 4
const BYTES_PER_LIST = 200

/** Something that the ranking asks for is not here yet. */
class NotLoaded extends Error {}

interface SegmentRow {
  segment: number
  age: number
}

/**
 * The word index of one owner, as this process has it in memory. Ranking does not wait: what it asks for and is not here
 * is noted, then read with a few statements, and the ranking runs again.
 */
export class WordIndexReader implements IndexSnapshot {
  readonly #subject: number
  #epoch = -1
  segments: readonly LoadedSegment[] = []
  /** Postings by term and segment. Undefined if the segment does not have the term. */
  readonly #postings = new Map<string, Map<number, Postings | undefined>>()
  readonly #places = new Map<string, Uint8Array>()
  /** Terms of larger segments by their beginning. */
  readonly #terms = new Map<string, readonly string[]>()
  #bytes = 0
  readonly #asked = new Set<string>()
  readonly #missing = { terms: new Set<string>(), prefixes: new Set<string>(), places: false }

  constructor(subject: number) {
    this.#subject = subject
  }

  /** Call first in the snapshot of a search. Afterwards everything fits together until its end. */
  async refresh(session: Session): Promise<void> {
    const [epoch] = await session.column<number>('select epoch from word_owner where subject = ?', this.#subject)
    if (epoch === undefined || epoch === this.#epoch) return
    const sql = `select segment, age from word_segment where subject = ? and state = ${LISTED} order by age, segment`
    const rows = await session.all<SegmentRow>(sql, this.#subject)
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
    }
    this.#epoch = epoch
  }

  /** Runs a ranking until everything that it asks for is here. */
  async run<T>(session: Session, rank: () => T): Promise<T> {
    for (;;) {
      this.#asked.clear()
      const result = this.#try(rank)
      if (!(await this.#loadMissing(session)) && result) return result.value
    }
  }

  #try<T>(rank: () => T): { readonly value: T } | undefined {
    try {
      return { value: rank() }
    } catch (error) {
      if (error instanceof NotLoaded) return
      throw error
    }
  }

  postings(term: string, at: number): Postings | undefined {
    const { segment, small } = this.segments[at]!
    this.#asked.add(term)
    const lists = this.#postings.get(term)
    if (lists?.has(segment)) return lists.get(segment)
    if (!small) {
      this.#missing.terms.add(term)
      return
    }
    const found = small.find(term)
    const postings = found && decodePostings(found.postings, found.entries)
    this.#keep(term, segment, postings)
    return postings
  }

  places(term: string, at: number): Uint8Array {
    const { segment, small } = this.segments[at]!
    if (small) return small.find(term)!.places
    const places = this.#places.get(`${segment} ${term}`)
    if (places) return places
    this.#missing.places = true
    throw new NotLoaded()
  }

  termsFrom(prefix: string): Iterable<string> {
    const stored = this.#terms.get(prefix)
    if (!stored && this.segments.some(({ small }) => !small)) this.#missing.prefixes.add(prefix)
    const found = new Set(stored)
    for (const { small } of this.segments) {
      if (!small) continue
      for (let at = small.seek(prefix); small.terms[at]?.startsWith(prefix); at++) found.add(small.terms[at]!)
    }
    return found
  }

  async #loadMissing(session: Session): Promise<boolean> {
    const { terms, prefixes, places } = this.#missing
    if (terms.size === 0 && prefixes.size === 0 && !places) return false
    if (this.#bytes > MAX_BYTES) this.#forget()
    if (prefixes.size > 0) await this.#loadPrefixes(session, [...prefixes])
    if (terms.size > 0) await this.#loadPostings(session, [...terms])
    if (places) await this.#loadPlaces(session)
    terms.clear()
    prefixes.clear()
    this.#missing.places = false
    return true
  }

  async #loadPrefixes(session: Session, prefixes: readonly string[]): Promise<void> {
    const sql = `select p.at, t.term from unnest(?::text[], ?::text[]) with ordinality p(low, high, at)
      join word_term t on t.subject = ? and t.term >= p.low and t.term < p.high`
    const ends = prefixes.map((prefix) => `${prefix}\u{10ffff}`)
    const rows = await session.all<{ at: number; term: string }>(sql, prefixes, ends, this.#subject)
    const found = Map.groupBy(rows, ({ at }) => at)
    for (const [at, prefix] of prefixes.entries())
      this.#terms.set(
        prefix,
        (found.get(at + 1) ?? []).map(({ term }) => term),
      )
  }

  async #loadPostings(session: Session, terms: readonly string[]): Promise<void> {
    const large = this.segments.flatMap(({ segment, small }) => (small ? [] : [segment]))
    for (const term of terms) for (const segment of large) this.#keep(term, segment, undefined)
    const sql = `select term, segment, entries, postings from word_posting
      where subject = ? and term = any(?::text[]) and segment = any(?::bigint[])`
    const rows = await session.all<{ term: string; segment: number; entries: number; postings: Uint8Array }>(
      sql,
      ...[this.#subject, terms, large],
    )
    for (const { term, segment, entries, postings } of rows)
      this.#keep(term, segment, decodePostings(postings, entries))
  }

  /** Those of all words of the query, because most of them will be asked for next. */
  async #loadPlaces(session: Session): Promise<void> {
    const large = this.segments.flatMap(({ segment, small }) => (small ? [] : [segment]))
    const sql = `select p.term, p.segment, coalesce(p.places, l.places) places from word_posting p
      left join word_place l using (subject, term, segment)
      where p.subject = ? and p.term = any(?::text[]) and p.segment = any(?::bigint[])`
    const rows = await session.all<{ term: string; segment: number; places: Uint8Array }>(
      sql,
      ...[this.#subject, [...this.#asked], large],
    )
    for (const { term, segment, places } of rows) {
      this.#places.set(`${segment} ${term}`, places)
      this.#bytes += places.length + BYTES_PER_LIST
    }
  }

  #keep(term: string, segment: number, postings: Postings | undefined): void {
    const lists = this.#postings.get(term) ?? new Map<number, Postings | undefined>()
    this.#postings.set(term, lists)
    lists.set(segment, postings)
    this.#bytes += BYTES_PER_LIST + (postings?.docs.length ?? 0) * BYTES_PER_ENTRY
  }

  #forget(): void {
    this.#postings.clear()
    this.#places.clear()
    this.#terms.clear()
    this.#bytes = 0
  }

  async #load(session: Session, rows: readonly SegmentRow[]): Promise<Map<number, LoadedSegment>> {
    if (rows.length === 0) return new Map()
    const sql = 'select segment, age, columns, words from word_segment where subject = ? and segment = any(?::bigint[])'
    const numbers = rows.map(({ segment }) => segment)
    const stored = await session.all<SegmentRow & { columns: Uint8Array; words: Uint8Array | null }>(
      sql,
      ...[this.#subject, numbers],
    )
    const loaded = stored.map(({ segment, age, columns, words }) => {
      const decoded: DocumentColumns = decodeColumns(columns)
      return {
        segment,
        age,
        columns: decoded,
        dead: new Set<number>(),
        small: words ? new SmallWords(words) : undefined,
      }
    })
    const editions = loaded.flatMap(({ columns }) => columns.runs.map(({ edition }) => edition))
    const dead = await deadOf(session, this.#subject, [...new Set(editions)])
    return new Map(loaded.map((segment) => [segment.segment, withDead(segment, dead)]))
  }
}

/** The same segment if none of its documents has died. */
function withDead(segment: LoadedSegment, records: DeadRecords): LoadedSegment {
  const dead = new Set(segment.dead)
  eachDead(segment.columns, segment.age, records, (doc) => dead.add(doc))
  return dead.size === segment.dead.size ? segment : { ...segment, dead }
}
