import { PdppError } from '@pdpp/protocol/reading'
import { Refusal } from '../../calling/failure.ts'
import { NOTICE, type ToolResult, toolResult } from '../../calling/result.ts'
import { fetchPageWithinBudget, parameters, type Tool, type ToolCall } from '../../calling/tool.ts'
import { type FilterArgument, filterParameters } from '../../calling/typed-arguments.ts'
import { rowsOf } from '../../resource-server/envelope.ts'
import type { SearchRoute } from '../../resource-server/search-modes.ts'
import type { ServerFeatures } from '../../resource-server/server-features.ts'
import { type HitsOf, readHit } from './search-hit.ts'
import { type SearchTextOptions, searchText } from './search-text.ts'

const DEFAULT_LIMIT = 10

/** GET /v1/search. Lists each hit with actor, time, place and excerpts. */
export const search: Tool = async (call) => {
  const { args, server } = call
  const features = await server.features(call.signal)
  requireTimes(call, features)
  const route = searchRoute(args['mode'], features)
  const query: [string, string][] = [
    ['q', String(args['query'])],
    ...route.query,
    ...parameters(args, 'streams', 'since', 'until', 'cursor', 'connection_id'),
    ...filterParameters(args['filter'] as FilterArgument | undefined),
    ...countParameter(call, features.searchCount),
    // The urls and titles are left out, because `results` already has them. Models do not need highlight tags.
    ...(features.searchUrls ? [['urls', 'false'] as [string, string]] : []),
    ...(features.searchHighlight ? [['highlight', 'false'] as [string, string]] : []),
    ...(features.searchMadeTitles ? [['made_titles', 'false'] as [string, string]] : []),
  ]
  const limit = Number(args['limit'] ?? DEFAULT_LIMIT)
  const { origin, searchUrls: pages, searchHighlight, searchMadeTitles: madeTitles } = features
  const of = { providerUrl: server.providerUrl, origin, pages, highlighted: !searchHighlight, madeTitles }
  return fetchPageWithinBudget(call, {
    path: route.path,
    query,
    limit,
    bounds: features.searchResultBytes ? 'result_bytes' : features.searchMaxBytes ? 'max_bytes' : 'limit',
    share: 0.6,
    render: (body) => render({ query: String(args['query']), limit }, body, of),
  }).catch((error: unknown) => {
    throw error instanceof Refusal ? withSearchAdvice(error) : error
  })
}

/** Replaces the next step, because a search covers many streams and the error names only one of them. */
function withSearchAdvice({ failure }: Refusal): Refusal {
  const { code, param } = failure
  if (code === 'invalid_filter' && (param === 'since' || param === 'until'))
    return new Refusal({ ...failure, next_step: `Give ${param} as 2026-01-31, or as 2026-01-31T09:00:00Z.` })
  if (code !== 'unknown_field' || param !== 'filter') return new Refusal(failure)
  const next_step =
    'A filter must fit every stream that is searched: name those with this field in streams, and their source in connection_id.'
  return new Refusal({ ...failure, next_step })
}

/** Requests an estimated count by default, because it is cheap. */
function countParameter({ args }: ToolCall, known: boolean): [string, string][] {
  if (known) return [['count', String(args['count'] ?? 'estimated')]]
  if (args['count'] === undefined || args['count'] === 'none') return []
  throw new PdppError('invalid_argument', 'This server cannot count the results of a search.', {
    param: 'count',
    reason: 'no_count',
  })
}

function requireTimes(
  { args }: ToolCall,
  { searchSince, searchUntil }: { searchSince: boolean; searchUntil: boolean },
) {
  const missing = [
    ['since', searchSince],
    ['until', searchUntil],
  ].find(([name, known]) => !known && args[name as string] !== undefined)
  if (!missing) return
  throw new PdppError('invalid_argument', `This server cannot limit a search by ${missing[0]}.`, {
    param: String(missing[0]),
    nextStep: 'Use filter on the time field of one stream instead.',
  })
}

function render(asked: SearchTextOptions, body: Record<string, unknown>, of: HitsOf): ToolResult {
  const hits = rowsOf(body).map((row) => readHit(row, of))
  const results = hits.map(({ id, title, url, connectionId }) => ({
    id,
    title,
    url,
    ...(connectionId === undefined ? {} : { connection_id: connectionId }),
  }))
  return toolResult(searchText(asked, body, hits), { data: body, results, notice: NOTICE })
}

/** The route of a search mode. Throws if the server does not advertise the mode. */
function searchRoute(mode: unknown, { searchModes }: ServerFeatures): SearchRoute {
  if (mode === undefined || mode === 'lexical') return { path: '/v1/search', query: [] }
  const route = searchModes.get(String(mode))
  if (route) return route
  const others = [...searchModes.keys()].filter((name) => name !== 'lexical')
  const message = `This server has no search mode "${String(mode)}". It has: ${['lexical', ...others].join(', ')}.`
  throw new PdppError('unsupported_search_mode', message, { param: 'mode' })
}
