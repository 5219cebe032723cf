// The sections about a running server: requests, fairness, load, memory, start and written bytes.
import { ms, percent, ratio, table, verdict, whole } from './markdown.ts'
import type { SizeResult } from './report.ts'

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
    'A server process on loopback with keep-alive connections. Unless the row says otherwise, client grants have four streams of five connections. The clients run on the same machine. Searches ask for 25 hits and alternate between 400 different words.',
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
    'Bytes per read, over 1,000 reads of 25 records, including indexes, after a checkpoint.',
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
    'Microseconds of CPU of the whole server process for each request, with sixteen clients on keep-alive connections, and the time between two answers. The unit is one record by key, served by hand: bare `node:http`, the hash of the token, one row, and a receipt in a chain of hashes that is committed before the answer. The two servers take turns.',
    table(['records', 'request', 'CPU', 'time', 'units', 'goal', ''], rows),
  ]
}

export function fairnessSection(results: readonly SizeResult[]): string[] {
  const measured = results.flatMap(({ ingest, fairness }) =>
    fairness ? [{ size: ingest.size, rows: fairness.rows, crowd: fairness.crowd }] : [],
  )
  if (measured.length === 0) return []
  const rows = measured.flatMap(({ size, rows: all }) =>
    all.map(({ name, times, neighbours, ratio: share, goal }) => [
      ...[whole(size), name, ms(times.p50), ms(times.p95), ms(times.p99), whole(neighbours ?? Number.NaN)],
      ...[ratio(share), ...(goal === undefined ? ['', ''] : [`<= ${goal}x`, verdict(share <= goal, share)])],
    ]),
  )
  const crowds = measured.map(({ size, crowd }) => [
    ...[whole(size), whole(crowd.answered), whole(crowd.refused), whole(crowd.withRetryAfter)],
    ...[ms(crowd.refusedAfter.p50), ms(crowd.refusedAfter.p99), whole(crowd.megabytes ?? Number.NaN)],
    ...['some refused, all with Retry-After', verdict(crowd.refused > 0 && crowd.withRetryAfter === crowd.refused)],
  ])
  return [
    '## Fairness',
    'Milliseconds of a record by id, read by one client without a pause, alone and beside others. "Neighbours": searches or records that the others got done in a second.',
    table(['records', 'record by id', 'p50', 'p95', 'p99', 'neighbours', 'p99 to alone', 'goal', ''], rows),
    '256 clients that search at the same moment:',
    table(
      ['records', 'answered', 'refused', 'with Retry-After', 'refused after p50', 'p99', 'server MB', 'goal', ''],
      crowds,
    ),
  ]
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
    'A server process until it is ready, and one with an empty store. Then, in the background, the full one starts a reader thread, which reads the documents of the word index: "at rest" includes this. Milliseconds; CPU is known to 10 ms.',
    table(
      [
        ...['records', 'CPU', 'time to ready', 'empty, CPU', 'time', 'CPU ratio', 'goal', ''],
        ...['at rest, CPU', 'empty', 'ratio'],
      ],
      starts,
    ),
    'CPU in milliseconds of the whole process for the first search after the start, and of a later one. The first is known to 10 ms.',
    table(['records', 'search', 'first', 'warm', 'first / warm', 'goal', ''], searches),
  ]
}
