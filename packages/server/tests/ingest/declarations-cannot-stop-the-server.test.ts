import { describe, expect, it } from 'vitest'
import { longestTurn } from '../../../../tests/fixtures/longest-turn.ts'
import { type TestServer, testServer } from '../../../../tests/fixtures/server.ts'

/** A third party wrote the schema of a declaration, and the server applies it to any record in its event loop. */
const text = { type: 'string' }

function source(properties: Record<string, unknown>, more: Record<string, unknown> = {}) {
  const schema = { type: 'object', properties: { id: text, ...properties }, ...more }
  const streams = [{ name: 'things', semantics: 'append_only', schema, primary_key: ['id'] }]
  return { connector_id: 'https://hostile.example/source', version: '1', display_name: 'Hostile', streams }
}

const record = (members: string, n = 0) => `{"data":{"id":"r${n}",${members}}}`
const list = <T>(count: number, item: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => item(n))
const json = (value: unknown) => JSON.stringify(value)

async function taken(test: TestServer, declaration: unknown, lines: string) {
  const declared = await test.owner('POST', '/connectors', declaration)
  if (declared.status >= 300) return { declared: declared.body, ingested: undefined }
  const ingested = await test.owner('POST', '/v1/ingest/things?connector_id=source', lines)
  return { declared: declared.body, ingested: ingested.body }
}

/** The same lines with a schema that costs nothing. If the lines are not JSON, as much text. */
async function usualTurn(lines: string): Promise<number> {
  const isJson = lines.split('\n').every((line) => line.startsWith('{') && line.endsWith('}}'))
  const plain = isJson ? lines : record(`"t":"${'x'.repeat(lines.length)}"`)
  const beside = list(200, (n) => record(`"t":"${'y'.repeat(2_500)}"`, n + 1000))
  const test = await warmServer()
  return longestTurn(() => taken(test, source({ t: {} }), [plain, ...beside].join('\n')))
}

async function warmServer(): Promise<TestServer> {
  const test = await testServer()
  await taken(test, source({}), record('"t":"warm"', 9999))
  return test
}

const doubled = Object.fromEntries(
  list(40, (n) => [`d${n}`, n === 39 ? text : { allOf: list(2, () => ({ $ref: `#/$defs/d${n + 1}` })) }]),
)
const conditions = Object.fromEntries(
  list(40, (n) => {
    const next = { $ref: `#/$defs/d${n + 1}` }
    return [`d${n}`, n === 39 ? text : Object.fromEntries(['if', 'then', 'else'].map((name) => [name, next]))]
  }),
)
const loop = { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }
const evil = `${'a'.repeat(50)}!`
const objects = (count: number) => json(list(count, (n) => ({ n, of: { n: [n] } })))

const HOSTILE: [string, ReturnType<typeof source>, string][] = [
  ['a pattern', source({ t: { type: 'string', pattern: '^(a+)+$' } }), record(`"t":"${evil}"`)],
  ['names by pattern', source({ t: { patternProperties: { '^(a+)+$': text } } }), record(`"t":{"${evil}":1}`)],
  ['a pattern for names', source({ t: { propertyNames: { pattern: '^(a+)+$' } } }), record(`"t":{"${evil}":1}`)],
  ['items that must differ', source({ t: { uniqueItems: true } }), record(`"t":${objects(20_000)}`)],
  ['schemas that double', source({ t: { $ref: '#/$defs/d0' } }, { $defs: doubled }), record('"t":"x"')],
  ['a reference in a circle', source({ t: { $ref: '#/$defs/a' } }, loop), record('"t":"x"')],
  ['a reference to the whole', source({ t: { $ref: '#' } }, { allOf: [{ $ref: '#' }] }), record('"t":{}')],
  [
    'branches over items',
    source({ t: { items: { anyOf: list(500, (n) => ({ const: { n } })) } } }),
    record(`"t":${objects(20_000)}`),
  ],
  [
    'one branch of many',
    source({ t: { items: { oneOf: list(500, (n) => ({ required: [`f${n}`] })) } } }),
    record(`"t":${objects(20_000)}`),
  ],
  [
    'many choices',
    source({ t: { items: { enum: list(20_000, (n) => ({ n, of: [{ n }] })) } } }),
    record(`"t":${objects(20_000)}`),
  ],
  ['conditions on conditions', source({ t: { $ref: '#/$defs/d0' } }, { $defs: conditions }), record('"t":"x"')],
  [
    'what depends on what',
    source({
      t: {
        items: {
          dependentSchemas: Object.fromEntries(list(500, (n) => [n === 0 ? 'n' : `f${n}`, { minProperties: 1 }])),
        },
      },
    }),
    record(`"t":${objects(20_000)}`),
  ],
  [
    'a list that contains',
    source({ t: { items: { contains: { contains: { type: 'null' } } } } }),
    record(`"t":${json(list(300, () => list(300, () => [1])))}`),
  ],
  ['a tiny step', source({ t: { items: { multipleOf: 1e-300 } } }), record(`"t":${json(list(200_000, (n) => n))}`)],
  [
    'a long time',
    source({ t: { type: 'string', format: 'date-time' } }),
    record(`"t":"2026-01-01T00:00:00.${'0'.repeat(2_000_000)}"`),
  ],
  [
    'a long text to count',
    source({ t: { allOf: list(500, () => ({ maxLength: 1_500_000 })) } }),
    record(`"t":"${'é'.repeat(1_600_000)}"`),
  ],
  ['brackets', source({}), '['.repeat(10_000_000)],
  ['brackets in a record', source({}), record(`"t":${'[{"a":'.repeat(1_500_000)}`)],
  ['digits', source({ t: { type: 'number' } }), record(`"t":${'9'.repeat(5_000_000)}`)],
  [
    'many lines, each as costly as can be',
    source({ t: { $ref: '#/$defs/d0' } }, { $defs: doubled }),
    list(300, (n) => record('"t":"x"', n)).join('\n'),
  ],
]

const MAX_RATIO = 10

describe('nothing that a third party wrote holds the event loop', () => {
  it.each(HOSTILE)('%s', async (_what, declaration, lines) => {
    const ratio = async () => {
      const usual = await usualTurn(lines)
      const test = await warmServer()
      const longest = await longestTurn(async () => {
        const { declared, ingested } = await taken(test, declaration, lines)
        expect(declared).toMatchObject({ object: 'connector' })
        expect(ingested.records_accepted + ingested.records_rejected).toBe(lines.split('\n').length)
      })
      return longest / usual
    }
    // A collection of garbage can make one turn long. A declaration that holds the loop does so every time.
    let least = await ratio()
    for (let more = 0; more < 2 && least >= MAX_RATIO; more++) least = Math.min(least, await ratio())
    expect(least).toBeLessThan(MAX_RATIO)
  })

  it('a wide declaration, as wide as is taken', async () => {
    const test = await warmServer()
    const few = await longestTurn(() => test.owner('POST', '/connectors', wide('few', 10, 100)))
    let reply: Awaited<ReturnType<typeof test.owner>> | undefined
    const many = await longestTurn(async () => {
      reply = await test.owner('POST', '/connectors', wide('many', 100, 100))
    })
    expect(reply!.status).toBe(201)
    expect(many / few).toBeLessThan(30)
  })

  it('declarations that are too wide or deep are refused with the limit', async () => {
    const test = await testServer()
    const refused = async (declaration: unknown) => {
      const { status, body } = await test.owner('POST', '/connectors', declaration)
      return [status, body.error?.message]
    }
    expect(await refused(wide('wide', 400, 200))).toEqual([
      400,
      expect.stringContaining('at most 10000 fields in all, not 80000'),
    ])
    expect(await refused(wide('indexed', 20, 300, true))).toEqual([400, expect.stringContaining('at most 4000')])
    expect(await refused('['.repeat(2_000_000))).toEqual([400, expect.stringContaining('nested deeper than 200')])
    expect((await test.owner('POST', '/connectors', wide('grown', 10, 1))).status).toBe(201)
    expect(await refused(wide('grown', 10, 100))).toEqual([
      400,
      expect.stringContaining('at most 500 are added at once'),
    ])
    expect((await test.owner('POST', '/connectors', wide('grown', 10, 40))).status).toBe(200)
  })
})

function wide(name: string, streams: number, fields: number, indexed = false) {
  const names = list(fields, (n) => `f${n}`)
  const properties = Object.fromEntries(names.map((field) => [field, text]))
  return {
    connector_id: `https://hostile.example/${name}`,
    version: '1',
    display_name: name,
    streams: list(streams, (n) => ({
      name: `s${n}`,
      semantics: 'append_only',
      schema: { type: 'object', properties },
      primary_key: ['f0'],
      ...(indexed ? { query: { aggregations: { group_by: names } } } : {}),
    })),
  }
}
