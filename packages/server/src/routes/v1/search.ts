import type { Count, Warning } from '@pdpp/protocol'
import type { Handler } from 'hono'
import type { Context } from '../../context.ts'
import { sendJson } from '../../http/answer.ts'
import type { HttpEnvironment } from '../../http/environment.ts'
import { Query } from '../../http/query.ts'
import { packageMeta, sourceMix } from '../../packages/package-meta.ts'
import { type Disclosure, disclosureOf } from '../../receipts/disclosure.ts'
import { listBody } from '../../records/list-body.ts'
import { RecordUrls } from '../../records/record-url.ts'
import { compactSources, renderCompactHit } from '../../search/compact-hit.ts'
import { type HitSize, renderHit } from '../../search/hit.ts'
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
  'view',
  'connection_id',
]

const BARE: Warning = {
  code: 'partial_results',
  message: 'The hit alone is larger than max_bytes: its excerpts are left out. Raise max_bytes, or read the record.',
  param: 'max_bytes',
}

/** GET /v1/search */
export function searchRecords(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const query = new Query(c.req.url, PARAMETERS)
    query.choice('mode', ['lexical'])
    const compact = query.choice('view', ['full', 'compact']) === 'compact'
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
    const [authority, caller] = [c.get('authority'), c.get('caller')]
    const { outcome, targets, walk, names } = await context.search.search(authority, request, query.warnings, caller)
    const grantsRead = [...new Set(targets.map(({ scope }) => scope.holder))]
    c.set('grantsRead', grantsRead)
    const about = searchMeta(outcome, targets, request, query.warnings)
    const count: Count =
      kind === 'none' ? { kind } : { kind: 'exact', value: await context.search.count(targets, text, caller) }
    const urls = new RecordUrls(c.get('arrival').origin)
    const hit = (found: FoundRecord, size: HitSize) => {
      if (compact) return renderCompactHit(found, outcome.words, names, size)
      const row = renderHit(found, outcome.words, names, urls, size)
      return authority.kind === 'package' ? attributed(row, found) : row
    }
    const { body, shown } = listBody(query, walk, {
      maxBytes,
      count,
      meta: (rows) => ({
        ...about,
        ...(compact ? compactSources(rows, names, authority.kind === 'package') : {}),
        ...packageMeta(
          authority,
          grantsRead.length,
          compact || authority.kind !== 'package' ? {} : sourceMix(rows, names),
        ),
      }),
      links: !compact,
      render: (found) => ({ row: hit(found, 'full') }),
      renderSmaller: (found, budget) => {
        const small = hit(found, 'small')
        return Buffer.byteLength(small) <= budget ? { row: small } : { row: hit(found, 'bare'), warning: BARE }
      },
    })
    return sendJson(c, body, ...disclosures(shown))
  }
}

/** In a package each hit says under which grant it was read (003.16.1). */
function attributed(row: string, { target }: FoundRecord): string {
  return `${row.slice(0, -1)},"grant_id":${JSON.stringify(target.scope.holder)}}`
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
