import { hash } from 'node:crypto'
import type { ReadScope } from '../../../grants/read-scope.ts'
import { RecentCache } from '../../../lib/caches/recent-cache.ts'
import type { RequestSignal } from '../../../lib/request-signal.ts'
import { touchesSql } from '../../records/change-mask.ts'
import { joinConditions } from '../../records/conditions.ts'
import type { ReadPool } from '../engine/read-pool.ts'
import { MAX_INLINE_ROWS } from '../engine/read-task.ts'
import type { Feed } from './feeds.ts'
import type { RecordRows } from './record-rows.ts'
import { recordConditions, tombstoneConditions } from './scope-sql.ts'

/** Max. entries (feeds times grants), of some hundred bytes each. */
const MAX_CACHED = 5_000

/** Versions of a feed: after the one, and up to the other. */
interface ChangeRange {
  readonly feed: number
  readonly after: number
  readonly until: number
}

interface Known {
  /** The version of the feed up to which changes were read. */
  readonly version: number
  readonly at: number | undefined
}

/**
 * When a feed last changed as seen by a scope. The time of the very last change would reveal writes that the grant
 * hides. Each call reads only the changes since the previous call, so each grant reads a hidden change once.
 */
export class LastChanges {
  readonly #pool: ReadPool | undefined
  readonly #known = new RecentCache<string, Known>(MAX_CACHED)

  constructor(pool: ReadPool | undefined) {
    this.#pool = pool
  }

  async at(rows: RecordRows, feed: Feed, signal?: RequestSignal): Promise<number | undefined> {
    return (await this.all(rows, [feed], signal))[0]
  }

  /** The same for several feeds, with one statement, because the first search under a grant asks for all its feeds. */
  async all(rows: RecordRows, feeds: readonly Feed[], signal?: RequestSignal): Promise<(number | undefined)[]> {
    // Only the owner sees every field, and therefore every write.
    if (rows.scope.usable === 'all') return feeds.map(({ capturedAt }) => capturedAt)
    const scopeName = nameOf(rows.scope)
    const known = feeds.map(({ feed }) => this.#known.get(`${feed} ${scopeName}`))
    const isNew = (feed: Feed, at: number) => known[at]?.version !== feed.version
    const ranges = feeds.flatMap((feed, at) => (isNew(feed, at) ? [unreadRange(feed, known[at])] : []))
    const found = ranges.length === 0 ? [] : newestChanges(rows, ranges)
    const read = new Map(ranges.map((range, at) => [range.feed, { range, at: found[at] }]))
    const times: (number | undefined)[] = []
    for (const [at, { feed, version }] of feeds.entries()) {
      const now = read.get(feed)
      const time = now ? (now.at ?? (await this.#older(rows, now.range, known[at], signal))) : undefined
      times.push(time ?? known[at]?.at)
      if (now) this.#known.set(`${feed} ${scopeName}`, { version, at: times[at] })
    }
    return times
  }

  /** Looks through the changes before the range, of which there may be many. */
  async #older(
    rows: RecordRows,
    { feed, after: until }: ChangeRange,
    known: Known | undefined,
    signal: RequestSignal | undefined,
  ): Promise<number | undefined> {
    const after = known?.version ?? 0
    if (until === after) return
    if (!this.#pool) return lastChange(rows, feed, after, until)
    return this.#pool.run({ kind: 'last_change', scope: rows.scope, feed, after, until }, signal)
  }
}

/** The newest changes of a feed that were not read yet. They are few enough to be read in the event loop. */
const unreadRange = ({ feed, version }: Feed, known: Known | undefined): ChangeRange => ({
  ...{ feed, after: Math.max(known?.version ?? 0, version - MAX_INLINE_ROWS), until: version },
})

const nameOf = ({ usable, time, resources }: ReadScope): string =>
  hash('sha256', JSON.stringify([usable, time ?? null, resources ?? null]), 'base64url')

/** The time of the newest change in (after, until] that the scope sees: to a visible record, or of one that left. */
export const lastChange = (rows: RecordRows, feed: number, after: number, until: number): number | undefined =>
  newestChanges(rows, [{ feed, after, until }])[0]

/** The same for each of some ranges. */
function newestChanges(rows: RecordRows, ranges: readonly ChangeRange[]): (number | undefined)[] {
  const { layout, table } = rows.table
  const { scope } = rows
  const visible = joinConditions(recordConditions(scope, layout))
  const wasVisible = joinConditions(tombstoneConditions(scope, 'g'))
  const within = (alias: string) =>
    `${alias}.feed = f.value->>0 and ${alias}.version > f.value->>1 and ${alias}.version <= f.value->>2`
  const changed = `select json_array(l.version, l.emitted_at) from change l join ${table} r on r.id = l.record
    where ${within('l')} and l.deleted = 0 and ${touchesSql(layout, scope.usable, 'l')} and ${visible.sql}
    order by l.version desc limit 1`
  const left = `select json_array(g.version, g.at) from tombstone g indexed by tombstone_version
    where ${within('g')} and ${wasVisible.sql} order by g.version desc limit 1`
  const list = JSON.stringify(ranges.map(({ feed, after, until }) => [feed, after, until]))
  const sql = `select f.key, (${changed}), (${left}) from json_each(?) f`
  const values = [...visible.values, ...wasVisible.values, list]
  const times: (number | undefined)[] = []
  for (const [at, ...changes] of rows.handle.tuples<[number, string | null, string | null]>(sql, ...values))
    times[at] = newest(changes)
  return times
}

function newest(changes: readonly (string | null)[]): number | undefined {
  const found = changes.flatMap((change) => (change === null ? [] : [JSON.parse(change) as [number, number]]))
  return found.sort(([a], [b]) => b - a)[0]?.[1]
}
