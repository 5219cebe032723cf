import { parseInstant } from '@pdpp/protocol'
import type { Candidate } from '../../search/candidates.ts'
import type { Handle } from './database.ts'
import { fieldOf } from './layout.ts'
import { authoredField, type RankableRow, rankable } from './rankable.ts'
import type { RecordRow, RecordRows } from './record-rows.ts'
import { joinConditions } from './scope-sql.ts'
import type { SearchedFeed } from './searched-feed.ts'

/** Single records out of many feeds: one statement for each stream, because many small ones cost more than the rows. */
export class ChosenRows {
  readonly #handle: Handle
  readonly #feeds: readonly SearchedFeed[]

  constructor(handle: Handle, feeds: readonly SearchedFeed[]) {
    this.#handle = handle
    this.#feeds = feeds
  }

  /** Those that are still in scope: others were served meanwhile, and one of them may have changed a record. */
  documents<Place extends Candidate>(places: readonly Place[]): Map<Place, RankableRow> {
    const documents = new Map<Place, RankableRow>()
    for (const [rows, chosen] of this.#byStream(places)) {
      const limits = joinConditions(this.#feeds[chosen[0]!.feed]!.limits)
      // Without indexes it is read by number; an index of the feed would be walked from end to end.
      const sql = `select ${rows.columns} from ${rows.table.table} r not indexed
        where r.id in (select value from json_each(?)) and ${limits.sql}`
      const found = this.#handle.all<RecordRow>(sql, numbers(chosen), ...limits.values)
      const byNumber = new Map(found.map((row) => [row.id, row]))
      for (const place of chosen) {
        const row = byNumber.get(place.id)
        const feed = this.#feeds[place.feed]!
        if (row?.feed === feed.number) documents.set(place, rankable(feed.target, feed.fields, rows, row))
      }
    }
    return documents
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
