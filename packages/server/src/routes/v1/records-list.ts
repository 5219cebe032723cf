import { type Count, PdppError } from '@pdpp/protocol'
import type { Handler } from 'hono'
import type { Context } from '../../context.ts'
import type { ReadScope } from '../../grants/read-scope.ts'
import { sendJson } from '../../http/answer.ts'
import type { HttpEnvironment } from '../../http/environment.ts'
import { Query } from '../../http/query.ts'
import { disclosureOf } from '../../receipts/disclosure.ts'
import { listBody, type RenderedRow } from '../../records/list-body.ts'
import type { ListRequest } from '../../records/record-service.ts'
import type { ScopedRecord } from '../../records/record-store.ts'
import { renderDescribed, renderRecord, renderTombstone } from '../../records/render.ts'

const PARAMETERS = [
  'limit',
  'cursor',
  'order',
  'sort',
  'fields',
  'view',
  'count',
  'max_bytes',
  'changes_since',
  'connection_id',
  'connector_id',
]
const NOT_WITH_CHANGES = ['sort', 'order', 'count'] as const

/** GET /v1/streams/{stream}/records */
export function listRecords(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const query = new Query(c.req.url, PARAMETERS)
    const scope = await context.records.scope(c.get('authority'), {
      stream: c.req.param('stream')!,
      connectionId: query.connectionId,
      connectorKey: query.text('connector_id'),
      fields: query.list('fields'),
      view: query.text('view'),
    })
    const request = readRequest(query)
    const changes =
      request.changesSince !== undefined ||
      (request.cursor !== undefined && context.records.isChangesCursor(scope, request.cursor))
    const { body, numbers } = changes
      ? await changesBody(context, query, scope, request)
      : await pageBody(context, query, scope, request)
    return sendJson(c, body, disclosureOf(scope, numbers))
  }
}

function readRequest(query: Query): ListRequest {
  return {
    limit: query.limit,
    maxBytes: query.maxBytes,
    cursor: query.text('cursor'),
    changesSince: query.text('changes_since'),
    sort: query.text('sort'),
    order: query.choice('order', ['asc', 'desc']),
  }
}

async function pageBody(context: Context, query: Query, scope: ReadScope, request: ListRequest) {
  const kind: Count['kind'] = query.choice('count', ['none', 'estimated', 'exact']) ?? 'none'
  const [walk, count] = await Promise.all([context.records.page(scope, request), context.records.count(scope, kind)])
  return listBody(query, walk, {
    maxBytes: request.maxBytes,
    count,
    render: (record) => ({ row: renderRecord(scope, record), number: record.number }),
    renderSmaller: (record) => smaller(scope, record),
  })
}

async function changesBody(context: Context, query: Query, scope: ReadScope, request: ListRequest) {
  const clash = NOT_WITH_CHANGES.find((name) => query.text(name) !== undefined)
  if (clash)
    throw new PdppError(
      'invalid_argument',
      `${clash} does not go with changes_since: changes come in their own order.`,
      { param: clash },
    )
  const walk = await context.records.changes(scope, request)
  return listBody(query, walk, {
    maxBytes: request.maxBytes,
    count: { kind: 'none' },
    render: (change) =>
      'record' in change
        ? { row: renderRecord(scope, change.record), number: change.record.number }
        : { row: renderTombstone(scope, change.tombstone), number: change.tombstone.number },
    renderSmaller: (change) =>
      'record' in change
        ? smaller(scope, change.record)
        : { row: renderTombstone(scope, change.tombstone), number: change.tombstone.number },
  })
}

function smaller(scope: ReadScope, record: ScopedRecord): RenderedRow {
  const { row, described } = renderDescribed(scope, record)
  const message = `The record is larger than max_bytes: ${described.length} field(s) are described, and field-window reads them.`
  return {
    row,
    number: record.number,
    warning: { code: 'fields_described', message, detail: { fields: described.slice(0, 50) } },
  }
}
