import { parseJson, WINDOW_CHARS } from '@pdpp/protocol'
import type { Handler } from 'hono'
import type { Context } from '../../context.ts'
import type { ReadScope } from '../../grants/read-scope.ts'
import type { ScopedRecord } from '../../records/record-store.ts'
import { RecordUrls } from '../../records/record-url.ts'
import { renderDescribed, renderRecord } from '../../records/render.ts'
import { labelOf } from '../../search/evidence/label.ts'
import type { HttpEnvironment } from '../environment.ts'
import { disclosureOf } from '../guards/read-receipts.ts'
import { Query } from '../request/query.ts'
import { sendJson } from '../response/json-response.ts'
import { streamAuthority, streamRead } from './stream-read.ts'

const PARAMETERS = [
  'fields',
  'view',
  'expand',
  'expand[]',
  'expand_limit[relation]',
  'max_bytes',
  'long_field_chars',
  'label',
  'binary',
  'connection_id',
  'connector_id',
]

/** GET /v1/streams/{stream}/records/{id} */
export function readRecord(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const query = new Query(c.req.url, PARAMETERS)
    const read = streamRead(c, query)
    const authority = await streamAuthority(context, c, read)
    const { scope, expansions } = await context.records.expandedScope(authority, read, query.expand)
    const maxBytes = query.maxBytes
    const record = await context.records.find(scope, c.req.param('id')!)
    const urls = new RecordUrls(c.get('requestOrigin').origin, true, query.choice('binary', ['inline', 'described']))
    const longFieldChars = longChars(query)
    const expanded = await context.records.expand(expansions, [record], maxBytes, urls, c.get('signal'))
    const extra = query.choice('label', ['true', 'false']) === 'true' ? await label(context, scope, record) : {}
    let body = expanded.addTo(renderRecord(scope, urls, record, members(query, extra)), record)
    if (Buffer.byteLength(body) > maxBytes) {
      const message =
        'The record is larger than this answer may be: large fields are described or left out; field-window (read_record_field) and fields read them.'
      query.warnings.push({ code: 'fields_described', message })
      const options = { extra: members(query, extra), longFieldChars }
      body = expanded.addTo(renderDescribed(scope, urls, record, maxBytes, options).row, record, true)
    }
    const children = expanded
      .disclosed([record])
      .map(({ expansion, numbers }) => disclosureOf(expansion.related, numbers))
    return sendJson(c, body, disclosureOf(scope, [record.number]), ...children)
  }
}

/** The title and other labels of a record, made only from the requested fields. */
async function label(context: Context, scope: ReadScope, record: ScopedRecord) {
  const connection = await context.storage.connections.find(scope.subjectId, record.connectionId)
  const displayName = connection?.displayName
  const data = parseJson(record.json) as Record<string, unknown>
  const { title, actor, container, authoredAt } = labelOf(scope, data, displayName ?? scope.connectorKey)
  return { display_name: displayName, title, actor, place: container, authored_at: authoredAt }
}

/** Max. characters of the longest text field in a record that is too large for the answer. */
function longChars(query: Query): number | undefined {
  return query.has('long_field_chars') ? query.clamped('long_field_chars', { min: 1, ...WINDOW_CHARS }) : undefined
}

/** Labels, links and meta as JSON members. They come before the data, which may be long. */
function members(query: Query, extra: object): string {
  const meta = { count: { kind: 'none' }, warnings: query.warnings }
  return `${JSON.stringify({ ...extra, links: { self: query.self }, meta }).slice(1, -1)},`
}
