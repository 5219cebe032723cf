// A search page is measured, not tried: it fits with any data, a larger limit never shows fewer hits, and one tool call
// reads each child grant once.
import { escapeStrings } from '@pdpp/protocol'
import { OWNER } from '@pdpp/server'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { declaration, integer, key, searched, stream, title } from '../fixtures/declaration.ts'
import { verifies } from '../fixtures/verifies.ts'
import { type AdapterServer, type Source, startAdapter } from './adapter-server.ts'
import { smallSource } from './small-data.ts'

const BUDGET = 10_000
const bytes = (value: unknown) => Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value))

/** Texts that become much longer in JSON: hidden, quoted and encoded characters, links, long scripts. */
const nasty = fc.constantFrom(
  '\u{e0041}',
  '\u202e',
  '\u200b',
  '\u0007',
  '"',
  '\\',
  '](',
  '%',
  '/',
  '今',
  '👩🏽‍🚀',
  'plain words ',
  'x',
)
const text = (most: number) => fc.array(nasty, { maxLength: most }).map((parts) => parts.join(''))
const nastyKey = fc.array(fc.constantFrom('%', '/', '\u{e0041}', 'é', 'k', '\u200b', '"'), { maxLength: 120 })

const record = fc.record({
  key: nastyKey.map((parts) => parts.join('')),
  title: text(200),
  author: text(200),
  channel: text(200),
  text: fc.tuple(text(400), text(1200)).map(([before, after]) => `${before} needle ${after}`),
  amount: fc.integer(),
})

function sources(): Source[] {
  const fields = { title: title(), text: searched(), author: searched(), channel: searched() }
  const amount = { ...integer(), x_pdpp_role: 'amount' }
  const things = stream({ id: key(), ...fields, amount }, { semantics: 'append_only' })
  const rows = fc.sample(record, { seed: 20261117, numRuns: 90 })
  return [0, 1, 2].map((source) => ({
    declaration: declaration(`nasty${source}`, { things }),
    connections: [0, 1].map((n) => ({ id: `nasty-${source}-${n}`, name: '\u{e0041}\u202e"\\'.repeat(50) })),
    feeds: [0, 1].map((n) => ({
      connection: `nasty-${source}-${n}`,
      stream: 'things',
      records: rows
        .slice((source * 2 + n) * 15, (source * 2 + n + 1) * 15)
        .map(({ key: name, ...data }, at) => ({ key: `${at}${name}`, data: { id: `${at}${name}`, ...data } })),
    })),
  }))
}

let adapter: AdapterServer
beforeAll(async () => {
  adapter = await startAdapter(sources())
}, 120_000)
afterAll(() => adapter.close())

const search = async (limit: number, more: object = {}) => {
  const answer = await adapter.call('search', { query: 'needle', limit, ...more })
  expect(answer.isError, answer.text).toBe(false)
  expect(bytes(answer.text)).toBeLessThanOrEqual(BUDGET)
  expect(bytes(answer.structured)).toBeLessThanOrEqual(BUDGET)
  const ids: string[] = answer.structured['results'].map(({ id }: { id: string }) => id)
  return { ...answer, ids }
}

verifies(
  '003.14.2',
  'a larger limit never shows fewer hits, and every page fits',
  async () => {
    let cursor: string | undefined
    for (let page = 0; page < 4; page++) {
      const more = cursor === undefined ? {} : { cursor }
      const all = await search(100, more)
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 40 }), async (limit) => {
          const [fewer, one] = [await search(limit, more), await search(limit + 1, more)]
          expect(one.ids.slice(0, fewer.ids.length)).toEqual(fewer.ids)
          expect(all.ids.slice(0, one.ids.length)).toEqual(one.ids)
          expect(fewer.ids.length).toBeGreaterThan(0)
        }),
        { numRuns: 8 },
      )
      cursor = all.structured['data'].next_cursor
      expect(cursor).toBeDefined()
    }
  },
  180_000,
)

verifies('003.14.2', 'structured data is the body of REST, but for what is written out', async () => {
  const { structured } = await search(5)
  const leaner = { urls: 'false', highlight: 'false', made_titles: 'false' }
  const parameters = { q: 'needle', count: 'estimated', limit: '5', ...leaner }
  const query = new URLSearchParams({ ...parameters, result_bytes: String(BUDGET) })
  const response = await fetch(`${adapter.url}/v1/search?${query}`, {
    headers: { authorization: `Bearer ${adapter.token}` },
  })
  const body = (await response.json()) as {
    data: { id: string; url?: string; connection_id: string }[]
  }
  // A cursor is sealed differently each time.
  expect(structured['data']).toEqual({ ...(escapeStrings(body) as object), next_cursor: expect.any(String) })
  // Without a request for less, the hit contains the address, the same as in `results`.
  const whole = await fetch(`${adapter.url}/v1/search?q=needle&limit=5`, {
    headers: { authorization: `Bearer ${adapter.token}` },
  })
  const { data } = (await whole.json()) as typeof body
  expect(structured['results'].map(({ id, url }: { id: string; url: string }) => ({ id, url }))).toEqual(
    data.slice(0, structured['results'].length).map(({ id, url }) => ({ id, url })),
  )
})

test('one tool call leaves one receipt for each child grant', async () => {
  const { context } = adapter.server
  for (const limit of [5, 50, 100]) {
    const newest = async () => (await context.receipts.list(OWNER, { limit: 20 })).receipts
    const before = new Set((await newest()).map(({ receipt_id }) => receipt_id))
    const { ids } = await search(limit)
    const made = (await newest()).filter(({ receipt_id }) => !before.has(receipt_id))
    expect(new Set(made.map(({ grant_id }) => grant_id)).size).toBe(3)
    expect(made).toHaveLength(3)
    expect(made.reduce((sum, { record_count }) => sum + record_count, 0)).toBe(ids.length)
  }
})

test('a part of a field is measured as well: one call, one receipt', async () => {
  const { context } = adapter.server
  const { structured } = await search(20)
  for (const { id } of structured['results'].slice(0, 4)) {
    const [last] = (await context.receipts.list(OWNER, { limit: 1 })).receipts
    const answer = await adapter.call('read_record_field', { id, field_path: 'text' })
    expect(answer.isError, answer.text).toBe(false)
    expect(bytes(answer.text)).toBeLessThanOrEqual(BUDGET)
    expect(bytes(answer.structured)).toBeLessThanOrEqual(BUDGET)
    expect(answer.structured['window'].end_chars).toBeGreaterThan(0)
    const [made, before] = (await context.receipts.list(OWNER, { limit: 2 })).receipts
    expect([made!.operation, before!.receipt_id]).toEqual(['read_record_field', last!.receipt_id])
  }
})

test('pages of records fit as well, with one read', async () => {
  for (const connection_id of ['nasty-0-0', 'nasty-2-1']) {
    const seen: string[] = []
    for (let cursor: string | undefined; ; ) {
      const answer = await adapter.call('query_records', {
        stream: 'things',
        connection_id,
        limit: 100,
        ...(cursor === undefined ? {} : { cursor }),
      })
      expect(answer.isError, answer.text).toBe(false)
      expect(bytes(answer.text)).toBeLessThanOrEqual(BUDGET)
      expect(bytes(answer.structured)).toBeLessThanOrEqual(BUDGET)
      seen.push(...answer.structured['data'].data.map(({ id }: { id: string }) => id))
      cursor = answer.structured['data'].next_cursor
      if (cursor === undefined) break
    }
    expect(new Set(seen).size).toBe(15)
  }
})

test('chat-like data: 12 hits fit into 3,000 bytes of text', async () => {
  const chat = await startAdapter([smallSource])
  try {
    const { text: said, structured } = await chat.call('search', { query: 'apples', limit: 40 })
    expect(structured['results'].length).toBeGreaterThanOrEqual(12)
    expect(bytes(said)).toBeLessThanOrEqual(3_000)
    expect(bytes(structured)).toBeLessThanOrEqual(BUDGET)
    expect(said).toContain(`${structured['results'].length} shown of 22 matches, best first (limit 40: no more fit).`)
  } finally {
    await chat.close()
  }
})

test('a page with a long cursor fits: alike records of many accounts', async () => {
  const ids = Array.from({ length: 30 }, (_, n) => `account-${n}`)
  const records = [0, 1, 2].map((n) => ({ key: `r${n}`, data: { id: `r${n}`, title: `Shared title ${n}` } }))
  const shared = await startAdapter([
    {
      declaration: declaration('shared', { things: stream({ id: key(), title: title() }) }),
      connections: ids.map((id) => ({ id, name: `Account ${id}` })),
      feeds: ids.map((connection) => ({ connection, stream: 'things', records })),
    },
  ])
  try {
    for (const more of [0, 5, 10, 20, 30]) {
      const words = Array.from({ length: more }, (_, n) => `other${n}`)
      const query = ['shared title', ...words].join(' ')
      const { text: said, structured } = await shared.call('search', { query, limit: 100 })
      expect(structured['data'].next_cursor.length).toBeGreaterThan(350)
      expect(bytes(structured)).toBeLessThanOrEqual(BUDGET)
      expect(bytes(said)).toBeLessThanOrEqual(BUDGET)
    }
  } finally {
    await shared.close()
  }
})

test('the line of sources distinguishes two accounts of one name', async () => {
  const connections = smallSource.connections.map(({ id }) => ({ id, name: 'Chat' }))
  const chat = await startAdapter([{ ...smallSource, connections }])
  try {
    const { text: said } = await chat.call('search', { query: 'lighthouse' })
    expect(said).toMatch(/^Sources: Chat \(chat, (home|work)\) 1, Chat \(chat, (home|work)\) 1\./m)
  } finally {
    await chat.close()
  }
})

test('the tool counts as it is told, and says so in both forms', async () => {
  const counted = async (count?: string) => {
    const { text: said, structured } = await adapter.call('search', {
      query: 'needle',
      limit: 1,
      ...(count && { count }),
    })
    return [said.split('\n')[0]!.replace(/ has_more.*/, ''), structured['data'].meta.count]
  }
  const all = ['search "needle": 1 shown of 90 matches, best first.', { kind: 'exact', value: 90 }]
  expect(await counted()).toEqual(all)
  expect(await counted('exact')).toEqual(all)
  expect(await counted('none')).toEqual(['search "needle": 1 hit, best first.', { kind: 'none' }])
})
