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
    // `results` has the addresses already, and models do not need highlight tags.
    ...(features.searchUrls ? [['urls', 'false'] as [string, string]] : []),
    ...(features.searchHighlight ? [['highlight', 'false'] as [string, string]] : []),
  ]
  const { origin, searchUrls: pages, searchHighlight } = features
  const of = { providerUrl: server.providerUrl, origin, pages, highlighted: !searchHighlight }
  return fetchPageWithinBudget(call, {
    path: route.path,
    query,
    limit: Number(args['limit'] ?? DEFAULT_LIMIT),
    bounds: features.searchResultBytes ? 'result_bytes' : features.searchMaxBytes ? 'max_bytes' : 'limit',
    share: 0.6,
    render: (body) => render(String(args['query']), body, of),
  }).catch((error: unknown) => {
    throw error instanceof Refusal ? withSearchAdvice(error) : error
  })
}

/** Replaces the next step, because a search covers many streams and the error names just one of them. */
function withSearchAdvice({ failure }: Refusal): Refusal {
  const { code, param } = failure
  if (code === 'invalid_filter' && (param === 'since' || param === 'until'))
    return new Refusal({ ...failure, next_step: `Give ${param} as 2026-01-31, or as 2026-01-31T09:00:00Z.` })
  if (code !== 'unknown_field' || param !== 'filter') return new Refusal(failure)
  const next_step =
    'A filter must fit every stream that is searched: name those with this field in streams, and their source in connection_id.'
  return new Refusal({ ...failure, next_step })
}

/** Asks for an estimated count by default, which is cheap. */
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

/** Every result repeats this line: where the text comes from, and how to use an id (003.14.1). */
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

/** For example `10 shown of 1,237 matches`. Without a count it shows no total. */
function shownOf(body: Record<string, unknown>, hits: readonly SearchHit[]): string {
  const total = totalOf(objectOf(body['meta'])['count'])
  if (hits.length === 0) return total === undefined || total === '0' ? 'no hits.' : `no hits here, of ${total} matches.`
  const shown = total === undefined ? '' : ` shown of ${total} ${total === '1' ? 'match' : 'matches'}`
  return `${hits.length}${shown === '' ? (hits.length === 1 ? ' hit' : ' hits') : shown}, best first.`
}

/** The total as text. Other servers send a bare number or an estimate. */
function totalOf(count: unknown): string | undefined {
  const { kind, value } = typeof count === 'number' ? { kind: 'exact', value: count } : objectOf(count)
  if (typeof value !== 'number' || kind === 'none') return
  return kind === 'lower_bound'
    ? `over ${grouped(value)}`
    : kind === 'exact'
      ? grouped(value)
      : `about ${grouped(value)}`
}

/** Explains why there are few hits, how many records were ranked, and how fresh the index is. */
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

/** Counts per word. Left out for a single word with hits, because the first line has that count. */
function wordCounts(words: unknown, hits: readonly SearchHit[]): string[] {
  if (!Array.isArray(words) || words.length === 0 || (words.length === 1 && hits.length > 0)) return []
  const counts = words.slice(0, 20).map((entry) => {
    const { word, records, over } = objectOf(entry)
    return `${shortLine(String(word), 60)} ${over === true ? 'over ' : ''}${grouped(Number(records ?? 0))}`
  })
  return [`Records with each word as written: ${counts.join(', ')}.`]
}
