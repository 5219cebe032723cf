import type { Handler } from 'hono'
import type { Context } from '../../context.ts'
import { sendJson } from '../../http/answer.ts'
import type { HttpEnvironment } from '../../http/environment.ts'
import { Query } from '../../http/query.ts'
import { disclosureOf } from '../../receipts/disclosure.ts'
import { renderDescribed, renderRecord } from '../../records/render.ts'

const PARAMETERS = ['fields', 'view', 'max_bytes', 'connection_id', 'connector_id']

/** GET /v1/streams/{stream}/records/{id} */
export function readRecord(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const query = new Query(c.req.url, PARAMETERS)
    const authority = c.get('authority')
    const scope = await context.records.scope(authority, {
      stream: c.req.param('stream')!,
      connectionId: query.connectionId,
      connectorKey: query.text('connector_id'),
      fields: query.list('fields'),
      view: query.text('view'),
    })
    const maxBytes = query.maxBytes
    const record = await context.records.find(authority, scope, c.req.param('id')!)
    let row = renderRecord(scope, record)
    if (Buffer.byteLength(row) > maxBytes) {
      const smaller = renderDescribed(scope, record)
      row = smaller.row
      query.warnings.push({
        code: 'fields_described',
        message: 'The record is larger than max_bytes: its large fields are described, and field-window reads them.',
        detail: { fields: smaller.described },
      })
    }
    const meta = JSON.stringify({
      links: { self: query.self },
      meta: { count: { kind: 'none' }, warnings: query.warnings },
    })
    // Links and meta go before the data, which can be long.
    const at = row.indexOf(',"emitted_at":')
    return sendJson(c, `${row.slice(0, at)},${meta.slice(1, -1)}${row.slice(at)}`, disclosureOf(scope, [record.number]))
  }
}
