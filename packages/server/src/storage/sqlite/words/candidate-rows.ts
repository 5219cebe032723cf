import { parseInstant } from '@pdpp/protocol'
import type { Candidate } from '../../../search/ranking/collect-candidates.ts'
import type { Handle } from '../engine/database.ts'
import { fieldOf } from '../records/layout.ts'
import type { ListedRow, RecordRows } from '../records/record-rows.ts'
import { joinConditions } from '../records/scope-sql.ts'
import { authoredField, contentOf, type RankableRow, type RecordContent } from './candidate-content.ts'
import type { SearchedFeed } from './searched-feed.ts'

/** Max. bytes of large records that one search reads, to rank or to show them. */
const LARGE_READ = 256 * 1024 * 1024

/** Single records out of many feeds: one statement for each stream, because many small ones cost more than the rows. */
export class CandidateRows {
  readonly #handle: Handle
  readonly #feeds: readonly SearchedFeed[]
  #room = LARGE_READ
  /** The large record that was read last: what is asked about one is asked at once. */
  #last: { readonly row: ListedRow; readonly content: RecordContent } | undefined

  constructor(handle: Handle, feeds: readonly SearchedFeed[]) {
    this.#handle = handle
    this.#feeds = feeds
  }

  /** Those that are still in scope: others were served meanwhile, and one of them may have changed a record. */
  documents<Place extends Candidate>(places: readonly Place[]): Map<Place, RankableRow> {
    const found = new Map<RecordRows, Map<number, ListedRow>>()
    for (const [rows, chosen] of this.#byStream(places)) {
      const limits = joinConditions(this.#feeds[chosen[0]!.feed]!.limits)
      // Without indexes it is read by number; an index of the feed would be walked from end to end.
      const sql = `select ${rows.listed} from ${rows.table.table} r not indexed
        where r.id in (select value from json_each(?)) and ${limits.sql}`
      const list = this.#handle.all<ListedRow>(sql, numbers(chosen), ...limits.values)
      found.set(rows, new Map(list.map((row) => [row.id, row])))
    }
    const documents = new Map<Place, RankableRow>()
    for (const place of places) {
      const feed = this.#feeds[place.feed]!
      const row = found.get(feed.rows)?.get(place.id)
      if (row?.feed === feed.number) documents.set(place, this.#rankable(feed, row))
    }
    return documents
  }

  /** Ranking is done: what is shown may be read again. */
  refill(): void {
    this.#room = LARGE_READ
  }

  #rankable(feed: SearchedFeed, row: ListedRow): RankableRow {
    const { target, fields, rows } = feed
    const content = row.data === null ? undefined : contentOf(target, row.data)
    return { target, fields, rows, row, content: () => content ?? this.#large(feed, row) }
  }

  /** One at a time: several of them together would not fit into memory. */
  #large({ target, rows, limits }: SearchedFeed, row: ListedRow): RecordContent | undefined {
    if (this.#last?.row === row) return this.#last.content
    if (this.#room <= 0) return
    const { sql, values } = joinConditions(limits)
    const read = `select r.data from ${rows.table.table} r not indexed where r.id = ? and r.feed = ? and ${sql}`
    const [data] = this.#handle.column<string>(read, row.id, row.feed, ...values)
    if (data === undefined) return
    this.#room -= data.length
    const content = contentOf(target, data)
    this.#last = { row, content }
    return content
  }

  /** When they were written; null where the source does not say. */
  times<Place extends Candidate>(places: readonly Place[]): Map<Place, number | null> {
    const times = new Map<Place, number | null>()
    for (const [{ table }, chosen] of this.#byStream(places)) {
      const { target } = this.#feeds[chosen[0]!.feed]!
      const { column, kind } = fieldOf(table.layout, authoredField(target) ?? '') ?? {}
      if (column === undefined || (kind !== 'date-time' && kind !== 'date' && kind !== 'string')) continue
      const sql = `select r.id, r.${column} from ${table.table} r not indexed where r.id in (select value from json_each(?))`
      const found = new Map(this.#handle.tuples<[number, string | number | null]>(sql, numbers(chosen)))
      for (const place of chosen) {
        const time = found.get(place.id) ?? null
        times.set(place, typeof time === 'string' ? (parseInstant(time) ?? null) : time)
      }
    }
    return times
  }

  #byStream<Place extends Candidate>(places: readonly Place[]): Map<RecordRows, Place[]> {
    return Map.groupBy(places, ({ feed }) => this.#feeds[feed]!.rows)
  }
}

const numbers = (places: readonly Candidate[]): string => JSON.stringify(places.map(({ id }) => id))
