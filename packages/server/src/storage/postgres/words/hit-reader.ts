import { storedJson } from '../../../lib/stored-json.ts'
import type { FoundRecord } from '../../../search/search-store.ts'
import { type RankedHit, ShownHits } from '../../words/shown-hits.ts'
import type { Session } from '../engine/session.ts'
import type { ListedRow } from '../records/record-rows.ts'
import type { SearchedFeed } from './searched-feeds.ts'

/** Max. bytes of large records that one search reads. What comes after them is shown without excerpts. */
const MAX_LARGE_READ = 256 * 1024 * 1024

/** Reads the records of a page and what is shown of them. */
export class HitReader {
  readonly #session: Session
  readonly #subject: number
  readonly #shown: ShownHits
  #room = MAX_LARGE_READ

  constructor(session: Session, subject: number, ...shown: ConstructorParameters<typeof ShownHits>) {
    this.#session = session
    this.#subject = subject
    this.#shown = new ShownHits(...shown)
  }

  async read(hits: readonly RankedHit[], feeds: readonly SearchedFeed[]): Promise<FoundRecord[]> {
    const byEdition = new Map(feeds.map((feed) => [feed.edition.edition, feed]))
    const rows = await this.#rows(hits, byEdition)
    const names = await this.#names(feeds)
    const found: FoundRecord[] = []
    for (const [at, hit] of hits.entries()) {
      const [row, feed] = [rows.get(hit), byEdition.get(hit.edition)!]
      if (!row) continue
      const data = storedJson<Record<string, unknown>>(row.data ?? (await this.#large(feed, row)))
      const connectionId = feed.rows.connectionOf(row.feed)
      const record = {
        data,
        members: feed.rows.members(row, data),
        connectionId,
        key: row.key,
        emittedAt: row.emitted_at,
      }
      found.push(this.#shown.found(hit, { ...feed, name: names.get(connectionId) }, record, at === 0))
    }
    return found
  }

  /** One statement for each stream. The grant's limits hold here too. */
  async #rows(
    hits: readonly RankedHit[],
    feeds: ReadonlyMap<number, SearchedFeed>,
  ): Promise<Map<RankedHit, ListedRow>> {
    const found = new Map<RankedHit, ListedRow>()
    for (const [rows, chosen] of Map.groupBy(hits, ({ edition }) => feeds.get(edition)!.rows)) {
      const sql = `select ${rows.columns} from unnest(?::bigint[], ?::bigint[]) x(feed, id)
        join record r on r.subject = ? and r.feed = x.feed and r.id = x.id where ${rows.limits.sql}`
      const lists = [chosen.map(({ feed }) => feed), chosen.map(({ number }) => number)]
      const list = await this.#session.all<ListedRow>(sql, ...lists, this.#subject, ...rows.limits.values)
      const byNumber = new Map(list.map((row) => [`${row.feed} ${row.id}`, row]))
      for (const hit of chosen) {
        const row = byNumber.get(`${hit.feed} ${hit.number}`)
        if (row) found.set(hit, row)
      }
    }
    return found
  }

  /** One at a time: several of them together would not fit into memory. */
  async #large({ rows }: SearchedFeed, row: ListedRow): Promise<string> {
    if (this.#room <= 0) return '{}'
    const data = await rows.large(row)
    this.#room -= data.length
    return data
  }

  async #names(feeds: readonly SearchedFeed[]): Promise<Map<string, string>> {
    const sql = `select connection_id, display_name from connection
      where subject = ? and connection_id = any(?::text[]) and display_name is not null`
    const ids = [...new Set(feeds.map(({ feed }) => feed.connectionId))]
    const rows = await this.#session.all<{ connection_id: string; display_name: string }>(sql, this.#subject, ids)
    return new Map(rows.map((row) => [row.connection_id, row.display_name]))
  }
}
