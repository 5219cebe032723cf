// Data as real exports have it, read as a model reads it: from the text alone.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AdapterServer, startAdapter } from './adapter-server.ts'
import { AWKWARD_KEYS, awkwardSource } from './awkward-data.ts'

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

/** The ids of a text, as a reader copies them: from the place where they stand to what ends them there. */
const shownIds = (text: string, start: RegExp, end: string) =>
  text
    .split('\n')
    .filter((line) => start.test(line))
    .map((line) => line.replace(start, '').split(end)[0]!.trim())

test('003.19.1 003.14.1 a key is no line, no column and no hidden word: each id stands whole, and fetches its record', async () => {
  const page = await adapter.call('query_records', { stream: 'things', fields: ['name'], sort: 'made_at' })
  const rows = shownIds(page.text, /(?=^awk\/)/, ' | ')
  expect(rows).toHaveLength(AWKWARD_KEYS.length + 1)
  let found: string[] = []
  for (let cursor: string | undefined; found.length < AWKWARD_KEYS.length; ) {
    const { text, structured } = await adapter.call('search', { query: 'pineapple', ...(cursor ? { cursor } : {}) })
    const hits = shownIds(text, /^\d+\. /, ' · ')
    expect(hits).toEqual(structured['results'].map(({ id }: { id: string }) => id))
    found = [...found, ...hits]
    cursor = structured['data'].next_cursor
  }
  expect(new Set(found)).toEqual(new Set(rows.slice(0, -1)))
  for (const [n, id] of rows.slice(0, -1).entries()) {
    expect(id).not.toMatch(/[\p{Cc}\p{Default_Ignorable_Code_Point}]/u)
    const { structured } = await adapter.call('fetch', { id })
    expect(structured).toMatchObject({ id, title: `Thing ${n}`, metadata: { record_key: AWKWARD_KEYS[n] } })
    const next = await adapter.call('read_record_field', { id, field_path: 'note' })
    expect(next.text).toContain(`pineapple number ${n}`)
    expect((await adapter.call('query_records', { stream: 'things', around: id, limit: 1 })).isError).toBe(false)
  }
})
