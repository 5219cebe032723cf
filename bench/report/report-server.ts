// The sections about a running server: requests, fairness, load, memory, start and written bytes.
import type { CrowdResult } from '../server/fairness.ts'
import { ms, percent, ratio, table, verdict, whole } from './markdown.ts'
import type { SizeResult } from './report.ts'

/** Max. searches that wait in the server. */
const SEARCH_QUEUE = 64

export function loadSection(results: readonly SizeResult[]): string[] {
  const loaded = results.filter(({ load }) => load !== undefined)
  const rows = loaded.flatMap(({ ingest, load }) => {
    const floor = load!.loads[0]!.rate
    return load!.loads.map(({ name, rate, times, share, spread }) => {
      const slow = times.p99 / times.p50
      const goals = [
        ...(share === undefined ? [] : [`>= ${percent(share)}`]),
        ...(spread === undefined ? [] : [`p99 <= ${spread} x p50`]),
      ]
      const isMet = (share === undefined || rate >= share * floor) && (spread === undefined || slow <= spread)
      return [
        ...[whole(ingest.size), name, whole(rate), percent(rate / floor), ms(times.p50), ms(times.p99)],
        ...[slow.toFixed(1), goals.join('; '), goals.length === 0 ? '' : verdict(isMet)],
      ]
    })
  })
  const memory = loaded.map(({ ingest, load }) => {
    const { before = Number.NaN, after = Number.NaN } = load!.memory
    return [whole(ingest.size), whole(before), whole(after), '<= 300 MB', verdict(after <= 300, after)]
  })
  if (rows.length === 0) return []
  return [
    '## Sixteen concurrent clients',
    'A server process on loopback with keep-alive connections. The clients run on the same machine. Unless the row says otherwise, their grants have four streams of five connections. Searches ask for 25 hits and alternate between 400 different words. "Of floor": the rate as a share of the first row, which checks nothing. The goals of searches are in "The CPU of whole requests".',
    table(['records', 'request', 'per second', 'of floor', 'p50 ms', 'p99 ms', 'p99 / p50', 'goal', ''], rows),
    table(['records', 'server MB at start', 'after the load', 'goal', ''], memory),
  ]
}

export function receiptSection(results: readonly SizeResult[]): string[] {
  const rows = results.flatMap(({ ingest, receipts }) =>
    receipts
      ? [
          [
            ...[whole(ingest.size), whole(receipts.receiptBytes), whole(receipts.storeBytes)],
            '<= 500 bytes; nothing else',
            verdict(receipts.receiptBytes <= 500 && receipts.storeBytes === 0),
          ],
        ]
      : [],
  )
  if (rows.length === 0) return []
  return [
    '## What a read writes',
    'Bytes by which each file grows per read. Mean of 1,000 reads of 25 records, including indexes, after a checkpoint.',
    table(['records', 'receipts.db', 'pdpp.db', 'goal', ''], rows),
  ]
}

export function requestsSection(results: readonly SizeResult[]): string[] {
  const rows = results.flatMap(({ ingest, requests = [] }) =>
    requests.map(({ name, cpu, wall, units, goal }) => [
      ...[whole(ingest.size), name, whole(cpu), whole(wall), units.toFixed(1)],
      ...(goal === undefined ? ['', ''] : [`<= ${goal}`, verdict(units <= goal, units)]),
    ]),
  )
  if (rows.length === 0) return []
  return [
    '## The CPU of whole requests',
    'CPU: microseconds of the whole server process for each request. Time: microseconds between two answers. Sixteen clients send requests on keep-alive connections. The unit is a request for one record by key to a hand-written server. That server uses only `node:http`, checks the hash of the token, reads one row, and commits a receipt with a chained hash before it answers. The two servers take turns. Before the measurement each request is sent for three seconds, so that the threads have compiled their code.',
    table(['records', 'request', 'CPU', 'time', 'units', 'goal', ''], rows),
  ]
}

export function fairnessSection(results: readonly SizeResult[]): string[] {
  const measured = results.flatMap(({ ingest, fairness }) =>
    fairness ? [{ size: ingest.size, rows: fairness.rows, crowds: fairness.crowds }] : [],
  )
  if (measured.length === 0) return []
  const rows = measured.flatMap(({ size, rows: all }) =>
    all.map(({ name, times, neighbours, ratio: share, goal }) => [
      ...[whole(size), name, ms(times.p50), ms(times.p95), ms(times.p99), whole(neighbours ?? Number.NaN)],
      ...[ratio(share), ...(goal === undefined ? ['', ''] : [`<= ${goal}x`, verdict(share <= goal, share)])],
    ]),
  )
  const crowds = measured.flatMap(({ size, crowds: all }) =>
    all.map((crowd) => [
      ...[whole(size), whole(crowd.clients), whole(crowd.answered), ms(crowd.answeredAfter.p50)],
      ...[ms(crowd.answeredAfter.p99), whole(crowd.refused), whole(crowd.withRetryAfter)],
      ...[ms(crowd.refusedAfter.p50), ms(crowd.refusedAfter.p99), whole(crowd.megabytes ?? Number.NaN)],
      ...crowdGoal(crowd),
    ]),
  )
  return [
    '## Fairness',
    'Milliseconds until one client gets a record by its id. The client sends requests without a pause, alone and while other clients search or import. "Neighbours": how many searches or imported records the other clients complete in a second.',
    table(['records', 'record by id', 'p50', 'p95', 'p99', 'neighbours', 'p99 to alone', 'goal', ''], rows),
    'Many clients search at the same moment, with sixteen different grants. The queue of searches has a limit for each client and one in total, so it refuses some of a large crowd:',
    table(
      [
        ...['records', 'clients', 'answered', 'after p50', 'p99', 'refused', 'with Retry-After'],
        ...['refused after p50', 'p99', 'server MB', 'goal', ''],
      ],
      crowds,
    ),
  ]
}

/** A crowd that is larger than the queue must be refused in part. A smaller one may be answered completely. */
function crowdGoal({ clients, refused, withRetryAfter }: CrowdResult): string[] {
  const isOverflow = clients > SEARCH_QUEUE
  const goal = isOverflow ? 'some refused, all with Retry-After' : 'if refused, with Retry-After'
  return [goal, verdict((refused > 0 || !isOverflow) && withRetryAfter === refused)]
}

export function startSection(results: readonly SizeResult[]): string[] {
  const measured = results.flatMap(({ ingest, starts }) => (starts ? [{ size: ingest.size, ...starts }] : []))
  if (measured.length === 0) return []
  const starts = measured.map(({ size, empty, full }) => [
    ...[whole(size), whole(full.cpu), whole(full.wall), whole(empty.cpu), whole(empty.wall)],
    ...[ratio(full.cpu / empty.cpu), '<= 1.2x', verdict(full.cpu <= 1.2 * empty.cpu, full.cpu, empty.cpu)],
    ...[whole(full.restingCpu), whole(empty.restingCpu), ratio(full.restingCpu / empty.restingCpu)],
  ])
  const searches = measured.flatMap(({ size, searches: all }) =>
    all.map(({ name, first, warm }) => [
      ...[whole(size), name, whole(first), warm.toFixed(2), ratio(first / warm)],
      ...['<= 5x', verdict(first <= 5 * warm, first, warm)],
    ]),
  )
  return [
    '## Cold start',
    'The start of a server process until it is ready, compared with a start on an empty store. Afterwards the full server starts a reader thread in the background, reads the list of documents of the word index, and rehearses searches. "At rest" includes this work. Milliseconds. CPU is measured in steps of 10 ms.',
    table(
      [
        ...['records', 'CPU', 'time to ready', 'empty, CPU', 'time', 'CPU ratio', 'goal', ''],
        ...['at rest, CPU', 'empty', 'ratio'],
      ],
      starts,
    ),
    'CPU in milliseconds of the whole process for the first search after a start, and the mean of later searches. The kernel counts it exactly.',
    table(['records', 'search', 'first', 'warm', 'first / warm', 'goal', ''], searches),
  ]
}
