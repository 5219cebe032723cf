import { setImmediate as nextTurn } from 'node:timers/promises'
import { parseJson } from '@pdpp/protocol/reading'
import { ANALYSER } from '../../../search/analysis/analyser.ts'
import { type Edition, editionSpec, renewedSpec } from '../../words/edition.ts'
import type { Handle } from '../engine/database.ts'
import { tableName } from '../records/stream-table.ts'
import { readDeclaration } from '../sources/declaration-reader.ts'
import { createEdition, dropEdition, editionOf } from './edition.ts'
import { findLongTexts } from './long-texts.ts'
import { WordBatch } from './word-batch.ts'

/** Records and UTF-16 units of JSON that are indexed in one turn: some tens of milliseconds. */
const ROWS_PER_TURN = 500
const UNITS_PER_TURN = 1024 * 1024

interface FeedRow {
  feed: number
  stream_no: number
}

interface StoredRow {
  id: number
  data: string
}

/**
 * Builds incomplete editions, a slice per turn. After a crash it continues where it stopped. True if it stopped at
 * `until`, a time of `performance.now()`, before all was done.
 */
export async function buildEditions(handle: Handle, until = Infinity): Promise<boolean> {
  nameFields(handle)
  const building = `select e.feed, f.stream_no from word_edition e join feed f using (feed)
    where e.through is not null and f.erased = 0`
  for (const { feed, stream_no: streamNo } of handle.all<FeedRow>(building)) {
    let isLeft = true
    while (isLeft) {
      if (performance.now() >= until) return true
      isLeft = buildSlice(handle, feed, tableName(streamNo))
      if (isLeft) await nextTurn()
    }
  }
  await dropOldTables(handle)
  const unknown = `select u.feed, f.stream_no from search_cut_unknown u join feed f using (feed) where f.erased = 0`
  for (const { feed, stream_no: streamNo } of handle.all<FeedRow>(unknown)) {
    if (performance.now() >= until) return true
    const edition = editionOf(handle, feed)
    if (edition) await findLongTexts(handle, feed, edition.spec.fields, tableName(streamNo))
  }
  return false
}

/** True for editions `e` whose terms are of another version of the analyser. The first version stored no number. */
export const IS_OUTDATED = `case e.spec when '' then 0 else json_extract(e.spec, '$.analyser') is not ${ANALYSER} end`

/**
 * Builds editions of another version of the analyser anew, one after the other. Until its turn comes, the old edition
 * still answers. True if it stopped at `until` before all was done.
 */
export async function renewOutdated(handle: Handle, until = Infinity): Promise<boolean> {
  const sql = `select e.feed, e.spec, o.subject_id from word_edition e join feed f using (feed) join word_owner o using (owner)
    where f.erased = 0 and ${IS_OUTDATED}`
  for (const { feed } of handle.all<{ feed: number }>(sql)) {
    if (performance.now() >= until) return true
    handle.transaction(() => {
      const row = handle.get<{ spec: string; subject_id: string }>(`${sql} and e.feed = ?`, feed)
      if (!row) return
      dropEdition(handle, feed)
      createEdition(handle, { feed, subjectId: row.subject_id, isEmpty: false }, renewedSpec(row.spec))
    })
    if (await buildEditions(handle, until)) return true
  }
  return false
}

/** Editions that a migration created do not know their fields, so the declaration names them. */
function nameFields(handle: Handle): void {
  const sql = `select e.feed, s.subject_id, s.connector_key, s.name from word_edition e join feed f using (feed)
    join stream s using (stream_no) where e.spec = ''`
  const rows = handle.all<{ feed: number; subject_id: string; connector_key: string; name: string }>(sql)
  for (const { feed, subject_id: subjectId, connector_key: key, name } of rows) {
    const stream = readDeclaration(handle, subjectId, key)?.streams.find((candidate) => candidate.name === name)
    const spec = stream && editionSpec(stream)
    if (spec && spec.fields.length > 0)
      handle.run('update word_edition set spec = ? where feed = ?', JSON.stringify(spec), feed)
    else handle.run('delete from word_edition where feed = ?', feed)
  }
}

function buildSlice(handle: Handle, feed: number, table: string): boolean {
  return handle.transaction(() => {
    const edition = editionOf(handle, feed)
    if (!edition || edition.through === null) return false
    const { rows, units } = readSlice(handle, feed, table, edition.through)
    // With `through: null` the batch indexes the records of the slice now instead of leaving them for later.
    const batch = new WordBatch(handle, { ...edition, through: null })
    for (const { id, data } of rows) batch.add(id, parseJson(data) as Record<string, unknown>, true)
    batch.flush()
    const isDone = rows.length < ROWS_PER_TURN && units <= UNITS_PER_TURN
    setProgress(handle, edition, isDone ? null : rows.at(-1)!.id)
    return !isDone
  })
}

/** Reads the whole slice before the batch writes: SQLite cannot write while a statement of the connection reads. */
function readSlice(handle: Handle, feed: number, table: string, after: number): { rows: StoredRow[]; units: number } {
  const sql = `select id, data from ${table} where feed = ? and id > ? order by id limit ${ROWS_PER_TURN}`
  const rows: StoredRow[] = []
  let units = 0
  for (const row of handle.prepare(sql).iterate(feed, after) as Iterable<StoredRow>) {
    rows.push(row)
    units += row.data.length
    if (units > UNITS_PER_TURN) break
  }
  return { rows, units }
}

function setProgress(handle: Handle, { edition, owner }: Edition, through: number | null): void {
  handle.run('update word_edition set through = ? where edition = ?', through, edition)
  handle.run('update word_owner set epoch = epoch + 1 where owner = ?', owner)
}

/** Drops the word tables of older versions, one per turn. */
async function dropOldTables(handle: Handle): Promise<void> {
  for (const feed of handle.column<number>('select feed from old_word_table')) {
    handle.transaction(() => {
      handle.db.exec(`drop table if exists f${feed}`)
      handle.run('delete from old_word_table where feed = ?', feed)
    })
    await nextTurn()
  }
}
