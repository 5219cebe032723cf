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
    const { scope } = rows
    // Only the owner sees every field, and therefore every write.
    if (scope.usable === 'all') return feed.capturedAt
    const name = nameOf(scope, feed)
    const known = this.#known.get(name)
    if (known?.version === feed.version) return known.at
    const at = (await this.#search(rows, feed, known?.version ?? 0, signal)) ?? known?.at
    this.#known.set(name, { version: feed.version, at })
    return at
  }

  async #search(
    rows: RecordRows,
    feed: Feed,
    after: number,
    signal: RequestSignal | undefined,
  ): Promise<number | undefined> {
    const newest = Math.max(after, feed.version - MAX_INLINE_ROWS)
    const found = lastChange(rows, feed.feed, newest, feed.version)
    if (found !== undefined || newest === after) return found
    if (!this.#pool) return lastChange(rows, feed.feed, after, newest)
    const { scope } = rows
    return this.#pool.run({ kind: 'last_change', scope, feed: feed.feed, after, until: newest }, signal)
  }
}

function nameOf({ usable, time, resources }: ReadScope, { feed }: Feed): string {
  return hash('sha256', JSON.stringify([feed, usable, time ?? null, resources ?? null]), 'base64url')
}

/** The time of the newest change in (after, until] that the scope sees: to a visible record, or of one that left. */
export function lastChange(rows: RecordRows, feed: number, after: number, until: number): number | undefined {
  const { layout, table } = rows.table
  const { scope } = rows
  const visible = joinConditions(recordConditions(scope, layout))
  const wasVisible = joinConditions(tombstoneConditions(scope, 'g'))
  const changed = `select l.version, l.emitted_at at from change l join ${table} r on r.id = l.record
    where l.feed = ? and l.version > ? and l.version <= ? and l.deleted = 0
      and ${touchesSql(layout, scope.usable, 'l')} and ${visible.sql} order by l.version desc limit 1`
  const left = `select g.version, g.at from tombstone g indexed by tombstone_version
    where g.feed = ? and g.version > ? and g.version <= ? and ${wasVisible.sql} order by g.version desc limit 1`
  const range = [feed, after, until]
  const found = [
    rows.handle.get<{ version: number; at: number }>(changed, ...range, ...visible.values),
    rows.handle.get<{ version: number; at: number }>(left, ...range, ...wasVisible.values),
  ].filter((change) => change !== undefined)
  return found.sort((a, b) => b.version - a.version)[0]?.at
}
