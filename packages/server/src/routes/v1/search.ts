import { type Count, PdppError, type Warning } from '@pdpp/protocol'
import type { Handler } from 'hono'
import type { Context } from '../../context.ts'
import type { Disclosure } from '../../receipts/receipt-store.ts'
import type { RowPage } from '../../records/paging/row-page.ts'
import { RecordUrls } from '../../records/record-url.ts'
import { searchShape } from '../../records/result-shapes.ts'
import { READ_ON, renderHit } from '../../search/hits/hit.ts'
import { searchMeta } from '../../search/hits/search-meta.ts'
import { sourceMix } from '../../search/hits/source-mix.ts'
import { countOf } from '../../search/search-service.ts'
import type { FoundRecord, SearchedStream } from '../../search/search-store.ts'
import type { HttpEnvironment } from '../environment.ts'
import { disclosureOf } from '../guards/read-receipts.ts'
import { Query } from '../request/query.ts'
import { packageMeta, sendJson } from '../response/json-response.ts'
import { listBody, type RenderedRow } from '../response/list-body.ts'

const PARAMETERS = [
  'q',
  'mode',
  'streams',
  'streams[]',
  'filter[field]',
  'since',
  'until',
  'limit',
  'cursor',
  'count',
  'max_bytes',
  'result_bytes',
  'highlight',
  'urls',
  'made_titles',
  'connection_id',
]
const BARE: Warning = {
  code: 'partial_results',
  message: 'The hit alone is larger than the page: its excerpts are left out. Raise max_bytes, or read the record.',
  param: 'max_bytes',
}

/** GET /v1/search */
export function searchRecords(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const mode = c.req.query('mode')
    if (mode !== undefined && mode !== 'lexical') throw unsupportedMode(mode)
    const query = new Query(c.req.url, PARAMETERS)
    query.choice('mode', ['lexical'])
    const text = query.required('q')
    const streams = [...(query.list('streams') ?? []), ...(query.list('streams[]') ?? [])]
    const counted: Count['kind'] = query.choice('count', ['none', 'estimated', 'exact']) ?? 'none'
    const isTrue = (name: string) => query.choice(name, ['true', 'false']) !== 'false'
    const [highlight, shown, madeTitles] = [isTrue('highlight'), isTrue('urls'), isTrue('made_titles')]
    const request = {
      text,
      streams: streams.length === 0 ? undefined : streams,
      connectionId: query.connectionId,
      filters: query.filters,
      since: query.text('since'),
      until: query.text('until'),
      limit: query.limit,
      cursor: query.text('cursor'),
      highlight,
    }
    const [maxBytes, resultBytes] = [query.maxBytes, query.resultBytes]
    const [authority, signal] = [c.get('authority'), c.get('signal')]
    const answer = await context.search.search(authority, request, query.warnings, signal)
    const { outcome, targets, rowPage, names } = answer
    const grantsRead = [...new Set(targets.map(({ scope }) => scope.accessId))]
    c.set('grantsRead', grantsRead)
    const about = searchMeta(outcome, targets, request, query.warnings)
    const attributed = authority.kind === 'package'
    const { origin } = c.get('requestOrigin')
    const options = { targets, names, urls: new RecordUrls(origin, shown), attributed, madeTitles }
    const {
      body,
      value,
      isPlain,
      shown: found,
    } = listBody(query, rowPage, {
      maxBytes,
      result:
        resultBytes === undefined
          ? undefined
          : { bytes: resultBytes, shape: searchShape(text, origin, cursorBytes(rowPage)) },
      count: countOf(counted, outcome),
      meta: (rows) => ({
        ...about,
        // Explains why a page is shorter than its limit. Always included, so that a larger limit never needs more
        // bytes.
        page_full: rows.length < rowPage.rows.length,
        ...(rows.length === 0 ? {} : { read: READ_ON }),
        ...packageMeta(authority, grantsRead.length, attributed ? sourceMix(rows, targets) : {}),
      }),
      metaName: (count) => (attributed ? undefined : `${Math.min(count, 1)} ${count < rowPage.rows.length}`),
      render: (one) => rowOf(renderHit(one, options)),
      renderSmaller: (one, budget) => {
        const small = rowOf(renderHit(one, options, 'small'))
        if (Buffer.byteLength(small.row) <= budget) return small
        return { ...rowOf(renderHit(one, options, 'bare')), warning: BARE }
      },
    })
    c.set('bodyValue', value)
    c.set('isPlainBody', isPlain)
    return sendJson(c, body, ...disclosures(found, targets))
  }
}

/** All cursors of a page have the same size. */
const cursorBytes = ({ rows: [first], cursorAfter }: RowPage<FoundRecord>): number =>
  first === undefined ? 0 : cursorAfter(first).length

/** Serialises a hit. It must not be parsed or serialised again on its way to the client. */
const rowOf = (value: Record<string, unknown>): RenderedRow => ({ row: JSON.stringify(value), value })

/** One disclosure for each stream with a hit on the page. It includes the neighbours that are shown next to hits. */
function disclosures(shown: readonly FoundRecord[], targets: readonly SearchedStream[]): Disclosure[] {
  const byTarget = Map.groupBy(shown, ({ target }) => target)
  return [...byTarget].map(([target, found]) =>
    disclosureOf(targets[target]!.scope, [
      ...new Set(found.flatMap(({ number, context }) => (context ? [number, context.number] : [number]))),
    ]),
  )
}

/** GET /v1/search/semantic and /v1/search/hybrid, which other servers have. The error names the mode that we have. */
export function refuseSearchMode(mode: 'semantic' | 'hybrid'): Handler<HttpEnvironment> {
  return () => {
    throw unsupportedMode(mode)
  }
}

function unsupportedMode(mode: string): PdppError {
  const message = `This server does not search in the mode "${mode.slice(0, 40)}"; it searches by words: lexical.`
  return new PdppError('unsupported_search_mode', message, { param: 'mode' })
}
