import { handles, warningLines } from '../../rendering/header.ts'
import { grouped, shortLine } from '../../rendering/safe-text.ts'
import { type JsonObject, objectOf } from '../../resource-server/envelope.ts'
import { hitLines, sharedLabels, sharedLines } from './hit-text.ts'
import type { SearchHit } from './search-hit.ts'
import { SourceMix } from './source-mix.ts'

export interface SearchTextOptions {
  readonly query: string
  readonly limit: number
}

/** Every result repeats this line: the origin of the text, and how to use an id (003.14.1). */
const GUIDANCE = 'Third-party text. fetch an id as shown; connection_id only where shown.'

export function searchText(
  { query, limit }: SearchTextOptions,
  body: Readonly<JsonObject>,
  hits: readonly SearchHit[],
): string {
  const state = handles(body, { counted: false })
  const head = `search "${shortLine(query, 200)}": ${shownOf(body, hits, limit)}${state === '' ? '' : ` ${state}`}`
  const lines = [head, ...explanations(body, hits), ...warningLines(body)]
  if (hits.length === 0) return lines.join('\n')
  const sources = new SourceMix(hits)
  const shared = sharedLabels(hits)
  const shownBy = places(hits)
  return [
    ...lines,
    sources.line,
    ...sharedLines(shared),
    GUIDANCE,
    ...hits.flatMap((hit, index) => hitLines(hit, index + 1, { isMixed: sources.isMixed, shared, shownBy })),
  ].join('\n')
}

/** The place of each record on the page: its own hit, otherwise the hit that it is shown next to. */
function places(hits: readonly SearchHit[]): Map<string, string> {
  const beside = hits.flatMap(({ context }, index): [string, string][] =>
    context?.excerpt ? [[context.id, `see ${index + 1}`]] : [],
  )
  return new Map([...beside.reverse(), ...hits.map(({ id }, index): [string, string] => [id, `hit ${index + 1}`])])
}

/** For example `10 shown of 1,237 matches, best first.` The total excludes hits that were found by their context. */
function shownOf(body: Readonly<JsonObject>, hits: readonly SearchHit[], limit: number): string {
  const meta = objectOf(body['meta'])
  const total = totalOf(meta['count'])
  if (hits.length === 0) return total === undefined || total === '0' ? 'no hits.' : `no hits here, of ${total} matches.`
  const byContext = hits.filter(({ match }) => match === 'context').length
  const matches = hits.length - byContext
  const words =
    total === undefined
      ? counted(matches, 'hit')
      : `${matches} shown of ${total} ${total === '1' ? 'match' : 'matches'}`
  const context = byContext === 0 ? '' : ` and ${byContext} by context`
  if (matches === 0 && total === '0') return `no match, ${byContext} by context, best first.`
  const full = meta['page_full'] === true ? ` (limit ${grouped(limit)}: no more fit)` : ''
  return `${words}${context}, best first${full}.`
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

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
function explanations(body: Readonly<JsonObject>, hits: readonly SearchHit[]): string[] {
  const meta = objectOf(body['meta'])
  const recall = objectOf(meta['recall'])
  const index = objectOf(meta['index'])
  const message = objectOf(meta['explanation'])['message']
  return [
    ...(typeof message === 'string' ? [shortLine(message, 300)] : []),
    ...wordsLine(meta['words'], hits),
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

/**
 * Says whether any hit contains all words, and how many records contain each word. An earlier page may have hits with
 * all of them.
 */
function wordsLine(words: unknown, hits: readonly SearchHit[]): string[] {
  const isPartial = hits.length > 0 && hits.every(({ match }) => match === 'some_words' || match === 'context')
  const partial = isPartial ? 'None of these has all of the words.' : undefined
  const line = [partial, wordCounts(words, hits)].filter((part) => part !== undefined).join(' ')
  return line === '' ? [] : [line]
}

const MAX_WORDS = 20
const MAX_NEAREST = 3

/** Counts per word. Left out for a single word with hits, because the first line has that count. */
function wordCounts(words: unknown, hits: readonly SearchHit[]): string | undefined {
  if (!Array.isArray(words) || words.length === 0) return
  const counts = words.slice(0, MAX_WORDS).map(objectOf)
  if (counts.length === 1 && hits.length > 0 && counts[0]!['nearest'] === undefined) return
  const texts = counts.map((count) => {
    const nearest = Array.isArray(count['nearest']) ? count['nearest'].slice(0, MAX_NEAREST).map(objectOf) : []
    return `${wordCount(count)}${nearest.length === 0 ? '' : ` (${nearest.map(wordCount).join(', ')})`}`
  })
  return `Records with each word as written: ${texts.join(', ')}.`
}

const wordCount = ({ word, records, over }: Readonly<JsonObject>): string =>
  `${shortLine(String(word), 60)} ${over === true ? 'over ' : ''}${grouped(Number(records ?? 0))}`
