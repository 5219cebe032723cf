// Data as in real exports, read by a model that sees only text.
import { escapeStrings } from '@pdpp/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifies } from '../fixtures/verifies.ts'
import { type AdapterServer, startAdapter } from './adapter-server.ts'
import { AWKWARD_KEYS, awkwardSource, KINDS } from './awkward-data.ts'

let adapter: AdapterServer
beforeAll(async () => {
  adapter = await startAdapter([awkwardSource])
})
afterAll(() => adapter.close())

verifies('003.12.2', 'a group without a value shows none', async () => {
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
  expect(text).toContain('\n"": none (1 record)')
})

/** The ids of a text as a reader copies them: from their start to the character that ends them. */
const shownIds = (text: string, start: RegExp, end: string) =>
  text
    .split('\n')
    .filter((line) => start.test(line))
    .map((line) => line.replace(start, '').split(end)[0]!.trim())

verifies(['003.19.1', '003.14.1'], 'hostile keys stay on one line and can be fetched', async () => {
  const page = await adapter.call('query_records', { stream: 'things', fields: ['name'], sort: 'made_at' })
  const rows = shownIds(page.text, /(?=^awk\/)/, ' | ')
  expect(rows).toHaveLength(AWKWARD_KEYS.length + 2)
  let found: string[] = []
  for (let cursor: string | undefined; found.length < AWKWARD_KEYS.length; ) {
    const { text, structured } = await adapter.call('search', { query: 'pineapple', ...(cursor ? { cursor } : {}) })
    const hits = shownIds(text, /^\d+\. /, ' · ')
    expect(hits).toEqual(structured['results'].map(({ id }: { id: string }) => id))
    found = [...found, ...hits]
    cursor = structured['data'].next_cursor
  }
  expect(new Set(found)).toEqual(new Set(rows.slice(0, -2)))
  for (const [n, id] of rows.slice(0, -2).entries()) {
    expect(id).not.toMatch(/[\p{Cc}\p{Default_Ignorable_Code_Point}]/u)
    const { structured } = await adapter.call('fetch', { id })
    // Invisible characters are encoded in a key as they are in an id.
    const shownKey = escapeStrings(AWKWARD_KEYS[n], 'record_key')
    expect(structured).toMatchObject({ id, title: `Thing ${n}`, metadata: { record_key: shownKey } })
    const next = await adapter.call('read_record_field', { id, field_path: 'note' })
    expect(next.text).toContain(`pineapple number ${n}`)
    expect((await adapter.call('query_records', { stream: 'things', around: id, limit: 1 })).isError).toBe(false)
  }
})

verifies('001.2.3', 'a cut JSON value continues where its text says', async () => {
  const { text } = await adapter.call('query_records', { stream: 'things', filter: { key: 'nested' } })
  const [, shown, field, offset] =
    / \| (\{.*) \[600 of 8\d\d chars; read_record_field field_path="(\w+)" offset_chars=(\d+)\]/.exec(text)!
  const rest = await adapter.call('read_record_field', {
    id: 'awk/things:nested',
    field_path: field,
    offset_chars: Number(offset),
  })
  const whole = JSON.parse(`${shown}${rest.text.split('\n\n').slice(1).join('\n\n')}`)
  expect(whole).toEqual({ alpha: 'a'.repeat(400), mid: { a: 1, b: 2 }, zeta: 'z'.repeat(400) })
})

verifies('001.2', 'the cursors around a record keep their arguments', async () => {
  const around = { stream: 'things', around: 'awk/things:two  spaces', limit: 3, fields: ['name'] }
  const { text } = await adapter.call('query_records', around)
  expect(text).toContain('Thing 6')
  const cursor = (name: string) => new RegExp(` ${name}=(\\S+)`).exec(text)?.[1]
  const next = await adapter.call('query_records', { ...around, cursor: cursor('next_cursor') })
  expect(next.text.match(/Thing \d+/g)).toEqual(['Thing 8', 'Thing 9', 'Thing 10'])
  const before = await adapter.call('query_records', { ...around, cursor: cursor('previous_cursor') })
  expect(before.text.match(/Thing \d+/g)).toEqual(['Thing 2', 'Thing 3', 'Thing 4'])
})

test('a record of another stream is refused by name', async () => {
  const { text, isError } = await adapter.call('query_records', { stream: 'things', around: 'awk/parts:p1' })
  expect(isError).toBe(true)
  expect(text).toMatch(/^invalid_argument .*the stream "parts", not to "things"\.\nNext: .*stream "parts"/)
})

test('structured output explains keys with separators', async () => {
  const { structured } = await adapter.call('query_records', { stream: 'things', filter: { key: AWKWARD_KEYS[0] } })
  expect(structured['id_form']).toBe('connection_id/stream:id, with % / and \\ of id as %25 %2F and %5C')
  const [{ connection_id, stream, id }] = structured['data'].data
  const key = id.replaceAll('%', '%25').replaceAll('/', '%2F').replaceAll('\\', '%5C')
  expect((await adapter.call('fetch', { id: `${connection_id}/${stream}:${key}` })).structured['title']).toBe('Thing 0')
})

verifies('001.2', 'related records that are left out come with the call that lists them', async () => {
  const { text } = await adapter.call('fetch', { id: 'awk/things:two%0Alines', expand: ['parts'] })
  const [, args] = /parts: 2 shown, there are more: query_records (\{.*\})/.exec(JSON.parse(text).text)!
  const all = await adapter.call('query_records', JSON.parse(args!))
  expect(all.text).toMatch(/^parts: 9 records, all there are/)
})

test('a list that is written as a text is read as a list', async () => {
  const fields = await adapter.call('query_records', {
    stream: 'things',
    fields: '["name","note"]',
    sort: 'made_at',
    limit: 1,
  })
  expect(fields.text).toContain('id | name | note')
  expect((await adapter.call('search', { query: 'pineapple', streams: '["things"]' })).isError).toBe(false)
  const groups = await adapter.call('aggregate', { stream: 'things', metric: 'count', group_by: '["keeper"]' })
  expect(groups.text).toContain('Ines: 6')
  const wrong = await adapter.call('query_records', { stream: 'things', fields: '[1]' })
  expect(wrong.text).toMatch(/^invalid_argument \(400, fields\): fields must be a list of strings/)
})

test('a refused search names the argument to change', async () => {
  const since = await adapter.call('search', { query: 'pineapple', since: 'yesterday' })
  expect(since.text).toMatch(
    /^invalid_filter \(400, since\): .*\nNext: Give since as 2026-01-31, or as 2026-01-31T09:00:00Z\.$/,
  )
  const filter = await adapter.call('search', { query: 'pineapple', filter: { keeper: 'Ines' } })
  expect(filter.text).toMatch(/^unknown_field \(400, filter\): .*\nNext: A filter must fit every stream/)
  expect(filter.structured['error'].next_step).toContain('name those with this field in streams')
  const narrowed = await adapter.call('search', { query: 'pineapple', filter: { keeper: 'Ines' }, streams: ['things'] })
  expect(narrowed.isError).toBe(false)
})

verifies(['000.7.2', '000.7.3'], 'a requested field without a value is said to have none', async () => {
  const { structured } = await adapter.call('fetch', { id: 'awk/things:nested', fields: ['name', 'price', 'note'] })
  expect(structured['text']).toBe('name: Nested\nno value: price, note')
  const page = await adapter.call('query_records', { stream: 'things', filter: { key: 'nested' }, fields: ['price'] })
  expect(page.text).toContain('\nempty in every row: price\n')
})

test('a refusal names arguments of the tool, and a hit the zone of its time', async () => {
  const { text, structured } = await adapter.call('fetch', { id: 'awk/things:nothing' })
  expect(text).toMatch(/^not_found \(404, id\): /)
  expect(structured['error'].param).toBe('id')
  const field = await adapter.call('read_record_field', { id: 'awk/things:nested', field_path: 'nothing' })
  expect(field.text).toMatch(/^unknown_field \(400, field_path\): /)
  expect((await adapter.call('search', { query: 'pineapple' })).text).toMatch(/^1\. .* · Thu 2026-01-01 \d\d:00Z/m)
})

verifies('000.5.2', 'a frequent value finds its records, or says that it is cut', async () => {
  const { text, structured } = await adapter.call('schema', { stream: 'things' })
  const values = structured['data'].connectors[0].streams[0].frequent_values.kind
  expect(values).toContainEqual({ value: `${'l'.repeat(100)}…`, count: 4, truncated: true })
  expect(text).toContain(`${'l'.repeat(100)}… 4 (cut, so no filter)`)
  for (const kind of KINDS.slice(0, 2)) {
    expect(text).toContain(`${kind} 4`)
    const found = await adapter.call('query_records', { stream: 'things', filter: { kind }, fields: ['name'] })
    expect(found.text).toMatch(/^things: 4 records/)
  }
})

test('an id whose key is not encoded is refused with the way to write it', async () => {
  const { text } = await adapter.call('fetch', { id: `awk/things:${AWKWARD_KEYS[0]}` })
  expect(text).toMatch(/Next: .*with %, \/ and \\ of the key as %25, %2F and %5C/)
})

verifies('001.3.1', 'the last part of a field says that it is the last', async () => {
  const part = { id: 'awk/things:nested', field_path: 'nested', offset_chars: 600 }
  const { text, structured } = await adapter.call('read_record_field', part)
  expect(text).toMatch(/: chars 600-(8\d\d) of \1, complete=false, the end\.\n/)
  expect(structured['next']).toBeUndefined()
  const middle = await adapter.call('read_record_field', { ...part, limit_chars: 10 })
  expect(middle.text).toMatch(/: chars 600-610 of 8\d\d, complete=false\.\nnext: /)
})
