// Values that a model copies from the text of a result into the filter of its next call.
import { afterAll, beforeAll, expect } from 'vitest'
import { declaration, key, stream, text } from '../fixtures/declaration.ts'
import { verifies } from '../fixtures/verifies.ts'
import { type AdapterServer, startAdapter } from './adapter-server.ts'

/** Values that look alike on one line. Their place in the list is how many records have them, less one. */
const VALUES = ['food', 'food ', ' food', 'food\ndrink', 'food  drink', 'food drink', 'a, b', 'room 5']

let adapter: AdapterServer
beforeAll(async () => {
  const kinds = VALUES.flatMap((kind, n) => Array.from({ length: n + 1 }, (_, i) => ({ id: `${n}-${i}`, kind })))
  adapter = await startAdapter([
    {
      declaration: declaration('shop', {
        orders: stream({ id: key(), kind: text() }, { query: { aggregations: { group_by: ['kind'] } } }),
      }),
      connections: [{ id: 'shop' }],
      feeds: [{ connection: 'shop', stream: 'orders', records: kinds.map((data) => ({ key: data.id, data })) }],
    },
  ])
})
afterAll(() => adapter.close())

const copied = (label: string): string => (label.startsWith('"') ? JSON.parse(label) : label)

async function counted(kind: string): Promise<number> {
  const args = { stream: 'orders', filter: { kind }, count: 'exact', limit: 1 }
  return (await adapter.call('query_records', args)).structured['data'].meta.count.value
}

verifies('003.12.2', 'each group of an aggregate can be filtered by its key as shown', async () => {
  const { text: shown } = await adapter.call('aggregate', { stream: 'orders', metric: 'count', group_by: ['kind'] })
  const groups = shown
    .split('\n')
    .slice(1)
    .map((line) => /^(.*): (\d+)$/.exec(line)!)
  expect(groups).toHaveLength(VALUES.length)
  for (const [, label, count] of groups) expect([label, await counted(copied(label!))]).toEqual([label, Number(count)])
})

verifies('000.5.2', 'each frequent value of the schema can be filtered by as shown', async () => {
  const { text: shown } = await adapter.call('schema', { stream: 'orders' })
  const line = /^most frequent kind: (.*)$/m.exec(shown)![1]!
  const values = [...line.matchAll(/("(?:[^"\\]|\\.)*"|[^",]+?) (\d+)(?:, |$)/g)]
  expect(values).toHaveLength(VALUES.length)
  for (const [, label, count] of values) expect([label, await counted(copied(label!))]).toEqual([label, Number(count)])
})
