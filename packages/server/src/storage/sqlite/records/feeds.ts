import { PdppError } from '@pdpp/protocol/reading'
import type { ReadScope } from '../../../grants/read-scope.ts'
import { storedJson } from '../../../lib/stored-json.ts'
import type { FeedKey } from '../../../records/record-store.ts'
import type { Layout } from '../../records/layout.ts'
import { type Feed, type FeedRow, feedFromRow } from '../../rows/feed-row.ts'
import { editionSpec } from '../../words/edition.ts'
import type { Handle } from '../engine/database.ts'
import { readDeclaration } from '../sources/declaration-reader.ts'
import { createEdition } from '../words/edition.ts'
import { tableName } from './stream-table.ts'

export type { Feed } from '../../rows/feed-row.ts'

export interface StreamTable {
  readonly streamNo: number
  readonly table: string
  readonly layout: Layout
}

export function streamTable(
  handle: Handle,
  subjectId: string,
  connectorKey: string,
  stream: string,
): StreamTable | undefined {
  return handle.cachedUntilWrite(JSON.stringify(['stream', subjectId, connectorKey, stream]), () =>
    findStream(handle, subjectId, connectorKey, stream),
  )
}

function findStream(handle: Handle, subjectId: string, connectorKey: string, stream: string): StreamTable | undefined {
  const sql = 'select stream_no, revision from stream where subject_id = ? and connector_key = ? and name = ?'
  const row = handle.get<{ stream_no: number; revision: number }>(sql, subjectId, connectorKey, stream)
  return row && tableOf(handle, row.stream_no, row.revision)
}

const tableOf = (handle: Handle, streamNo: number, revision: number): StreamTable =>
  handle.cachedForever(`stream ${streamNo} ${revision}`, () => {
    const { layout } = handle.get<{ layout: string }>('select layout from stream where stream_no = ?', streamNo)!
    return { streamNo, table: tableName(streamNo), layout: storedJson<Layout>(layout) }
  })

/** The table of each scope, in the same order, with one statement. */
export function streamTables(handle: Handle, scopes: readonly ReadScope[]): (StreamTable | undefined)[] {
  const sql = `select t.key, s.stream_no, s.revision from json_each(?) t cross join stream s
    on s.subject_id = t.value->>0 and s.connector_key = t.value->>1 and s.name = t.value->>2`
  const names = scopes.map(({ subjectId, connectorKey, stream }) => [subjectId, connectorKey, stream.name])
  const tables: (StreamTable | undefined)[] = scopes.map(() => undefined)
  for (const [at, streamNo, revision] of handle.tuples<[number, number, number]>(sql, JSON.stringify(names)))
    tables[at] = tableOf(handle, streamNo, revision)
  return tables
}

/** The feeds that a scope may read. A connection has no feed before its first record. */
export function feedsInScope(handle: Handle, scope: ReadScope, table: StreamTable): readonly Feed[] {
  const connections = JSON.stringify(scope.connections)
  return handle.cachedUntilWrite(`feeds ${table.streamNo} ${connections}`, () => {
    const sql = `select feed, connection_id, version, record_count, captured_at, attempted_at from feed
      where stream_no = ? and erased = 0 and connection_id in (select value from json_each(?)) order by feed`
    return handle.all<FeedRow>(sql, table.streamNo, connections).map(feedFromRow)
  })
}

/** The feeds of each scope, in the same order, with one statement. `tables` has the table of each scope. */
export function feedsInScopes(
  handle: Handle,
  scopes: readonly ReadScope[],
  tables: readonly (StreamTable | undefined)[],
): readonly (readonly Feed[])[] {
  const sql = `with t as materialized (select key, value->>0 stream_no, value->1 connections from json_each(?))
    select t.key target, f.feed, f.connection_id, f.version, f.record_count, f.captured_at, f.attempted_at
    from t cross join json_each(t.connections) c cross join feed f indexed by feed_of
    on f.stream_no = t.stream_no and f.connection_id = c.value and f.erased = 0 order by f.feed`
  const named = scopes.map(({ connections }, at) => [tables[at]?.streamNo ?? null, [...new Set(connections)]])
  const feeds: Feed[][] = scopes.map(() => [])
  for (const row of handle.all<FeedRow & { target: number }>(sql, JSON.stringify(named)))
    feeds[row.target]!.push(feedFromRow(row))
  return feeds
}

/** The feed of a target. Creates it with an edition of the word index if it is new. */
export function openFeed(handle: Handle, target: FeedKey, table: StreamTable): Feed {
  const found = findFeed(handle, target, table)
  if (handle.get('select 1 from word_edition where feed = ?', found.feed)) return found
  const declaration = readDeclaration(handle, target.subjectId, target.connectorKey)
  const stream = declaration?.streams.find(({ name }) => name === target.stream)
  const { feed, recordCount } = found
  if (stream)
    createEdition(handle, { feed, subjectId: target.subjectId, isEmpty: recordCount === 0 }, editionSpec(stream))
  return found
}

function findFeed(handle: Handle, target: FeedKey, table: StreamTable): Feed {
  // The connection may have been removed since it was looked up. A record without a connection would be lost.
  const known = 'select 1 from connection where subject_id = ? and connection_id = ?'
  if (!handle.get(known, target.subjectId, target.connectionId))
    throw new PdppError('connection_not_found', `The connection "${target.connectionId}" was removed.`)
  const sql = `insert into feed (subject_id, connection_id, stream_no) values (?, ?, ?)
    on conflict (stream_no, connection_id) where erased = 0 do update set stream_no = excluded.stream_no
    returning feed, connection_id, version, record_count, captured_at, attempted_at`
  return feedFromRow(handle.get<FeedRow>(sql, target.subjectId, target.connectionId, table.streamNo)!)
}
