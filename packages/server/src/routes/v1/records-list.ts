import { type Count, PdppError } from '@pdpp/protocol'
import type { Handler } from 'hono'
import type { Context } from '../../context.ts'
import type { ReadScope } from '../../grants/read-scope.ts'
import type { RequestSignal } from '../../lib/request-signal.ts'
import type { Expanded } from '../../records/expand/expanded.ts'
import type { Expansion } from '../../records/expand/relation.ts'
import { resolveFilter } from '../../records/filter.ts'
import type { ListRequest } from '../../records/record-service.ts'
import type { ScopedRecord } from '../../records/record-store.ts'
import { RecordUrls } from '../../records/record-url.ts'
import { describedMessage, renderDescribed, renderRecord, renderTombstone } from '../../records/render.ts'
import { recordsShape } from '../../records/result-shapes.ts'
import type { HttpEnvironment } from '../environment.ts'
import { disclosureOf } from '../guards/read-receipts.ts'
import { Query } from '../request/query.ts'
import { sendJson } from '../response/json-response.ts'
import { listBody, type RenderedRow } from '../response/list-body.ts'
import { streamAuthority, streamRead } from './stream-read.ts'

const PARAMETERS = [
  'limit',
  'cursor',
  'order',
  'sort',
  'fields',
  'view',
  'filter[field]',
  'expand',
  'expand[]',
  'expand_limit[relation]',
  'count',
  'max_bytes',
  'result_bytes',
  'around',
  'changes_since',
  'urls',
  'binary',
  'connection_id',
  'connector_id',
]
const NOT_WITH_CHANGES = ['sort', 'order', 'count', 'filter', 'expand', 'around']

/** GET /v1/streams/{stream}/records */
export function listRecords(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const query = new Query(c.req.url, PARAMETERS)
    const read = streamRead(c, query)
    const authority = await streamAuthority(context, c, read)
    const { scope, expansions } = await context.records.expandedScope(authority, read, query.expand)
    const request = readRequest(query, scope)
    const changes = request.changesSince !== undefined || context.records.isChangesCursor(scope, request)
    const urls = new RecordUrls(
      c.get('requestOrigin').origin,
      query.choice('urls', ['true', 'false']) !== 'false',
      query.choice('binary', ['inline', 'described']),
    )
    const page = changes
      ? await changesPage(context, query, scope, request, urls)
      : await recordPage(context, query, scope, request, { urls, expansions, signal: c.get('signal') })
    const children = page.expanded?.disclosed(page.records) ?? []
    const disclosures = children.map(({ expansion, numbers }) => disclosureOf(expansion.related, numbers))
    return sendJson(
      c,
      page.body,
      disclosureOf(
        scope,
        page.records.map(({ number }) => number),
      ),
      ...disclosures,
    )
  }
}

function readRequest(query: Query, scope: ReadScope): ListRequest {
  return {
    limit: query.limit,
    maxBytes: Math.min(query.maxBytes, query.resultBytes ?? Number.POSITIVE_INFINITY),
    cursor: query.text('cursor'),
    changesSince: query.text('changes_since'),
    sort: query.text('sort'),
    order: query.choice('order', ['asc', 'desc']),
    conditions: resolveFilter(scope, query.filters, query.warnings),
    around: query.text('around'),
  }
}

async function recordPage(
  context: Context,
  query: Query,
  scope: ReadScope,
  request: ListRequest,
  { urls, expansions, signal }: { urls: RecordUrls; expansions: readonly Expansion[]; signal: RequestSignal },
) {
  const kind: Count['kind'] = query.choice('count', ['none', 'estimated', 'exact']) ?? 'none'
  const rowPage = await context.records.page(scope, request, signal)
  const count = await context.records.count(scope, kind, rowPage, signal)
  const expanded = await context.records.expand(expansions, rowPage.rows, request.maxBytes, urls, signal)
  const { body, shown } = listBody(query, rowPage, {
    maxBytes: request.maxBytes,
    result: resultOf(query),
    count,
    render: (record) => ({ row: expanded.addTo(renderRecord(scope, urls, record), record) }),
    renderSmaller: (record, budget) => {
      // The related records take too much room as well: include fewer and report that there are more.
      if (budget < request.maxBytes / 2) expanded.shorten(record)
      return smaller(scope, urls, record, budget, expanded)
    },
  })
  return { body, records: shown, expanded }
}

function resultOf({ resultBytes: bytes }: Query) {
  return bytes === undefined ? undefined : { bytes, shape: recordsShape }
}

async function changesPage(context: Context, query: Query, scope: ReadScope, request: ListRequest, urls: RecordUrls) {
  const clash = NOT_WITH_CHANGES.find((name) => query.has(name))
  if (clash)
    throw new PdppError(
      'invalid_argument',
      `${clash} cannot be combined with changes_since: changes are complete and have their own order.`,
      { param: clash },
    )
  const rowPage = await context.records.changes(scope, request)
  const { body, shown } = listBody(query, rowPage, {
    maxBytes: request.maxBytes,
    result: resultOf(query),
    count: { kind: 'none' },
    render: (change) => ({
      row: 'record' in change ? renderRecord(scope, urls, change.record) : renderTombstone(scope, change.tombstone),
    }),
    renderSmaller: (change, budget) =>
      'record' in change
        ? smaller(scope, urls, change.record, budget)
        : { row: renderTombstone(scope, change.tombstone) },
  })
  return {
    body,
    records: shown.map((change) => ('record' in change ? change.record : change.tombstone)),
    expanded: undefined,
  }
}

function smaller(
  scope: ReadScope,
  urls: RecordUrls,
  record: ScopedRecord,
  budget: number,
  expanded?: Expanded,
): RenderedRow {
  const { row, named, isDescribed, omitted } = renderDescribed(scope, urls, record, budget)
  const message = describedMessage(isDescribed, omitted)
  const warning = { code: 'fields_described' as const, message, detail: { fields: named } }
  return { row: expanded ? expanded.addTo(row, record, true) : row, warning }
}
