import { type JsonObject, objectOf, objectsOf, rowsOf, textOf } from '@pdpp/mcp-server/client'
import type { ConnectionOptions } from '../../provider/connected.ts'
import { openReader, type Pairs, type Reader } from '../../provider/reader.ts'
import { UsageError } from '../../terminal/failure.ts'
import { printNote, safe, writeOut } from '../../terminal/output.ts'
import { withProgress } from '../../terminal/progress.ts'
import { conditions, parameters, splitWords } from './arguments.ts'
import { hitText } from './hit-text.ts'
import { JsonPrinter, nextPageCommand, type PrintOptions, pages } from './paging.ts'

interface SearchOptions extends ConnectionOptions, PrintOptions {
  stream?: string[]
  streams?: string
  connection?: string
  where?: string[]
  since?: string
  until?: string
  limit?: number
  cursor?: string
  all?: boolean
  count?: string
  mode?: string
  maxBytes?: number
}

const DEFAULT_LIMIT = 10

/** GET /v1/search */
export async function readSearch(words: string[], options: SearchOptions): Promise<void> {
  const { provider, rest } = splitWords(words)
  const query = rest.map(requoted).join(' ').trim()
  if (query === '') throw new UsageError('What are you looking for? Run: pdpp read search <words>')
  const reader = openReader(provider, options)
  await reader.require('--since', 'searchSince', options.since)
  await reader.require('--until', 'searchUntil', options.until)
  await reader.require('--count', 'searchCount', options.count)
  const print = options.json || options.jsonl ? new JsonPrinter(options) : hitPrinter(query, reader)
  const last = await withProgress(`Searching for ${query}`, async (progress) => {
    let body: JsonObject = {}
    // Count the matches for people. Programs that read JSON ask for a count themselves.
    const withCount = !options.json && !options.jsonl && (await reader.features()).searchCount
    const { path, pairs } = request(query, withCount ? { count: 'estimated', ...options } : options)
    for await (body of pages(reader, path, pairs, options.all === true, progress)) await print.page(body)
    return body
  })
  await print.end(last)
}

/** Puts quotes back around a phrase that the shell unquoted. If it is the only argument, it is the whole query. */
function requoted(word: string, _index: number, all: readonly string[]): string {
  return all.length > 1 && /\s/.test(word) && !word.includes('"') ? `"${word}"` : word
}

function request(query: string, options: SearchOptions): { path: string; pairs: Pairs } {
  const mode = options.mode ?? 'lexical'
  const streams = [...(options.stream ?? []), ...(options.streams?.split(',') ?? [])]
  return {
    path: mode === 'lexical' ? '/v1/search' : `/v1/search/${encodeURIComponent(mode)}`,
    pairs: [
      ['q', query],
      ...streams.map((name): [string, string] => ['streams', name]),
      ...parameters({
        connection_id: options.connection,
        since: options.since,
        until: options.until,
        limit: options.limit ?? (options.all ? 100 : DEFAULT_LIMIT),
        cursor: options.cursor,
        count: options.count,
        max_bytes: options.maxBytes,
      }),
      ...conditions(options.where),
    ],
  }
}

function hitPrinter(query: string, reader: Reader) {
  let [rank, byContext] = [0, 0]
  return {
    page: async (body: JsonObject) => {
      const rows = rowsOf(body)
      byContext += rows.filter((row) => row['match'] === 'context').length
      const hits = rows.map((row) => hitText(row, ++rank, reader))
      await writeOut(hits.map((lines) => `${lines.join('\n')}\n\n`).join(''))
    },
    end: async (last: JsonObject) => {
      if (rank === 0) nothing(query, last)
      else more(rank - byContext, byContext, last)
      nearestWords(last)
      const state = objectOf(objectOf(last['meta'])['index'])['state']
      if (state === 'building') printNote('The index is still being built. Later searches may find more.')
    },
  }
}

function nothing(query: string, last: JsonObject): void {
  const { reason, message } = objectOf(objectOf(last['meta'])['explanation'])
  printNote(
    {
      no_words: 'The query contains no word to search for.',
      not_indexed: 'Nothing found yet: the index is still being built.',
      not_granted: 'Nothing that you were granted can be searched.',
    }[String(reason)] ??
      [`Nothing found for "${query}".`, ...(typeof message === 'string' ? [safe(message)] : [])].join(' '),
  )
}

/** Suggests the nearest forms of words that no record contains. */
function nearestWords(last: JsonObject): void {
  const { words } = objectOf(last['meta'])
  for (const entry of objectsOf(words)) {
    if (!Array.isArray(entry['nearest'])) continue
    const nearest = entry['nearest'].map(objectOf).map(({ word, records }) => `${word} ${records}`)
    printNote(`No record has "${entry['word']}". Similar words: ${nearest.join(', ')}.`)
  }
}

/** The total excludes hits that were found by their context. */
function more(shown: number, byContext: number, last: JsonObject): void {
  const meta = objectOf(last['meta'])
  const { kind, value } = objectOf(meta['count'])
  const over = kind === 'lower_bound' ? 'over ' : ''
  const total =
    typeof value === 'number'
      ? ` shown of ${over}${value.toLocaleString('en')} ${value === 1 ? 'match' : 'matches'}`
      : ' found'
  const context = byContext === 0 ? '' : `, and ${byContext} by context`
  const full = meta['page_full'] === true ? ' No more fit on one page.' : ''
  printNote(`${shown}${total}${context}.${full}`)
  const cursor = textOf(last['next_cursor'])
  if (last['has_more'] === true && cursor !== undefined) printNote(`More: ${nextPageCommand(cursor)}`)
}
