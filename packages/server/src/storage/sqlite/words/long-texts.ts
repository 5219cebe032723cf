import { setImmediate as nextTurn } from 'node:timers/promises'
import { parseJson } from '@pdpp/protocol/reading'
import { INDEXED_UNITS } from '../../../search/analysis/analyser.ts'
import { searchedText } from '../../../search/analysis/searched-text.ts'
import type { Condition } from '../../records/conditions.ts'
import type { Handle } from '../engine/database.ts'

const RECORDS_PER_TURN = 20_000

/** By feed, the fields in which some record has more text than is indexed. Most feeds have no such field. */
export function fieldsWithLongTexts(handle: Handle, feeds: readonly number[]): Map<number, string[]> {
  const sql = 'select distinct feed, field from search_cut where feed in (select value from json_each(?))'
  const rows = handle.all<{ feed: number; field: string }>(sql, JSON.stringify(feeds))
  const fields = new Map<number, string[]>()
  for (const { feed, field } of rows) fields.set(feed, [...(fields.get(feed) ?? []), field])
  return fields
}

/** True if a record inside the limits has more text in this field than is indexed. */
export function hasLongTexts(handle: Handle, feed: number, field: string, table: string, limits: Condition): boolean {
  const sql = `select 1 from search_cut c join ${table} r on r.id = c.record
    where c.feed = ? and c.field = ? and ${limits.sql} limit 1`
  return handle.get(sql, feed, field, ...limits.values) !== undefined
}

export function noteLongTexts(
  handle: Handle,
  feed: number,
  record: number,
  fields: readonly string[],
  members: Readonly<Record<string, unknown>>,
): void {
  for (const field of fields) {
    if (searchedText(members[field]).length > INDEXED_UNITS)
      handle.run('insert or ignore into search_cut values (?, ?, ?)', feed, record, field)
  }
}

export function forgetLongTexts(handle: Handle, feed: number, record?: number): void {
  if (record !== undefined) {
    handle.run('delete from search_cut where feed = ? and record = ?', feed, record)
    return
  }
  handle.run('delete from search_cut where feed = ?', feed)
  handle.run('delete from search_cut_unknown where feed = ?', feed)
}

/** Finds the long texts of an index that an older version built, some records per turn. Parses only large records. */
export async function findLongTexts(
  handle: Handle,
  feed: number,
  fields: readonly string[],
  table: string,
): Promise<void> {
  const sql = `select id, data from ${table} where feed = ? and id > ? and id <= ? and length(data) > ${INDEXED_UNITS / 4}`
  while (true) {
    const done = handle.transaction(() => {
      const from = handle.column<number>('select through from search_cut_unknown where feed = ?', feed)[0]
      if (from === undefined) return true
      const next = handle.column<number>(
        `select id from ${table} where feed = ? and id > ? order by id limit 1 offset ?`,
        feed,
        from,
        RECORDS_PER_TURN,
      )[0]
      const to = next ?? Number.MAX_SAFE_INTEGER
      for (const { id, data } of handle.all<{ id: number; data: string }>(sql, feed, from, to))
        noteLongTexts(handle, feed, id, fields, parseJson(data) as Record<string, unknown>)
      if (next === undefined) handle.run('delete from search_cut_unknown where feed = ?', feed)
      else handle.run('update search_cut_unknown set through = ? where feed = ?', next, feed)
      return next === undefined
    })
    if (done) return
    await nextTurn()
  }
}
