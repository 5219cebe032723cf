import { storedTexts } from '../../../lib/stored-json.ts'
import type { ScannedRecord } from '../../../search/evidence/hit-evidence.ts'
import type { RankedPage } from '../../../search/ranking/rank-matches.ts'
import type { FoundRecord, NeighbourPlace } from '../../../search/search-store.ts'
import { LargeHits } from '../../words/large-hits.ts'
import { type RankedHit, ShownHits } from '../../words/shown-hits.ts'
import type { Session } from '../engine/session.ts'
import { LISTED_COLUMNS, type ListedRow } from '../records/record-rows.ts'
import { MARK, type OwnerState } from './search-plan.ts'
import type { SearchedFeed } from './searched-feeds.ts'

/** One row has the state, and all others are records. */
type StatedRow = ListedRow & { readonly mark: string | null }

/** Reads the records of a page of hits, and the parts of them that are shown. */
export class HitReader {
  readonly #session: Session
  readonly #subject: number
  readonly #shown: ShownHits
  readonly #large = new LargeHits()

  constructor(session: Session, subject: number, ranked: RankedPage, highlight: boolean) {
    this.#session = session
    this.#subject = subject
    this.#shown = new ShownHits(ranked, highlight)
  }

  /** Undefined if words, sources or feeds changed since the given state. */
  async read(
    hits: readonly RankedHit[],
    feeds: readonly SearchedFeed[],
    names: ReadonlyMap<string, string>,
    state: OwnerState,
  ): Promise<FoundRecord[] | undefined> {
    const byEdition = new Map(feeds.map((feed) => [feed.edition.edition, feed]))
    const places = [...hits, ...hits.flatMap(({ neighbour }) => neighbour ?? [])]
    const rows = await this.#rows(places, byEdition, state)
    if (!rows) return
    const found: FoundRecord[] = []
    for (const [at, hit] of hits.entries()) {
      const [row, feed] = [rows.get(hit), byEdition.get(hit.edition)!]
      if (!row) continue
      const scanned = await this.#scanned(feed, row, names)
      // The neighbour is in the same feed as the hit.
      const near = hit.neighbour && rows.get(hit.neighbour)
      const context = near && this.#shown.neighbour(near, await this.#scanned(feed, near, names))
      const connectionId = feed.rows.connectionOf(row.feed)
      const place = { target: feed.target, connectionId, key: row.key, emittedAt: row.emitted_at }
      found.push(this.#shown.found(hit, place, scanned, at === 0, context))
    }
    return found
  }

  async #scanned(feed: SearchedFeed, row: ListedRow, names: ReadonlyMap<string, string>): Promise<ScannedRecord> {
    const { rows, stream } = feed
    const connectionName = names.get(rows.connectionOf(row.feed))
    const small = row.data ?? rows.brief(row)
    const data = storedTexts(small ?? (await this.#read(feed, row)))
    const members = rows.members(row, data)
    const shown = small !== undefined || this.#large.shows(members) ? { data, members } : { data: {}, members: {} }
    return this.#shown.scan(stream, { ...shown, connectionName })
  }

  /**
   * Reads all rows with one statement, which also returns the state at its moment. Applies the grant's limits again.
   */
  async #rows(
    hits: readonly NeighbourPlace[],
    feeds: ReadonlyMap<number, SearchedFeed>,
    state: OwnerState,
  ): Promise<Map<NeighbourPlace, ListedRow> | undefined> {
    const values: unknown[] = []
    const rowsOf = ({ edition }: NeighbourPlace) => feeds.get(edition)!.rows
    // Streams of the same shape share one part, because PostgreSQL plans each part separately.
    const parts = [...Map.groupBy(hits, (hit) => rowsOf(hit).shape).values()].map((chosen) => {
      const rows = rowsOf(chosen[0]!)
      const lists = [chosen.map(({ feed }) => feed), chosen.map(({ number }) => number)]
      values.push(...lists, this.#subject, ...rows.limits.values)
      return `union all (select null, ${rows.columns} from unnest(?::bigint[], ?::bigint[]) x(feed, id)
        join record r on r.subject = ? and r.feed = x.feed and r.id = x.id where ${rows.limits.sql})`
    })
    const empty = parts.length === 0 ? '' : `, ${LISTED_COLUMNS.map((name) => `null "${name}"`).join()}`
    const sql = `select ${MARK} mark${empty} from owner o join word_owner w using (subject) where o.subject = ?
      ${parts.join(' ')}`
    const list = await this.#session.all<StatedRow>(sql, [...state.feeds.keys()], this.#subject, ...values)
    if (list.find(({ mark }) => mark !== null)?.mark !== state.mark) return
    const byNumber = new Map(list.map((row) => [`${row.feed} ${row.id}`, row]))
    return new Map(
      hits.flatMap((hit) => {
        const row = byNumber.get(`${hit.feed} ${hit.number}`)
        return row ? [[hit, row] as const] : []
      }),
    )
  }

  /** Reads large records one at a time, because several of them would not fit into memory. */
  async #read({ rows }: SearchedFeed, row: ListedRow): Promise<string> {
    // If nothing is hidden, the record is large by what it shows.
    return this.#large.isFull && rows.scope.projection === 'all' ? '{}' : rows.large(row)
  }
}
