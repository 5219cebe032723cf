import { PdppError } from '@pdpp/protocol/reading'
import { Refusal } from '../../calling/failure.ts'
import { fetchPageWithinBudget } from '../../calling/fit-page.ts'
import { NOTICE, type ToolResult, toolResult } from '../../calling/result.ts'
import { parameters, type Tool, type ToolCall } from '../../calling/tool.ts'
import { type FilterArgument, filterParameters } from '../../calling/typed-arguments.ts'
import { handles, warningLines } from '../../rendering/header.ts'
import { grouped, shortLine } from '../../rendering/preview.ts'
import { objectOf, rowsOf } from '../../resource-server/envelope.ts'
import { type HitsOf, hitLines, readHit, type SearchHit } from './search-hit.ts'
import { searchRoute } from './search-mode.ts'
import { SourceMix } from './source-mix.ts'

const DEFAULT_LIMIT = 10

/** GET /v1/search: every hit once, with who, when, where and the words that prove it. */
export const search: Tool = async (call) => {
  const { args, server } = call
  const features = await server.features(call.signal)
  requireTimes(call, features)
  const route = searchRoute(args['mode'], features)
  const given: [string, string][] = [
    ['q', String(args['query'])],
    ...route.query,
    ...parameters(args, 'streams', 'since', 'until', 'cursor', 'connection_id'),
    ...filterParameters(args['filter'] as FilterArgument | undefined),
    ...countParameter(call, features.searchCount),
    // Addresses stand in `results`, and models need no tags around the words that matched.
    ...(features.searchUrls ? [['urls', 'false'] as [string, string]] : []),
    ...(features.searchHighlight ? [['highlight', 'false'] as [string, string]] : []),
  ]
  const { origin, searchUrls: pages, searchHighlight } = features
  const of = { providerUrl: server.providerUrl, origin, pages, highlighted: !searchHighlight }
  return fetchPageWithinBudget(call, {
    path: route.path,
    query: given,
    limit: Number(args['limit'] ?? DEFAULT_LIMIT),
    bounds: features.searchResultBytes ? 'result_bytes' : features.searchMaxBytes ? 'max_bytes' : 'limit',
    share: 0.6,
    render: (body) => render(String(args['query']), body, of),
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

/** How many match is worth a little to everybody: exact as far as it costs little, unless the call says otherwise. */
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

function render(query: string, body: Record<string, unknown>, of: HitsOf): ToolResult {
  const hits = rowsOf(body).map((row) => readHit(row, of))
  const results = hits.map(({ id, title, url, connectionId }) => ({
    id,
    title,
    url,
    ...(connectionId === undefined ? {} : { connection_id: connectionId }),
  }))
  return toolResult(searchText(query, body, hits), { data: body, results, notice: NOTICE })
}

/** The one line that every result repeats: what the text is, and how to go on from an id (003.14.1). */
const GUIDANCE = 'Third-party text. fetch an id as shown; connection_id only where shown.'

function searchText(query: string, body: Record<string, unknown>, hits: readonly SearchHit[]): string {
  const state = handles(body, { counted: false })
  const head = `search "${shortLine(query, 200)}": ${shownOf(body, hits)}${state === '' ? '' : ` ${state}`}`
  const lines = [head, ...explanations(body, hits), ...warningLines(body)]
  if (hits.length === 0) return lines.join('\n')
  const sources = new SourceMix(hits)
  return [
    ...lines,
    sources.line,
    GUIDANCE,
    ...hits.flatMap((hit, index) => hitLines(hit, index + 1, sources.isMixed)),
  ].join('\n')
}

/** `10 shown of 1,237 matches`: a number that was counted, or none. */
function shownOf(body: Record<string, unknown>, hits: readonly SearchHit[]): string {
  const total = totalOf(objectOf(body['meta'])['count'])
  if (hits.length === 0) return total === undefined || total === '0' ? 'no hits.' : `no hits here, of ${total} matches.`
  const shown = total === undefined ? '' : ` shown of ${total} ${total === '1' ? 'match' : 'matches'}`
  return `${hits.length}${shown === '' ? (hits.length === 1 ? ' hit' : ' hits') : shown}, best first.`
}

/** Other servers send a bare number, or estimate. */
function totalOf(count: unknown): string | undefined {
  const { kind, value } = typeof count === 'number' ? { kind: 'exact', value: count } : objectOf(count)
  if (typeof value !== 'number' || kind === 'none') return
  return kind === 'lower_bound'
    ? `over ${grouped(value)}`
    : kind === 'exact'
      ? grouped(value)
      : `about ${grouped(value)}`
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
    ...wordCounts(meta['words'], hits),
    ...(index['state'] === 'building'
      ? ['The word index is still being built: some records are not found yet.']
      : recall['complete'] === false && recall['truncated'] !== false
        ? ['More records match than are ranked here: a rarer word, a filter, since or until brings others.']
        : []),
    ...(typeof index['indexed_through'] === 'string' && hits.length === 0
      ? [`Indexed through ${index['indexed_through']}.`]
      : []),
  ]
}

/** One word that was found is counted in the first line. */
function wordCounts(words: unknown, hits: readonly SearchHit[]): string[] {
  if (!Array.isArray(words) || words.length === 0 || (words.length === 1 && hits.length > 0)) return []
  const counts = words.slice(0, 20).map((entry) => {
    const { word, records, over } = objectOf(entry)
    return `${shortLine(String(word), 60)} ${over === true ? 'over ' : ''}${grouped(Number(records ?? 0))}`
  })
  return [`Records with each word as written: ${counts.join(', ')}.`]
}
