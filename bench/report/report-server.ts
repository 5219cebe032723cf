// The sections about a running server: load, memory and written bytes.
import { ms, percent, table, verdict, whole } from './markdown.ts'
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
  return [
    '## Sixteen concurrent clients',
    'A server process on loopback with keep-alive connections. Unless the row says otherwise, client grants have four streams of five connections. The clients run on the same machine. Searches ask for 25 hits and alternate between 400 different words.',
    table(['records', 'request', 'per second', 'of floor', 'p50 ms', 'p99 ms', 'p99 / p50', 'goal', ''], rows),
    table(['records', 'server MB at start', 'after the load', 'goal', ''], memory),
  ]
}

export function receiptSection(results: readonly SizeResult[]): string[] {
  const rows = results.map(({ ingest, receipts }) => [
    whole(ingest.size),
    whole(receipts.receiptBytes),
    whole(receipts.storeBytes),
    '<= 500 bytes; nothing else',
    verdict(receipts.receiptBytes <= 500 && receipts.storeBytes === 0),
  ])
  return [
    '## What a read writes',
    'Bytes per read, over 1,000 reads of 25 records, including indexes, after a checkpoint.',
    table(['records', 'receipts.db', 'pdpp.db', 'goal', ''], rows),
  ]
}
