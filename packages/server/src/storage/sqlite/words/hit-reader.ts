import { storedJson } from '../../../lib/stored-json.ts'
import { type EvidenceExcerpt, evidenceOf } from '../../../search/evidence/evidence.ts'
import { labelOf } from '../../../search/evidence/label.ts'
import { MatchFinder } from '../../../search/evidence/match-finder.ts'
import { EXCERPT_SIZES } from '../../../search/hits/hit-size.ts'
import type { RankedPage } from '../../../search/ranking/rank-matches.ts'
import { tierOf } from '../../../search/ranking/tier.ts'
import type { WeighedWord } from '../../../search/ranking/weighed-words.ts'
import type { FoundRecord } from '../../../search/search-store.ts'
import { joinConditions } from '../../records/conditions.ts'
import type { Handle } from '../engine/database.ts'
import type { ListedRow } from '../records/record-rows.ts'
import { grantLimits, type SearchedFeed } from './searched-feeds.ts'

type RankedHit = RankedPage['found'][number]

/** Max. bytes of large records that one search reads. What comes after them is shown without excerpts. */
const MAX_LARGE_READ = 256 * 1024 * 1024

/** Reads the records of a page and what is shown of them. */
export class HitReader {
  readonly #handle: Handle
  readonly #words: readonly WeighedWord[]
  readonly #finder: MatchFinder
  readonly #highlight: boolean
  #room = MAX_LARGE_READ

  constructor(handle: Handle, words: readonly WeighedWord[], highlight: boolean) {
    this.#handle = handle
    this.#words = words
    this.#finder = new MatchFinder(words)
    this.#highlight = highlight
  }

  read(hits: readonly RankedHit[], feeds: readonly SearchedFeed[]): FoundRecord[] {
    const byEdition = new Map(feeds.map((feed) => [feed.edition.edition, feed]))
    const rows = this.#rows(hits, byEdition)
    return hits.flatMap((hit, at) => {
      const row = rows.get(hit)
      return row ? [this.#found(hit, byEdition.get(hit.edition)!, row, at === 0)] : []
    })
  }

  /** One statement for each stream, because many small ones cost more than the rows. The grant's limits hold here too. */
  #rows(hits: readonly RankedHit[], feeds: ReadonlyMap<number, SearchedFeed>): Map<RankedHit, ListedRow> {
    const found = new Map<RankedHit, ListedRow>()
    for (const [rows, chosen] of Map.groupBy(hits, ({ edition }) => feeds.get(edition)!.rows)) {
      const limits = joinConditions(grantLimits(feeds.get(chosen[0]!.edition)!))
      // Without indexes it is read by number; an index of the feed would be walked from end to end.
      const sql = `select ${rows.listed} from ${rows.table.table} r not indexed
        where r.id in (select value from json_each(?)) and ${limits.sql}`
      const numbers = JSON.stringify(chosen.map(({ number }) => number))
      const list = this.#handle.all<ListedRow & Record<string, unknown>>(sql, numbers, ...limits.values)
      const byNumber = new Map(list.map((row) => [row.id, row]))
      for (const hit of chosen) {
        const row = byNumber.get(hit.number)
        if (row?.feed === hit.feed) found.set(hit, row)
      }
    }
    return found
  }

  #found(hit: RankedHit, { target, stream, rows }: SearchedFeed, row: ListedRow, isFirst: boolean): FoundRecord {
    const data = storedJson<Record<string, unknown>>(row.data ?? this.#large(rows.table.table, row.id))
    const members = rows.members(row, data)
    const { scope, fields } = stream
    const connectionId = rows.connectionOf(row.feed)
    const scanned = fields.map((path) => {
      const text = typeof data[path] === 'string' ? data[path] : ''
      return { path, text, scan: this.#finder.scan(text) }
    })
    const excerpts = (size: keyof typeof EXCERPT_SIZES): readonly EvidenceExcerpt[] => {
      const { chars, maxExcerpts } = EXCERPT_SIZES[size]
      return evidenceOf(scanned, this.#words, chars, this.#highlight).slice(0, maxExcerpts)
    }
    const { grains, time, feed, number, isHead, rank } = hit
    return {
      ...{ target, number, connectionId, key: row.key, emittedAt: rows.emittedAt(row) },
      tier: tierOf(
        this.#words,
        scanned.flatMap(({ scan }) => scan.hits),
      ),
      label: labelOf(scope, members, this.#nameOf(scope.subjectId, connectionId) ?? scope.connectorKey),
      excerpts: excerpts('full'),
      shortExcerpts: isFirst ? excerpts('small') : [],
      position: { grains, time, feed, number, isHead, rank },
    }
  }

  /** One at a time: several of them together would not fit into memory. */
  #large(table: string, id: number): string {
    if (this.#room <= 0) return '{}'
    const [data = '{}'] = this.#handle.column<string>(`select data from ${table} where id = ?`, id)
    this.#room -= data.length
    return data
  }

  #nameOf(subjectId: string, connectionId: string): string | undefined {
    return this.#handle.cachedUntilWrite(JSON.stringify(['connection name', subjectId, connectionId]), () => {
      const sql = 'select display_name from connection where subject_id = ? and connection_id = ?'
      return this.#handle.column<string | null>(sql, subjectId, connectionId)[0] ?? undefined
    })
  }
}
