// The sections about search over many connections, after writes and in long texts.

import { CONNECTION_COUNTS } from '../search/connections.ts'
import type { LongTextResult } from '../search/long-texts.ts'
import { LONG_RECORDS } from '../search/long-texts.ts'
import { ms, ratio, table, verdict, whole } from './markdown.ts'
import type { SizeResult } from './report.ts'

const CONNECTIONS_GOAL = 1.2
const AFTER_WRITE_GOAL = 2

export function connectionsSection(results: readonly SizeResult[]): string[] {
  const rows = results.flatMap(({ connections = [] }) =>
    connections.map(({ size, name, times, few }) => {
      const cpus = times.map(({ cpu }) => cpu)
      const spread = Math.max(...cpus) / Math.min(...cpus)
      return [
        ...[whole(size), name, ...times.flatMap(({ cpu, p50 }) => [ms(cpu), ms(p50)]), ratio(spread)],
        ...[`<= ${CONNECTIONS_GOAL}x`, verdict(spread <= CONNECTIONS_GOAL, spread)],
        ...[ms(few.cpu), ratio(few.cpu / cpus.at(-1)!)],
      ]
    }),
  )
  if (rows.length === 0) return []
  const heads = CONNECTION_COUNTS.flatMap((count) => [`${count} connection${count === 1 ? '' : 's'}, CPU`, 'p50'])
  return [
    '## Search over many connections',
    'The core, as above. The stores have the same records in different numbers of connections, and the owner searches all of them. Milliseconds. "Spread" is the largest CPU divided by the smallest. The last two columns show searches under a grant of two of the 200 connections. These two have 1 % of the records.',
    table(['records', 'query', ...heads, 'spread', 'goal', '', '2 of 200, CPU', 'to all 200'], rows),
  ]
}

export function afterWritesSection(results: readonly SizeResult[]): string[] {
  const rows = results.flatMap(({ ingest, afterWrites = [] }) =>
    afterWrites.map(({ write, query, samples, first, next }) => {
      const share = first / next
      return [
        ...[whole(ingest.size), query, write, whole(samples), ms(first), ms(next), ratio(share)],
        ...[`<= ${AFTER_WRITE_GOAL}x`, verdict(share <= AFTER_WRITE_GOAL, share)],
      ]
    }),
  )
  if (rows.length === 0) return []
  return [
    '## The first search after a write',
    'Mean CPU in milliseconds. "First" is the first search after a write, "next" are the searches after it. Each search returns 25 hits, under a grant that starts in 2020 and includes six tenths of the records. "A merge" is a write of 1,000 records after which segments of the word index were merged.',
    'The thread that searches, if it searches at once. It is also the thread that has just written, so its caches of the processor are cold.',
    table(['records', 'query', 'after', 'samples', 'first', 'next', 'first / next', 'goal', ''], rows),
    'Whole requests to a server process, with 10 hits: the CPU of all its threads. The search comes 0.4 seconds after the write and the merges that follow it. By then idle threads have read what was written. "Ahead" is the CPU of the whole process in this time. The rows after nothing show what the pause itself costs, and "to pause" is "first" as a multiple of it.',
    table(
      ['records', 'query', 'after', 'samples', 'first', 'next', 'first / next', 'goal', '', 'to pause', 'ahead'],
      requestRows(results),
    ),
  ]
}

function requestRows(results: readonly SizeResult[]): string[][] {
  return results.flatMap(({ ingest, requestsAfterWrites = [] }) =>
    requestsAfterWrites.map(({ write, query, samples, first, next, toPause, ahead }) => {
      const share = first / next
      const isGoal = write !== 'nothing'
      return [
        ...[whole(ingest.size), query, write, whole(samples), ms(first * 1000), ms(next * 1000), ratio(share)],
        ...(isGoal ? [`<= ${AFTER_WRITE_GOAL}x`, verdict(share <= AFTER_WRITE_GOAL, share)] : ['', '']),
        ...[ratio(toPause), ms(ahead * 1000)],
      ]
    }),
  )
}

export function longTextsSection(results: readonly LongTextResult[]): string[] {
  const rows = results.map(({ name, long, short, goal }) => {
    const share = long.cpu / short.cpu
    return [
      ...[name, ms(long.cpu), ms(long.p50), ms(short.cpu), ms(short.p50), ratio(share)],
      ...(goal === undefined ? ['', ''] : [`<= ${goal}x`, verdict(share <= goal, share)]),
    ]
  })
  return [
    '## Long texts',
    `Whole requests in process over ${whole(LONG_RECORDS)} records of 100 KB, compared with as many short records. Milliseconds. A long text contains many different words, so each word is in many more of the long texts than of the short ones.`,
    table(['request', 'long, CPU', 'p50', 'short, CPU', 'p50', 'CPU ratio', 'goal', ''], rows),
  ]
}
