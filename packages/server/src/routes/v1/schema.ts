import { PdppError } from '@pdpp/protocol'
import type { Handler } from 'hono'
import type { Context } from '../../context.ts'
import { authoritiesOf } from '../../grants/authority.ts'
import { compactStream } from '../../schema/compact-schema.ts'
import { fullSchema, fullSchemaPart } from '../../schema/schema-document.ts'
import { schemaIndex } from '../../schema/schema-index.ts'
import type { HttpEnvironment } from '../environment.ts'
import { Query } from '../request/query.ts'
import { packageMeta, sendJson, withMeta } from '../response/json-response.ts'
import { allAuthorities } from './stream-read.ts'

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
      throw new PdppError('invalid_request', 'detail=full needs a stream.', {
        param: 'detail',
        reason: 'one_stream',
      })
    }
    const connectionId = query.connectionId
    const authorities = allAuthorities(c, query, connectionId)
    const sources = await context.schema.read(
      authorities,
      {
        stream,
        connectionId,
        connectorKey: query.text('connector_id'),
        everyone: authoritiesOf(authority),
      },
      c.get('signal'),
    )
    if (exhaustive) context.schema.requireOne(sources, stream!)
    const offset = query.integer('fields_offset', { min: 0 }) ?? 0
    const document = exhaustive
      ? fullSchemaPart(authority, sources, offset)
      : !compact
        ? fullSchema(authority, sources)
        : stream === undefined
          ? schemaIndex(authority, sources)
          : compactStream(authority, sources, offset)
    return sendJson(c, JSON.stringify(withMeta(query, document, packageMeta(authority, authorities.length))))
  }
}
