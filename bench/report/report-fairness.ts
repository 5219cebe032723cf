// The sections about whole requests: their CPU, and how long they take beside others.
import { ms, table, verdict, whole } from './markdown.ts'
import type { SizeResult } from './report.ts'

export function unitSection(results: readonly SizeResult[]): string[] {
  const rows = results.flatMap(({ ingest, units = [] }) =>
    units.map(({ name, cpu, wall, units: multiple, goal }) => [
      ...[whole(ingest.size), name, whole(cpu), whole(wall), multiple.toFixed(1)],
      ...(goal === undefined ? ['', ''] : [`<= ${goal}`, verdict(multiple <= goal, multiple)]),
    ]),
  )
  return [
    '## CPU of whole requests',
    'CPU of the whole server process for each request, from 16 keep-alive clients. The unit is one record by key served by hand in the same run: bare `node:http`, the hash of the token, one row, and a receipt that continues a chain of hashes, committed before the answer.',
    table(['records', 'request', 'CPU us', 'wall us', 'units', 'goal', ''], rows),
  ]
}

export function fairnessSection(results: readonly SizeResult[]): string[] {
  const rows = results.flatMap(({ ingest, fairness }) =>
    (fairness?.rows ?? []).map(({ name, times, neighbours, ratio, goal }) => [
      ...[whole(ingest.size), name, ms(times.p50), ms(times.p99), ratio.toFixed(1), whole(neighbours ?? Number.NaN)],
      ...(goal === undefined ? ['', ''] : [`<= ${goal}`, verdict(ratio <= goal, ratio)]),
    ]),
  )
  const crowds = results.flatMap(({ ingest, fairness }) => {
    if (!fairness) return []
    const { answered, refused, withRetryAfter, refusedAfter, megabytes = Number.NaN } = fairness.crowd
    return [
      [
        ...[whole(ingest.size), whole(answered), whole(refused), whole(withRetryAfter), ms(refusedAfter.p99)],
        ...[whole(megabytes), 'bounded; all with Retry-After', verdict(refused > 0 && withRetryAfter === refused)],
      ],
    ]
  })
  return [
    '## Beside others',
    'One client reads one record after another. "Neighbours" are searches or ingested records per second of the others meanwhile. Each of the 16 searchers has its own grant and asks for two words.',
    table(['records', 'record by id', 'p50 ms', 'p99 ms', 'p99 to alone', 'neighbours', 'goal', ''], rows),
    '256 clients search at once, once each.',
    table(
      ['records', 'answered', 'refused', 'with Retry-After', 'refused after, p99 ms', 'server MB', 'goal', ''],
      crowds,
    ),
  ]
}
