// The schema of sources that are larger than one answer: nothing is lost, and every answer is bounded.
import { expect, test } from 'vitest'
import { verifies } from '../fixtures/verifies.ts'
import { type AdapterServer, type Source, startAdapter, type ToolAnswer } from './adapter-server.ts'
import { manyStreams } from './hostile-data.ts'

const LARGE = 40_000
const bytes = (value: unknown) => Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value))
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)
const withinBudget = ({ text, structured }: ToolAnswer, budget: number) => {
  expect(bytes(text)).toBeLessThanOrEqual(budget)
  expect(bytes(structured)).toBeLessThanOrEqual(budget)
}

async function serving(sources: readonly Source[], run: (server: AdapterServer) => Promise<void>) {
  const server = await startAdapter(sources)
  try {
    await run(server)
  } finally {
    await server.close()
  }
}

function source(
  streams: readonly object[],
  connections: readonly { id: string; name?: string }[],
  feeds: Source['feeds'] = [],
): Source {
  return {
    declaration: {
      source: { kind: 'connector', id: 'https://tests.example/ledger' },
      connector_key: 'ledger',
      declaration_version: '1',
      display: { name: 'Ledger' },
      streams,
    },
    connections,
    feeds,
  }
}

const plainStream = (name: string, properties: object = {}) => ({
  name,
  semantics: 'append_only',
  schema: { type: 'object', properties: { id: { type: 'string' }, ...properties }, required: ['id'] },
  primary_key: ['id'],
})

const columns = (count: number) => ['id', ...numbers(count - 1).map((n) => `column_${n}`)]
const wideStream = (count: number) => {
  const names = columns(count)
  const text = { type: 'string', description: 'What the column of the ledger holds.' }
  return {
    ...plainStream(`wide_${count}`, Object.fromEntries(names.slice(1).map((name) => [name, text]))),
    views: [{ id: 'all', fields: names }],
    query: { search: { lexical_fields: names.slice(1) }, aggregations: { group_by: names.slice(1) } },
  }
}

verifies.each('000.5.6', [
  [60, 'full'],
  [401, 'full'],
  [401, 'compact'],
] as const)('%i fields in %s, in parts that together hold each field once', async (count, detail) => {
  await serving([source([wideStream(count)], [{ id: 'book' }])], async (server) => {
    const seen: string[] = []
    let rest = ''
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const args = { stream: `wide_${count}`, detail, ...(offset > 0 ? { fields_offset: offset } : {}) }
      const answer: ToolAnswer = await server.call('schema', args)
      expect(answer.isError, answer.text).toBe(false)
      withinBudget(answer, detail === 'full' ? LARGE : 10_000)
      // 003.7.3: a tool returns the same as REST.
      const form = detail === 'full' ? 'detail=full' : 'view=compact'
      const more = offset > 0 ? `&fields_offset=${offset}` : ''
      const response = await fetch(`${server.url}/v1/schema?${form}&stream=${args.stream}${more}`, {
        headers: { authorization: `Bearer ${server.token}` },
      })
      const body = (await response.json()) as any
      expect(answer.structured['data']).toEqual(body)
      const [row] = body.connectors[0].streams
      const names = Object.keys(row.field_capabilities)
      for (const name of names) expect(answer.text).toMatch(new RegExp(`\\b${name}\\b`))
      if (detail === 'full') expect(Object.keys(row.schema.properties)).toEqual(names)
      seen.push(...names)
      rest += JSON.stringify({ ...row, schema: 0, field_capabilities: 0 })
      const next = /fields_offset=(\d+)/.exec(answer.text.slice(0, 500))?.[1]
      expect(next === undefined ? null : Number(next)).toBe(body.field_page?.next_fields_offset ?? null)
      offset = next === undefined ? undefined : Number(next)
    }
    expect(seen).toEqual(columns(count))
    // The parts repeat nothing but fields.
    expect(rest.match(/"primary_key"/g)?.length).toBe(detail === 'full' ? 1 : seen.length && rest.split('}{').length)
  })
})

verifies('000.5.6', 'fields with schemas of any size still fit', async () => {
  const huge = {
    type: 'object',
    properties: Object.fromEntries(numbers(900).map((n) => [`inner_${n}`, { type: 'string' }])),
  }
  const stream = {
    ...plainStream('deep', Object.fromEntries(numbers(30).map((n) => [`nested_${n}`, huge]))),
    description: 'x'.repeat(1_999),
    views: numbers(50).map((n) => ({ id: `view_${n}`, fields: ['id', ...numbers(30).map((at) => `nested_${at}`)] })),
  }
  await serving([source([stream], [{ id: 'book' }])], async (server) => {
    const answer = await server.call('schema', { stream: 'deep', detail: 'full' })
    expect(answer.isError).toBe(false)
    withinBudget(answer, LARGE)
    const [row] = answer.structured['data'].connectors[0].streams
    expect(row.schema.properties.nested_0).toEqual({
      type: 'object',
      $comment: expect.stringMatching(/Cut: \d+ bytes/),
    })
    expect(row.views.length + row.left_out.views).toBe(50)
    withinBudget(await server.call('schema', { stream: 'deep' }), 10_000)
  })
})

const longStreamName = (n: number) => `household_ledger_${String(n).padStart(4, '0')}_rows`

verifies(
  '000.5.1',
  '200 streams of one connector are all named within 16,000 bytes',
  async () => {
    const streams = numbers(200).map((n) => plainStream(longStreamName(n)))
    const feeds = numbers(200).map((n) => ({
      connection: 'book',
      stream: longStreamName(n),
      records: numbers(3).map((key) => ({ key: `r${key}`, data: { id: `r${key}` } })),
    }))
    await serving([source(streams, [{ id: 'book' }], feeds)], async (server) => {
      const answer = await server.call('schema')
      expect(bytes(answer.text) + bytes(answer.structured)).toBeLessThanOrEqual(16_000)
      withinBudget(answer, 10_000)
      const listed = answer.structured['data'].connectors[0].streams.map(({ name }: any) => name)
      expect(listed).toEqual(numbers(200).map(longStreamName))
      for (const name of listed) expect(answer.text).toMatch(new RegExp(`\\b${name}\\b`))
      // Counts that were left out are not shown as zero.
      expect(answer.structured['data'].record_counts_left_out).toBe(true)
      expect(answer.text).not.toContain('numbers are records')
    })
  },
  180_000,
)

test('a short index counts the records of each stream', async () => {
  await serving(
    [
      source(
        numbers(3).map((n) => plainStream(`rows_${n}`)),
        [{ id: 'book' }],
      ),
    ],
    async (server) => {
      const { text, structured } = await server.call('schema')
      expect(text).toContain('rows_0 0, rows_1 0, rows_2 0')
      expect(structured['data'].connectors[0]).toMatchObject({
        object: 'connector',
        source: { kind: 'connector', id: 'https://tests.example/ledger' },
        stream_count: 3,
      })
    },
  )
})

test('an index of 1,000 connections counts them', async () => {
  const connections = numbers(1_000).map((n) => ({ id: `account-${n}`, name: `Account number ${n}` }))
  await serving([source([plainStream('payments'), plainStream('cards')], connections)], async (server) => {
    const index = await server.call('schema')
    withinBudget(index, 5_000)
    expect(index.text).toContain('ledger "Ledger" 1,000 connections: payments 0, cards 0')
    expect(index.structured['data'].connectors[0].connection_count).toBe(1_000)
    expect(JSON.stringify(index.structured)).not.toContain('account-7')
    const one = await server.call('schema', { stream: 'payments' })
    withinBudget(one, 10_000)
    expect(one.text).toMatch(/connection_id=account-0 .* or one of \d+ more/)
    expect(one.structured['data'].connectors[0].connection_count).toBe(1_000)
    const named = await server.call('schema', { stream: 'payments', connection_id: 'account-999' })
    expect(named.text).toContain('connection_id=account-999 "Account number 999"')
  })
}, 180_000)

test('50 connections are named, 51 are counted', async () => {
  for (const [count, shown] of [
    [50, true],
    [51, false],
  ] as const) {
    const many = source(
      [plainStream('payments')],
      numbers(count).map((n) => ({ id: `account-${n}` })),
    )
    await serving([many], async (server) => {
      const { text } = await server.call('schema')
      expect(text.includes('account-49')).toBe(shown)
      expect(text.includes('51 connections')).toBe(!shown)
    })
  }
  const [single, ...others] = manyStreams(4).map((each, at) => ({
    ...each,
    connections:
      at === 0
        ? each.connections.slice(0, 1)
        : [...each.connections, ...numbers(60).map((n) => ({ id: `more-${at}-${n}` }))],
  }))
  await serving([single!, ...others], async (server) => {
    const { text } = await server.call('schema')
    expect(text).toContain('connection_id=account-0-0')
    expect(text.match(/63 connections/g)).toHaveLength(3)
    for (const name of ['messages_0_0', 'messages_1_0', 'messages_2_0', 'messages_3_0']) expect(text).toContain(name)
  })
})

verifies('000.5.6', 'many fields of many connections fit together, and no field is lost', async () => {
  const connections = numbers(60).map((n) => ({ id: `account-${n}`, name: `Account number ${n}` }))
  const names = numbers(300).map((n) => `field_${n}`)
  const timed = plainStream('wide', {
    at: { type: 'string', format: 'date-time' },
    ...Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  })
  const wide = { ...timed, cursor_field: 'at', consent_time_field: 'at' }
  await serving([source([wide], connections)], async ({ call }) => {
    const seen: string[] = []
    for (let offset: number | null = 0; offset !== null; ) {
      const answer: ToolAnswer = await call('schema', { stream: 'wide', fields_offset: offset })
      withinBudget(answer, 10_000)
      seen.push(...Object.keys(answer.structured['data'].connectors[0].streams[0].field_capabilities))
      offset = answer.structured['data'].field_page?.next_fields_offset ?? null
    }
    expect(seen.sort()).toEqual(['id', 'at', ...names].sort())
  })
})

verifies('000.5.6', 'a stream that many sources have fits, and no field is lost', async () => {
  const names = numbers(60).map((n) => `field_with_a_name_${n}`)
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]))
  const shared = { ...plainStream('shared', properties), views: [{ id: 'some', fields: names.slice(0, 5) }] }
  const sources = numbers(8).map((n): Source => {
    const accounts = numbers(6).map((m) => ({ id: `ledger${n}-account-${m}`, name: `Account ${m} of ledger ${n}` }))
    const { declaration, ...rest } = source([shared], accounts)
    const id = `https://tests.example/ledger${n}`
    return { ...rest, declaration: { ...declaration, source: { kind: 'connector', id }, connector_key: `ledger${n}` } }
  })
  await serving(sources, async ({ call }) => {
    const seen: string[] = []
    for (let offset: number | null = 0; offset !== null; ) {
      const answer: ToolAnswer = await call('schema', { stream: 'shared', fields_offset: offset })
      withinBudget(answer, 10_000)
      seen.push(...Object.keys(answer.structured['data'].connectors[7].streams[0].field_capabilities))
      offset = answer.structured['data'].field_page?.next_fields_offset ?? null
    }
    expect(seen.sort()).toEqual(['id', ...names].sort())
  })
})
