import type { Context as HonoContext } from 'hono'
import type { HttpEnvironment } from '../../http/environment.ts'
import type { Query } from '../../http/query.ts'
import type { StreamRead } from '../../records/record-service.ts'

/** What every read of records says about which records and fields it means. */
export function streamRead(c: HonoContext<HttpEnvironment>, query: Query): StreamRead {
  return {
    stream: c.req.param('stream')!,
    connectionId: query.connectionId,
    connectorKey: query.text('connector_id'),
    fields: query.list('fields'),
    view: query.text('view'),
  }
}
