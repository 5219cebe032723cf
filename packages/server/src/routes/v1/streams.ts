import type { Handler } from 'hono'
import type { Context } from '../../context.ts'
import type { StreamStatistics } from '../../records/record-store.ts'
import { fullStream, grantedField, memberGrant } from '../../schema/schema-document.ts'
import { freshness, totals } from '../../schema/schema-service.ts'
import type { HttpEnvironment } from '../environment.ts'
import { Query } from '../request/query.ts'
import { packageMeta, sendJson, withMeta } from '../response/json-response.ts'
import { allAuthorities, metadataAuthority } from './stream-read.ts'

/** GET /v1/streams: one row per stream and connection. */
export function listStreams(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const query = new Query(c.req.url, ['connection_id', 'connector_id'])
    const connectionId = query.connectionId
    const authorities = allAuthorities(c, query, connectionId)
    const sources = await context.schema.read(
      authorities,
      {
        connectionId,
        connectorKey: query.text('connector_id'),
      },
      c.get('signal'),
    )
    const data = sources.flatMap((source) =>
      source.streams.flatMap(({ declaration, statistics }) =>
        statistics.map((entry) => {
          const name = source.named.find(({ connectionId }) => connectionId === entry.connectionId)?.displayName
          return {
            object: 'stream',
            name: declaration.name,
            record_count: entry.count,
            ...spanOf(entry),
            last_updated: entry.capturedAt === undefined ? null : new Date(entry.capturedAt).toISOString(),
            freshness: freshness([entry]),
            connection_id: entry.connectionId,
            connector_key: source.declaration.connector_key,
            ...memberGrant(c.get('authority'), source.authority),
            ...(name === undefined ? {} : { display_name: name }),
          }
        }),
      ),
    )
    const meta = packageMeta(c.get('authority'), authorities.length)
    return sendJson(c, JSON.stringify(withMeta(query, { object: 'list', has_more: false, data }, meta)))
  }
}

function spanOf(entry: StreamStatistics) {
  const { span } = totals([entry])
  return span === undefined ? {} : { time_span: span }
}

/** GET /v1/streams/{stream} */
export function readStream(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const query = new Query(c.req.url, ['connection_id', 'connector_id'])
    const read = {
      stream: c.req.param('stream')!,
      connectionId: query.connectionId,
      connectorKey: query.text('connector_id'),
    }
    const authority = await metadataAuthority(context, c, read)
    const scope = await context.records.scope(authority, read)
    const statistics = await context.storage.records.statistics(scope, c.get('signal'))
    const body = fullStream({ declaration: scope.stream, scope, statistics }, grantedField(authority))
    return sendJson(c, JSON.stringify(withMeta(query, { ...body, connector_key: scope.connectorKey })))
  }
}

/** GET /v1/connectors */
export function listConnectors(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const query = new Query(c.req.url, [])
    const authorities = allAuthorities(c, query, undefined)
    const sources = await context.schema.read(authorities, {}, c.get('signal'))
    const data = sources.map(({ authority, declaration, streams }) => ({
      object: 'connector',
      ...memberGrant(c.get('authority'), authority),
      connector_key: declaration.connector_key,
      connector_id: declaration.connector_key,
      display_name: declaration.display.name,
      source: declaration.source,
      sensitivity: declaration.sensitivity,
      declaration_version: declaration.declaration_version,
      connection_count: new Set(streams.flatMap(({ scope }) => scope.connections)).size,
      stream_count: streams.length,
      streams: streams.map(({ declaration: stream, statistics }) => {
        const base = `/v1/streams/${encodeURIComponent(stream.name)}`
        const count = statistics.reduce((sum, entry) => sum + entry.count, 0)
        const capabilities = {
          records: true,
          stream_metadata: true,
          changes_since: true,
          records_url: `${base}/records`,
          metadata_url: base,
        }
        return {
          object: 'stream',
          name: stream.name,
          record_count: count,
          freshness: freshness(statistics),
          capabilities,
        }
      }),
    }))
    const meta = packageMeta(c.get('authority'), authorities.length)
    return sendJson(c, JSON.stringify(withMeta(query, { object: 'list', has_more: false, data }, meta)))
  }
}
