import { PdppError } from '@pdpp/protocol'
import type { Handler } from 'hono'
import type { Context } from '../../context.ts'
import { sendJson, withMeta } from '../../http/answer.ts'
import type { HttpEnvironment } from '../../http/environment.ts'
import { Query } from '../../http/query.ts'
import { packageMeta } from '../../packages/package-meta.ts'
import { compactSchema, fullSchema } from '../../schema/schema-document.ts'
import { allReaders } from './stream-read.ts'

const PARAMETERS = ['view', 'detail', 'stream', 'fields_offset', 'connection_id', 'connector_id']

/** GET /v1/schema */
export function readSchema(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const query = new Query(c.req.url, PARAMETERS)
    const authority = c.get('authority')
    const stream = query.text('stream')
    const compact = query.text('view')?.toLowerCase() === 'compact'
    const exhaustive = query.choice('detail', ['compact', 'full']) === 'full'
    if (exhaustive && stream === undefined) {
      throw new PdppError('invalid_request', 'detail=full is for one stream: add stream.', {
        param: 'detail',
        nextStep: 'Call GET /v1/schema?view=compact for the stream names.',
      })
    }
    const detail = stream === undefined ? undefined : { fieldsOffset: query.integer('fields_offset', { min: 0 }) ?? 0 }
    const connectionId = query.connectionId
    const readers = allReaders(c, query, connectionId)
    const sources = await context.schema.read(
      readers,
      {
        stream,
        connectionId,
        connectorKey: query.text('connector_id'),
      },
      c.get('caller'),
    )
    if (exhaustive) context.schema.requireOne(sources, stream!)
    const document = compact && !exhaustive ? compactSchema(authority, sources, detail) : fullSchema(authority, sources)
    return sendJson(c, JSON.stringify(withMeta(query, document, packageMeta(authority, readers.length))))
  }
}
