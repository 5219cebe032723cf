// Data as real exports have it, read as a model reads it: from the text alone.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AdapterServer, startAdapter } from './adapter-server.ts'
import { awkwardSource } from './awkward-data.ts'

let adapter: AdapterServer
beforeAll(async () => {
  adapter = await startAdapter([awkwardSource])
}, 60_000)
afterAll(() => adapter.close())

test('003.12.2 a group without a value has none: its number of records is not shown in its place', async () => {
  const { text, structured } = await adapter.call('aggregate', {
    stream: 'things',
    metric: 'avg',
    field: 'price',
    group_by: ['keeper'],
  })
  expect(structured['data'].groups).toContainEqual({ key: 'Tomas', count: 6, value: null })
  expect(text).toContain('Ines: 6 (6 records)')
  expect(text).toContain('Tomas: none (6 records)')
  expect(text).toContain('Wanda: none (1 record)')
})
