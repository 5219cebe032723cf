import { storedTexts } from '../../../lib/stored-json.ts'
import type { ScannedRecord } from '../../../search/evidence/hit-evidence.ts'
import type { RankedPage } from '../../../search/ranking/rank-matches.ts'
import type { FoundRecord, NeighbourPlace, ShownNeighbour } from '../../../search/search-store.ts'
import { joinConditions } from '../../records/conditions.ts'
import { LargeHits } from '../../words/large-hits.ts'
import { type RankedHit, ShownHits } from '../../words/shown-hits.ts'
import type { Handle } from '../engine/database.ts'
import type { ListedRow } from '../records/record-rows.ts'
import { keptPlans } from './plans/kept-plans.ts'
import { grantLimits, type SearchedFeed } from './searched-feeds.ts'

/** Reads the records of a page of hits, and the parts of them that are shown. */
export class HitReader {
  readonly #handle: Handle
  readonly #shown: ShownHits
  #names: ReadonlyMap<string, string | undefined> = new Map()
  readonly #large = new LargeHits()

  constructor(handle: Handle, ranked: RankedPage, highlight: boolean) {
    this.#handle = handle
    this.#shown = new ShownHits(ranked, highlight)
  }

  read(hits: readonly RankedHit[], feeds: readonly SearchedFeed[]): FoundRecord[] {
    const byEdition = new Map(feeds.map((feed) => [feed.edition.edition, feed]))
    const rows = this.#rows([...hits, ...hits.flatMap(({ neighbour }) => neighbour ?? [])], byEdition)
    const shown = hits.map(({ edition }) => byEdition.get(edition)!)
    this.#names = connectionNames(this.#handle, shown)
    return hits.flatMap((hit, at) => {
      const row = rows.get(hit)
      const feed = byEdition.get(hit.edition)!
      return row ? [this.#found(hit, feed, row, at === 0, this.#neighbour(feed, hit, rows))] : []
    })
  }

  /**
   * Reads with one statement per stream, because many small statements cost more than the rows. Applies the grant's
   * limits again.
   */
  #rows(hits: readonly NeighbourPlace[], feeds: ReadonlyMap<number, SearchedFeed>): Map<NeighbourPlace, ListedRow> {
    const found = new Map<NeighbourPlace, ListedRow>()
    for (const [rows, chosen] of Map.groupBy(hits, ({ edition }) => feeds.get(edition)!.rows)) {
      const limits = joinConditions(grantLimits(feeds.get(chosen[0]!.edition)!))
      // Without an index, SQLite finds the row by its number. With an index of the feed it would read the index from
      // end to end.
      const { columns, values } = rows.projected
      const sql = `select ${columns} from ${rows.table.table} r not indexed
        where r.id in (select value from json_each(?)) and ${limits.sql}`
      const numbers = JSON.stringify(chosen.map(({ number }) => number))
      const list = this.#handle.all<ListedRow & Record<string, unknown>>(sql, ...values, numbers, ...limits.values)
      const byNumber = new Map(list.map((row) => [row.id, row]))
      for (const hit of chosen) {
        const row = byNumber.get(hit.number)
        if (row?.feed === hit.feed) found.set(hit, row)
      }
    }
    return found
  }

  #found(
    hit: RankedHit,
    feed: SearchedFeed,
    row: ListedRow,
    isFirst: boolean,
    context: ShownNeighbour | undefined,
  ): FoundRecord {
    const { target, rows } = feed
    const place = { target, connectionId: rows.connectionOf(row.feed), key: row.key, emittedAt: rows.emittedAt(row) }
    return this.#shown.found(hit, place, this.#scanned(feed, row), isFirst, context)
  }

  /** The neighbour is in the same feed as the hit. Its row is subject to the limits of the grant, like any other. */
  #neighbour(
    feed: SearchedFeed,
    { neighbour }: RankedHit,
    rows: ReadonlyMap<NeighbourPlace, ListedRow>,
  ): ShownNeighbour | undefined {
    const row = neighbour && rows.get(neighbour)
    return row && this.#shown.neighbour(row, this.#scanned(feed, row))
  }

  #scanned({ stream, rows }: SearchedFeed, row: ListedRow): ScannedRecord {
    const connectionName = this.#names.get(rows.connectionOf(row.feed))
    const data = storedTexts(row.data ?? this.#read(rows, row.id))
    const members = rows.members(row, data)
    const shown = row.data !== null || this.#large.shows(members) ? { data, members } : { data: {}, members: {} }
    return this.#shown.scan(stream, { ...shown, connectionName })
  }

  /** Reads large records one at a time, because several of them would not fit into memory. */
  #read({ table: { table }, scope }: SearchedFeed['rows'], id: number): string {
    // If nothing is hidden, the record is large by what it shows.
    if (this.#large.isFull && scope.projection === 'all') return '{}'
    return this.#handle.column<string>(`select data from ${table} where id = ?`, id)[0] ?? '{}'
  }
}

/** The names of the feeds' connections. Reads those that are not known with one statement. */
function connectionNames(handle: Handle, feeds: readonly SearchedFeed[]): ReadonlyMap<string, string | undefined> {
  const subjectId = feeds[0]?.stream.scope.subjectId
  if (subjectId === undefined) return new Map()
  const { connectionNames } = keptPlans(handle)
  const known = connectionNames.get(subjectId) ?? new Map<string, string | undefined>()
  connectionNames.set(subjectId, known)
  const missing = new Set(feeds.map(({ feed }) => feed.connectionId).filter((id) => !known.has(id)))
  if (missing.size === 0) return known
  for (const id of missing) known.set(id, undefined)
  const sql = `select connection_id, display_name from connection
    where subject_id = ? and connection_id in (select value from json_each(?))`
  const rows = handle.tuples<[string, string | null]>(sql, subjectId, JSON.stringify([...missing]))
  for (const [id, displayName] of rows) known.set(id, displayName ?? undefined)
  return known
}
