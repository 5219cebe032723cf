import { PdppError } from '@pdpp/protocol/reading'
import { Refusal } from '../failure.ts'
import { page } from '../page.ts'
import { handles, warningLines } from '../rendering/header.ts'
import { grouped, shortLine } from '../rendering/preview.ts'
import { objectOf, rowsOf } from '../resource-server/envelope.ts'
import { NOTICE, type ToolResult, toolResult } from '../result.ts'
import { type HitsOf, hitLines, readHit, type SearchHit } from '../search-hit.ts'
import { searchRoute } from '../search-mode.ts'
import { parameters, type Tool, type ToolCall } from '../tool.ts'
import { type FilterArgument, filterParameters } from '../typed-arguments.ts'

const DEFAULT_LIMIT = 10

/** GET /v1/search: every hit once, with who, when, where and the words that prove it. */
export const search: Tool = async (call) => {
  const { args, server } = call
  const advertised = await server.advertised(call.signal)
  requireTimes(call, advertised)
  const route = searchRoute(args['mode'], advertised)
  const query: [string, string][] = [
    ['q', String(args['query'])],
    ...route.query,
    ...parameters(args, 'streams', 'since', 'until', 'cursor', 'connection_id'),
    ...filterParameters(args['filter'] as FilterArgument | undefined),
    ...(advertised.searchCompact ? [['view', 'compact'] as [string, string]] : []),
  ]
  return page(call, {
    path: route.path,
    query,
    limit: Number(args['limit'] ?? DEFAULT_LIMIT),
    maxBytes: advertised.searchMaxBytes,
    share: 0.68,
    render: (body) => {
      const { origin, searchCompact: pages } = advertised
      const sources = objectOf(objectOf(body['meta'])['sources'])
      return render(String(args['query']), body, { providerUrl: server.providerUrl, origin, sources, pages })
    },
  }).catch((error: unknown) => {
    throw error instanceof Refusal ? advised(error) : error
  })
}

/** Many streams are searched at once: the one that a refusal names is seldom the one that was meant. */
function advised({ failure }: Refusal): Refusal {
  const { code, param } = failure
  if (code === 'invalid_filter' && (param === 'since' || param === 'until'))
    return new Refusal({ ...failure, next_step: `Give ${param} as 2026-01-31, or as 2026-01-31T09:00:00Z.` })
  if (code !== 'unknown_field' || param !== 'filter') return new Refusal(failure)
  const next_step =
    'A filter must fit every stream that is searched: name those with this field in streams, and their source in connection_id.'
  return new Refusal({ ...failure, next_step })
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

function render(query: string, body: Record<string, unknown>, of: HitsOf): ToolResult {
  const hits = rowsOf(body).map((row) => readHit(row, of))
  const results = hits.map(
    ({ excerpts: _excerpts, actor: _actor, place: _place, authoredAt: _at, match: _match, ...thin }) => thin,
  )
  return toolResult(searchText(query, body, hits), { data: body, results, notice: NOTICE })
}

function searchText(query: string, body: Record<string, unknown>, hits: readonly SearchHit[]): string {
  const state = handles(body)
  const head = `search "${shortLine(query, 200)}": ${shownOf(body, hits)}${state === '' ? '' : ` ${state}`}`
  const lines = [head, ...explanations(body, hits), ...warningLines(body)]
  if (hits.length === 0) return lines.join('\n')
  return [
    ...lines,
    ...sourceMix(hits),
    `${NOTICE} Pass an id as it is to fetch, or to read_record_field with the field named.`,
    ...hits.flatMap((hit, index) => hitLines(hit, index + 1)),
  ].join('\n')
}

function shownOf(body: Record<string, unknown>, hits: readonly SearchHit[]): string {
  const ranked = objectOf(objectOf(body['meta'])['recall'])['ranked_candidate_count']
  const total = typeof ranked === 'number' && ranked > hits.length ? ` of ${grouped(ranked)}` : ''
  return hits.length === 0
    ? 'no hits.'
    : `${hits.length}${total} ${hits.length === 1 && total === '' ? 'hit' : 'hits'}, best first.`
}

/** Why there is little or nothing, how much was ranked, and how fresh it is. */
function explanations(body: Record<string, unknown>, hits: readonly SearchHit[]): string[] {
  const meta = objectOf(body['meta'])
  const recall = objectOf(meta['recall'])
  const index = objectOf(meta['index'])
  const partial = hits.length > 0 && hits.every(({ match }) => match === 'some_words')
  const message = objectOf(meta['explanation'])['message']
  return [
    ...(typeof message === 'string' ? [shortLine(message, 300)] : []),
    ...(partial ? ['No record has all of the words; these have some of them.'] : []),
    ...wordCounts(meta['words']),
    ...(recall['complete'] === false
      ? ['More records match than are ranked here: a rarer word, a filter, since or until brings others.']
      : []),
    ...(typeof index['indexed_through'] === 'string' && hits.length === 0
      ? [`Indexed through ${index['indexed_through']}.`]
      : []),
  ]
}

function wordCounts(words: unknown): string[] {
  if (!Array.isArray(words) || words.length === 0) return []
  const counts = words.slice(0, 20).map((entry) => {
    const { word, records } = objectOf(entry)
    return `${shortLine(String(word), 60)} ${grouped(Number(records ?? 0))}`
  })
  return [`Records with each word: ${counts.join(', ')}.`]
}

function sourceMix(hits: readonly SearchHit[]): string[] {
  const counts = new Map<string, number>()
  for (const { display_name, connection_id, connector_key } of hits) {
    const name = display_name ?? connection_id ?? connector_key ?? 'unknown'
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  if (counts.size < 2) return []
  return [`Sources: ${[...counts].map(([name, count]) => `${shortLine(name, 60)} ${count}`).join(', ')}.`]
}
