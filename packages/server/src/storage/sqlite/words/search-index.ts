import { setImmediate as nextTurn } from 'node:timers/promises'
import { parseJson } from '@pdpp/protocol'
import { storedJson } from '../../../lib/stored-json.ts'
import { indexText } from '../../../search/analysis/analyser.ts'
import type { Handle } from '../engine/database.ts'
import { tableName } from '../records/layout.ts'
import { findLongTexts, forgetLongTexts, noteLongTexts } from './long-texts.ts'

const ROWS_PER_TURN = 500

/** The word index of one feed: our tokens, a column for each searched field, nothing else stored. */
export const indexTable = (feed: number): string => `f${feed}`
export const searchColumn = (position: number): string => `w${position}`

export interface FeedIndex {
  readonly feed: number
  readonly fields: readonly string[]
  /** False while it is being built. */
  readonly complete: boolean
}

export function feedIndex(handle: Handle, feed: number): FeedIndex | undefined {
  return handle.cachedUntilWrite(`index ${feed}`, () => {
    const sql = 'select fields, through from search_index where feed = ?'
    const row = handle.get<{ fields: string; through: number | null }>(sql, feed)
    return row && { feed, fields: storedJson<string[]>(row.fields), complete: row.through === null }
  })
}

/** A feed without records has a complete index from the start; otherwise it must be built. */
export function createIndex(handle: Handle, feed: number, fields: readonly string[], empty: boolean): void {
  if (fields.length === 0) return
  const columns = fields.map((_field, position) => searchColumn(position)).join(', ')
  handle.db.exec(
    `create virtual table ${indexTable(feed)} using fts5(${columns}, content='', contentless_delete=1, tokenize='ascii')`,
  )
  handle.run('insert into search_index values (?, ?, ?)', feed, JSON.stringify(fields), empty ? null : 0)
}

export function dropIndex(handle: Handle, feed: number): void {
  handle.db.exec(`drop table if exists ${indexTable(feed)}`)
  handle.run('delete from search_index where feed = ?', feed)
  forgetLongTexts(handle, feed)
}

export function indexRecord(
  handle: Handle,
  index: FeedIndex,
  number: number,
  members: Readonly<Record<string, unknown>>,
): void {
  const texts = index.fields.map((field) => (typeof members[field] === 'string' ? indexText(members[field]) : ''))
  if (texts.every((text) => text === '')) return
  const columns = texts.map((_text, position) => searchColumn(position))
  const sql = `insert into ${indexTable(index.feed)} (rowid, ${columns.join(', ')}) values (?, ${columns.map(() => '?').join(', ')})`
  handle.run(sql, number, ...texts)
  noteLongTexts(handle, index.feed, number, index.fields, members)
}

export function unindexRecord(handle: Handle, index: FeedIndex, number: number): void {
  handle.run(`delete from ${indexTable(index.feed)} where rowid = ?`, number)
  forgetLongTexts(handle, index.feed, number)
}

/**
 * Builds missing indexes, a slice per turn. Concurrent writes update records that are already indexed; records beyond
 * the slice come with the next one.
 */
export async function buildIndexes(handle: Handle): Promise<void> {
  const sql = `select i.feed, f.stream_no from search_index i join feed f using (feed) where i.through is not null and f.erased = 0`
  for (const { feed, stream_no: streamNo } of handle.all<{ feed: number; stream_no: number }>(sql)) {
    while (buildSlice(handle, feed, tableName(streamNo))) await nextTurn()
  }
  const unknown = `select u.feed, f.stream_no from search_cut_unknown u join feed f using (feed) where f.erased = 0`
  for (const { feed, stream_no: streamNo } of handle.all<{ feed: number; stream_no: number }>(unknown)) {
    const index = feedIndex(handle, feed)
    if (index) await findLongTexts(handle, feed, index.fields, tableName(streamNo))
  }
}

function buildSlice(handle: Handle, feed: number, table: string): boolean {
  return handle.transaction(() => {
    const index = feedIndex(handle, feed)
    if (!index || index.complete) return false
    const { through } = handle.get<{ through: number }>('select through from search_index where feed = ?', feed)!
    const rows = handle.all<{ id: number; data: string }>(
      `select id, data from ${table} where feed = ? and id > ? order by id limit ?`,
      feed,
      through,
      ROWS_PER_TURN,
    )
    for (const { id, data } of rows) {
      unindexRecord(handle, index, id)
      indexRecord(handle, index, id, parseJson(data) as Record<string, unknown>)
    }
    const done = rows.length < ROWS_PER_TURN
    handle.run('update search_index set through = ? where feed = ?', done ? null : rows.at(-1)!.id, feed)
    return !done
  })
}

/** Pages that are merged in one turn: some milliseconds. */
const MERGED_PAGES = 200

/**
 * Makes one piece of the many that a large import leaves behind, a few pages per turn: every search has to look into
 * each of them.
 */
export async function mergeIndex(handle: Handle, feed: number): Promise<void> {
  const table = indexTable(feed)
  const merge = (pages: number): number => {
    const before = changesOf(handle)
    handle.run(`insert into ${table} (${table}, rank) values ('merge', ?)`, pages)
    return changesOf(handle) - before
  }
  // Negative takes all pieces together, whatever their size; then it goes on until nothing is left to do.
  for (let changed = merge(-MERGED_PAGES); changed >= 2; changed = merge(MERGED_PAGES)) await nextTurn()
}

const changesOf = (handle: Handle): number => handle.get<{ n: number }>('select total_changes() n')!.n
