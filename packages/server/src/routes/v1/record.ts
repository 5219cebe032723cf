import type { Handler } from 'hono'
import type { Context } from '../../context.ts'
import { sendJson } from '../../http/answer.ts'
import type { HttpEnvironment } from '../../http/environment.ts'
import { Query } from '../../http/query.ts'
import { disclosureOf } from '../../receipts/disclosure.ts'
import { RecordUrls } from '../../records/record-url.ts'
import { renderDescribed, renderRecord } from '../../records/render.ts'
import { streamRead, streamReader } from './stream-read.ts'

const PARAMETERS = [
  'fields',
  'view',
  'expand',
  'expand[]',
  'expand_limit[relation]',
  'max_bytes',
  'connection_id',
  'connector_id',
]

/** GET /v1/streams/{stream}/records/{id} */
export function readRecord(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const query = new Query(c.req.url, PARAMETERS)
    const read = streamRead(c, query)
    const reader = await streamReader(context, c, read)
    const { scope, expansions } = await context.records.expandedScope(reader, read, query.expand)
    const maxBytes = query.maxBytes
    const record = await context.records.find(scope, c.req.param('id')!)
    const urls = new RecordUrls(c.get('arrival').origin)
    const expanded = await context.records.expand(expansions, [record], maxBytes, urls)
    let body = expanded.addTo(renderRecord(scope, urls, record, meta(query)), record)
    if (Buffer.byteLength(body) > maxBytes) {
      const message =
        'The record is larger than max_bytes: its large fields are described, and field-window reads them.'
      query.warnings.push({ code: 'fields_described', message })
      body = expanded.addTo(renderDescribed(scope, urls, record, maxBytes, meta(query)).row, record, true)
    }
    const children = expanded
      .disclosed([record])
      .map(({ expansion, numbers }) => disclosureOf(expansion.child, numbers))
    return sendJson(c, body, disclosureOf(scope, [record.number]), ...children)
  }
}

/** Links and meta as members that stand before the data, which can be long. */
function meta(query: Query): string {
  const members = { links: { self: query.self }, meta: { count: { kind: 'none' }, warnings: query.warnings } }
  return `${JSON.stringify(members).slice(1, -1)},`
}
