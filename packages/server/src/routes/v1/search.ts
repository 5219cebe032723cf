import type { Count } from '@pdpp/protocol'
import type { Handler } from 'hono'
import type { Context } from '../../context.ts'
import { sendJson } from '../../http/answer.ts'
import type { HttpEnvironment } from '../../http/environment.ts'
import { Query } from '../../http/query.ts'
import { type Disclosure, disclosureOf } from '../../receipts/disclosure.ts'
import { listBody } from '../../records/list-body.ts'
import { RecordUrls } from '../../records/record-url.ts'
import { renderHit } from '../../search/hit.ts'
import { searchMeta } from '../../search/search-meta.ts'
import type { FoundRecord } from '../../search/search-store.ts'

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
  'connection_id',
]

/** GET /v1/search */
export function searchRecords(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const query = new Query(c.req.url, PARAMETERS)
    query.choice('mode', ['lexical'])
    const text = query.required('q')
    const streams = [...(query.list('streams') ?? []), ...(query.list('streams[]') ?? [])]
    const kind: Count['kind'] = query.choice('count', ['none', 'estimated', 'exact']) ?? 'none'
    const request = {
      text,
      streams: streams.length === 0 ? undefined : streams,
      connectionId: query.connectionId,
      filters: query.filters,
      since: query.text('since'),
      until: query.text('until'),
      limit: query.limit,
      cursor: query.text('cursor'),
    }
    const maxBytes = query.maxBytes
    const { outcome, targets, walk, names } = await context.search.search(c.get('authority'), request, query.warnings)
    const count: Count =
      kind === 'none' ? { kind } : { kind: 'exact', value: await context.search.count(targets, text) }
    const urls = new RecordUrls(c.get('arrival').origin)
    const { body, shown } = listBody(query, walk, {
      maxBytes,
      count,
      meta: searchMeta(outcome, targets, request),
      render: (found) => ({ row: renderHit(found, outcome.words, names, urls) }),
      renderSmaller: (found, budget) => {
        const small = renderHit(found, outcome.words, names, urls, 'small')
        return {
          row: Buffer.byteLength(small) <= budget ? small : renderHit(found, outcome.words, names, urls, 'bare'),
        }
      },
    })
    return sendJson(c, body, ...disclosures(shown))
  }
}

/** One for each stream that has a hit on the page. */
function disclosures(shown: readonly FoundRecord[]): Disclosure[] {
  const byScope = Map.groupBy(shown, ({ target }) => target.scope)
  return [...byScope].map(([scope, found]) =>
    disclosureOf(
      scope,
      found.map(({ number }) => number),
    ),
  )
}
