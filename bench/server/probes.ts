// Requests that are measured with stores of every size, to show which of them get slower when a store grows.
import type { RunningServer } from '@pdpp/server'
import { type BenchFeed, idOf } from '../data/generator.ts'
import { BIG_STREAM } from '../data/source.ts'
import { request } from '../reads/reads.ts'
import { compare, type Timing } from '../report/measure.ts'

export const PROBES = [
  'page',
  'record',
  'search, rare word',
  'search, 10 % word',
  'aggregate count',
  'aggregate group_by channel',
  'schema index',
] as const
export type Probes = Record<(typeof PROBES)[number], Timing>

const BUDGET_MS = 1000

export function measureProbes(
  server: Pick<RunningServer, 'app'>,
  token: string,
  feed: BenchFeed,
  words: { readonly rare: string; readonly ten: string },
): Promise<Probes> {
  const stream = `/v1/streams/${BIG_STREAM}`
  const key = (round: number) => idOf(feed, (Math.imul(round, 7919) >>> 0) % feed.count)
  const get = (path: string) => request(server, path, token)
  return compare(
    {
      page: () => get(`${stream}/records`),
      record: (round) => get(`${stream}/records/${key(round)}`),
      'search, rare word': () => get(`/v1/search?q=${words.rare}`),
      'search, 10 % word': () => get(`/v1/search?q=${words.ten}`),
      'aggregate count': () => get(`${stream}/aggregate?metric=count`),
      'aggregate group_by channel': () => get(`${stream}/aggregate?metric=count&group_by=channel`),
      'schema index': () => get('/v1/schema?view=compact'),
    },
    BUDGET_MS,
  )
}
