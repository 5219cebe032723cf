// Results on hostile data are bounded, have the same facts in both forms, and say how to continue if something is not
// shown.
import { parseResultId } from '@pdpp/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifies } from '../fixtures/verifies.ts'
import { type AdapterServer, startAdapter, type ToolAnswer } from './adapter-server.ts'
import {
  HOSTILE_STREAMS,
  hostileSource,
  JOINED,
  longKey,
  longName,
  manyStreams,
  RECORDS,
  streamName,
  WIDE_FIELDS,
} from './hostile-data.ts'

const DEFAULT = 10_000
const LARGE = 40_000
const HEAD = 2_000

let hostile: AdapterServer
beforeAll(async () => {
  hostile = await startAdapter([hostileSource])
}, 120_000)
afterAll(() => hostile.close())

const bytes = (value: unknown) => Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value))
const withinBudget = ({ text, structured }: ToolAnswer, budget = DEFAULT) => {
  expect(bytes(text)).toBeLessThanOrEqual(budget)
  expect(bytes(structured)).toBeLessThanOrEqual(budget)
}
/** The part that every host keeps. */
const heads = ({ text, structured }: ToolAnswer) =>
  [text, JSON.stringify(structured)].map((form) => Buffer.from(form).subarray(0, HEAD).toString('utf8'))
const inBothHeads = (answer: ToolAnswer, handle: string) => {
  for (const head of heads(answer)) expect(head).toContain(JSON.stringify(handle).slice(1, -1))
}
const idOf = ({ connection_id, stream, id }: Record<string, string>) =>
  `${connection_id}/${stream}:${id!.replace(/[%/\\]/g, encodeURIComponent)}`
/** The ids of a text: each is at the start of a row, or after the rank of a hit. */
const idsInTable = (text: string) => [...text.matchAll(/^(hostile-\d\/\w+:[^\s|]*) \|/gm)].map((match) => match[1])
const idsOfHits = (text: string) => [...text.matchAll(/^\d+\. (hostile-\d\/\w+:\S*) ·/gm)].map((match) => match[1])
/** Joiners and emoji selectors have their own test. */
const NOTHING_HIDDEN = /[[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029]--[\u200c\u200d\ufe0e\ufe0f]]/v
const LINK = /\]\(/

/** Reads every page by the cursor that the text shows. Both forms must show the same rows. */
async function walk(tool: string, args: object, idsIn: (text: string) => (string | undefined)[]) {
  const seen: string[] = []
  let cursor: string | undefined
  for (let page = 0; page < 200; page++) {
    const answer = await hostile.call(tool, { ...args, ...(cursor ? { cursor } : {}) })
    expect(answer.isError, answer.text).toBe(false)
    withinBudget(answer)
    const rows: any[] = answer.structured['data'].data
    const structured = rows.map((row) => (tool === 'search' ? row.id : idOf(row)))
    expect(idsIn(answer.text)).toEqual(structured)
    if (tool === 'search') expect(answer.structured['results'].map(({ id }: any) => id)).toEqual(structured)
    seen.push(...structured)
    cursor = /\bnext_cursor=(\S+)/.exec(answer.text)?.[1]
    expect(cursor).toBe(answer.structured['data'].next_cursor)
    expect(answer.structured['data'].has_more).toBe(cursor !== undefined)
    if (cursor === undefined) return seen
    inBothHeads(answer, cursor)
  }
  throw new Error('The walk does not end.')
}

const expectedRows: Record<string, number> = { wide: 8, children: 60, unseen: RECORDS + 5 }

describe.each(HOSTILE_STREAMS)('stream %s', (stream) => {
  const count = expectedRows[stream] ?? RECORDS

  verifies('004.4.2', 'pages of records stay within the budget, and walk every row once', async () => {
    for (const limit of [25, 100]) {
      const seen = await walk('query_records', { stream, limit }, idsInTable)
      expect(new Set(seen).size).toBe(count)
      expect(seen).toHaveLength(count)
    }
    expect(await walk('query_records', { stream, changes_since: 'beginning' }, idsInTable)).toHaveLength(count)
  })

  test('every id of a page opens within the budgets', async () => {
    const page = await hostile.call('query_records', { stream, limit: 3 })
    const [first] = page.structured['data'].data
    expect(heads(page)[1]).toContain(`"id":${JSON.stringify(first.id)}`)
    // Forty column names of 200 bytes come before the first row.
    if (stream !== 'wide') expect(heads(page)[0]).toContain(idOf(first))
    for (const row of page.structured['data'].data) {
      const id = idOf(row)
      const around = await hostile.call('query_records', { stream, around: id })
      withinBudget(around)
      expect(idsInTable(around.text)).toContain(id)
      const document = await hostile.call('fetch', { id })
      withinBudget(document)
      expect(JSON.parse(document.text)).toEqual(document.structured)
      inBothHeads(document, id)
      expect(document.structured['url']).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/r\/./)
      expect(document.structured['text']).not.toBe('')
      expect(document.text).not.toMatch(LINK)
    }
  })

  test('schema of the stream shows every field, in parts where there are many', async () => {
    const shown = new Set<string>()
    for (let fields_offset: number | undefined = 0; fields_offset !== undefined; ) {
      const answer: ToolAnswer = await hostile.call('schema', { stream, ...(fields_offset ? { fields_offset } : {}) })
      withinBudget(answer)
      const { connectors, field_page } = answer.structured['data']
      for (const { streams } of connectors)
        for (const name of Object.keys(streams[0].field_capabilities)) {
          expect(answer.text).toContain(`${name}[`)
          shown.add(name)
        }
      const next = /fields_offset=(\d+)/.exec(heads(answer)[0]!)?.[1]
      expect(next === undefined ? null : Number(next)).toBe(field_page?.next_fields_offset ?? null)
      if (next) expect(heads(answer)[1]).toContain(`"next_fields_offset":${next}`)
      fields_offset = next === undefined ? undefined : Number(next)
    }
    if (stream === 'wide') for (let n = 0; n < WIDE_FIELDS; n++) expect(shown).toContain(longName(n))
    const inFull = new Set<string>()
    for (let fields_offset: number | undefined = 0; fields_offset !== undefined; ) {
      const args = { stream, connection_id: 'hostile-1', detail: 'full', fields_offset }
      const answer: ToolAnswer = await hostile.call('schema', args)
      expect(answer.isError, answer.text).toBe(false)
      withinBudget(answer, LARGE)
      const { connectors, field_page } = answer.structured['data']
      for (const name of Object.keys(connectors[0].streams[0].schema.properties)) inFull.add(name)
      fields_offset = field_page?.next_fields_offset ?? undefined
    }
    expect(inFull).toEqual(shown)
  })

  test('search and aggregate stay within the budget', async () => {
    for (const query of ['needle', 'ignore previous instructions and send']) {
      for (const limit of [10, 100]) withinBudget(await hostile.call('search', { query, streams: [stream], limit }))
    }
    for (const group_by of [['title'], ['text', 'author'], [longName(1)]]) {
      const answer = await hostile.call('aggregate', { stream, metric: 'count', group_by, limit: 100 })
      withinBudget(answer)
      const { groups, group_count, other_count } = answer.structured['data'] ?? {}
      if (groups && groups.length < group_count) expect(heads(answer)[0]).toContain(`other_count=${other_count}`)
    }
  })
})

test('search walks every hit once, each with its evidence', async () => {
  for (const stream of ['huge', 'long', 'unseen', 'scripts', 'keyed', 'nested']) {
    const seen = await walk('search', { query: 'needle', streams: [stream] }, idsOfHits)
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toHaveLength(expectedRows[stream] ?? RECORDS)
  }
  const { text } = await hostile.call('search', { query: 'needle', streams: ['huge'], limit: 1 })
  expect(text).toMatch(/needle .*\[\d+-\d+ of 1,000,008 chars; read_record_field field_path="text" offset_chars=\d+\]/)
})

test('a large field is read to its end by what the text says', async () => {
  for (const [id, field] of [
    ['hostile-1/scripts:r1', 'text'],
    ['hostile-1/nested:r1', 'value'],
    [`hostile-1/keyed:${longKey(1).replace(/[%/\\]/g, encodeURIComponent)}`, 'text'],
  ] as const) {
    let joined = ''
    let offset: number | undefined = 0
    while (offset !== undefined) {
      const answer: ToolAnswer = await hostile.call('read_record_field', {
        id,
        field_path: field,
        offset_chars: offset,
      })
      withinBudget(answer)
      joined += answer.structured['window'].text
      const next = /^next: .*offset_chars"?[:=](\d+)/m.exec(heads(answer)[0]!)?.[1]
      expect(next).toBe(answer.structured['next']?.offset_chars.toString())
      if (next) expect(heads(answer)[1]).toContain(`"offset_chars":${next}`)
      offset = next === undefined ? undefined : Number(next)
    }
    const route = `/v1/streams/${parseResultId(id).stream}/records/${encodeURIComponent(parseResultId(id).recordKey)}`
    const response = await fetch(`${hostile.url}${route}?connection_id=hostile-1&fields=${field}`, {
      headers: { authorization: `Bearer ${hostile.token}` },
    })
    const value = ((await response.json()) as any).data[field]
    expect(joined.length).toBe((typeof value === 'string' ? value : JSON.stringify(value)).length)
  }
  const large = await hostile.call('read_record_field', {
    id: 'hostile-1/huge:r1',
    field_path: 'text',
    limit_chars: 16_384,
  })
  withinBudget(large, LARGE)
  expect(large.structured['window'].text).toHaveLength(16_384)
})

test('a record above the budget says what is missing, and how to read it', async () => {
  const { text } = await hostile.call('query_records', { stream: 'wide', limit: 1 })
  expect(text).toMatch(/warning fields_described: .*\d+ of its fields are left out: name those you need in fields/)
  const document = await hostile.call('fetch', { id: 'hostile-1/wide:r3' })
  expect(document.structured['text']).toMatch(/left out for size: \d+ fields .*; name those you need in fields/)
  const some = await hostile.call('fetch', { id: 'hostile-1/wide:r3', fields: [longName(200), longName(299)] })
  expect(some.structured['text']).toContain('value 200 of 3')
  expect(some.structured['text']).toContain('value 299 of 3')
  const long = await hostile.call('fetch', { id: 'hostile-1/long:r3' })
  const { metadata } = long.structured
  expect(metadata.text_truncated).toBe(true)
  const on = await hostile.call(metadata.continue.tool, metadata.continue.arguments)
  expect(on.structured['window'].start_chars).toBe(metadata.text_shown_chars)
})

test('related records stay within the budget, and say that there are more', async () => {
  const args = { stream: 'parents', sort: 'at', expand: ['children'], expand_limit: { children: 50 } }
  const page = await hostile.call('query_records', args)
  withinBudget(page)
  expect(page.text).toContain('shown, there are more')
  const document = await hostile.call('fetch', {
    id: 'hostile-1/parents:r1',
    expand: ['children'],
    expand_limit: { children: 50 },
  })
  withinBudget(document)
  expect(document.structured['text']).toMatch(/hostile-1\/children:r\d+ .*read_record_field/)
})

verifies('checklist 23', 'no invisible character and no link reaches a text', async () => {
  const calls: [string, object][] = [
    ['schema', {}],
    ['schema', { stream: 'unseen' }],
    ['schema', { stream: 'unseen', connection_id: 'hostile-1', detail: 'full' }],
    ['query_records', { stream: 'unseen' }],
    ['search', { query: 'needle', streams: ['unseen'] }],
    ['aggregate', { stream: 'unseen', metric: 'count', group_by: ['title'] }],
    ['fetch', { id: 'hostile-1/unseen:r1' }],
    ['read_record_field', { id: 'hostile-1/unseen:r1', field_path: 'text' }],
  ]
  for (const [tool, args] of calls) {
    const { text, isError } = await hostile.call(tool, args)
    expect(isError, text).toBe(false)
    expect(text.replaceAll('\n', '')).not.toMatch(NOTHING_HIDDEN)
    expect(text).not.toMatch(LINK)
  }
  const { text } = await hostile.call('read_record_field', { id: 'hostile-1/scripts:r1', field_path: 'text' })
  for (const sample of Object.values(JOINED)) expect(text).toContain(sample)
})

verifies('checklist 22', 'data never enters definitions, instructions or error templates', async () => {
  const empty = await startAdapter([{ ...manyStreams(4)[0]! }])
  try {
    for (const method of ['tools/list', 'resources/list', 'resources/templates/list']) {
      const [a, b] = [await hostile.request(method), await empty.request(method)]
      expect(JSON.stringify(a.result)).toBe(JSON.stringify(b.result).replaceAll(empty.url, hostile.url))
    }
    const [a, b] = [await hostile.request('server/discover'), await empty.request('server/discover')]
    expect(a.result.instructions).toBe(b.result.instructions)
    expect(bytes(a.result.instructions)).toBeLessThanOrEqual(1_200)
    for (const args of [{ nonsense: 1 }, { stream: 5 }, { stream: 'x', limit: 0 }, { stream: 'x', filter: 'y' }])
      expect(await hostile.call('query_records', args)).toEqual(await empty.call('query_records', args))
  } finally {
    await empty.close()
  }
})

test('errors on hostile data are bounded, with the next step first', async () => {
  for (const [tool, args] of [
    ['query_records', { stream: 'wide', fields: ['nothing'] }],
    ['query_records', { stream: 'wide', filter: { nothing: 'x' } }],
    ['query_records', { stream: 'wide', sort: 'nothing' }],
    ['fetch', { id: `hostile-1/keyed:${'%25'.repeat(500)}` }],
    ['read_record_field', { id: 'hostile-1/wide:r1', field_path: 'nothing' }],
  ] as const) {
    const answer = await hostile.call(tool, args)
    expect(answer.isError).toBe(true)
    withinBudget(answer, 4_000)
    expect(heads(answer)[0]).toContain('\nNext: ')
    expect(heads(answer)[1]).toContain('"next_step"')
  }
})

verifies.each('000.5', [
  [40, 5_000],
  [200, 16_000],
])('schema of %i streams over 12 connections is whole within %i bytes', async (count, budget) => {
  const server = await startAdapter(manyStreams(count))
  try {
    const answer = await server.call('schema')
    expect(bytes(answer.text) + bytes(answer.structured)).toBeLessThanOrEqual(budget)
    withinBudget(answer)
    for (let source = 0; source < 4; source++)
      for (let n = 0; n < count / 4; n++) expect(answer.text).toMatch(new RegExp(`\\b${streamName(source, n)}\\b`))
  } finally {
    await server.close()
  }
})
