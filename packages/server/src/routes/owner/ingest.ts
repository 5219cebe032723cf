import { PdppError } from '@pdpp/protocol'
import type { Handler } from 'hono'
import type { Context } from '../../context.ts'
import type { FeedKey } from '../../records/record-store.ts'
import type { HttpEnvironment } from '../environment.ts'
import { Query } from '../request/query.ts'
import { toWireIngest } from './ingest-wire.ts'

const TARGET = ['connector_id', 'connection_id']

/** POST /v1/ingest/{stream}: imports NDJSON records while the body arrives. */
export function ingestRecords(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const query = new Query(c.req.url, [...TARGET, 'run_id'])
    const target = await writeTarget(context, c.get('authority').subjectId, c.req.param('stream')!, query)
    const importId = await context.imports.clientSide.find(target.subjectId, query.text('run_id'))
    const body = (c.req.raw.body ?? []) as AsyncIterable<Uint8Array>
    return c.json(toWireIngest(await context.ingest.ingest(target, body, { importId })))
  }
}

/** DELETE /v1/streams/{stream}/records/{id} */
export function deleteRecord(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const query = new Query(c.req.url, TARGET)
    const { subjectId } = c.get('authority')
    const scope = await context.records.scope(
      { kind: 'owner', subjectId },
      {
        stream: c.req.param('stream')!,
        connectionId: query.connectionId,
        connectorKey: query.text('connector_id'),
      },
    )
    const record = await context.records.find(scope, c.req.param('id')!)
    const target = {
      subjectId: scope.subjectId,
      connectorKey: scope.connectorKey,
      connectionId: record.connectionId,
      stream: scope.stream.name,
    }
    await context.storage.writer.write(target, [{ key: record.key, emittedAt: Date.now(), data: undefined }])
    return c.body(null, 204)
  }
}

/** DELETE /v1/streams/{stream}/records: deletes every record of the stream in one connection. */
export function deleteStream(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const query = new Query(c.req.url, TARGET)
    const target = await writeTarget(context, c.get('authority').subjectId, c.req.param('stream')!, query, false)
    return c.json({
      object: 'deleted',
      stream: target.stream,
      connection_id: target.connectionId,
      records_deleted: await context.storage.writer.wipe(target),
    })
  }
}

/** The stream and connection that a write goes to. If the source has no connection yet, `mayCreate` creates one. */
export async function writeTarget(
  context: Context,
  subjectId: string,
  stream: string,
  query: Query,
  mayCreate = true,
): Promise<FeedKey> {
  const connectionId = query.connectionId
  const connector =
    query.text('connector_id') ?? (connectionId === undefined ? query.required('connector_id') : undefined)
  const connectorKey =
    connector === undefined
      ? (await context.connections.require(subjectId, connectionId!)).connectorKey
      : (await context.sources.requireDeclaration(subjectId, connector)).connector_key
  await context.sources.requireStream(subjectId, connectorKey, stream)
  const { connections } = context
  const connection = mayCreate
    ? await connections.forWrite(subjectId, connectorKey, connectionId)
    : await connections.choose(subjectId, connectorKey, connectionId)
  if (!connection)
    throw new PdppError('connection_not_found', 'This source has no connection.', { param: 'connection_id' })
  return { subjectId, connectorKey, connectionId: connection.connectionId, stream }
}
