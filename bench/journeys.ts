// `npm run bench:journeys`: which source files one request runs through, how often a row is parsed and serialised, and how
// often the token is looked up. docs/architecture.md shows the result.
import { Session } from 'node:inspector/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type AdapterServer, startAdapter } from '../tests/adapter/adapter-server.ts'

const ROOT = new URL('../packages/', import.meta.url)
/** A part of one hit's JSON, so that every parse and serialisation of this hit can be counted. */
const MARK = '"record_key":"n59"'
const RECORDS = 100

const notes = {
  declaration: {
    protocol_version: '0.1.0',
    source: { kind: 'connector', id: 'https://example.org/notes' },
    connector_key: 'notes',
    declaration_version: '1',
    display: { name: 'Notes' },
    streams: [
      {
        name: 'notes',
        semantics: 'mutable_state',
        primary_key: ['id'],
        cursor_field: 'written_at',
        consent_time_field: 'written_at',
        selection: { fields: true, resources: true },
        schema: {
          type: 'object',
          required: ['id', 'written_at'],
          properties: {
            id: { type: 'string' },
            text: { type: 'string' },
            written_at: { type: 'string', format: 'date-time' },
          },
        },
        query: { search: { lexical_fields: ['text'] } },
      },
    ],
  },
  connections: [{ id: 'notes' }],
  feeds: [
    {
      connection: 'notes',
      stream: 'notes',
      records: Array.from({ length: RECORDS }, (_, n) => ({
        key: `n${n}`,
        data: {
          id: `n${n}`,
          text: `lantern number ${n}`,
          written_at: `2026-01-01T00:${String(n % 60).padStart(2, '0')}:00Z`,
        },
      })),
    },
  ],
}

interface Journey {
  readonly files: readonly string[]
  readonly parses: number
  readonly serialisations: number
  readonly tokenLookups: number
}

async function measure({ server }: AdapterServer, run: () => Promise<unknown>): Promise<Journey> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  const counts = { parses: 0, serialisations: 0, tokenLookups: 0 }
  const { parse, stringify } = JSON
  const { tokens } = server.context.storage
  const find = tokens.find.bind(tokens)
  JSON.parse = (text, reviver) => {
    if (text.includes(MARK)) counts.parses++
    return parse(text, reviver)
  }
  JSON.stringify = (value: unknown, ...rest: [never?, never?]) => {
    const text = stringify(value, ...rest)
    if (text?.includes(MARK)) counts.serialisations++
    return text
  }
  tokens.find = (hash) => {
    counts.tokenLookups++
    return find(hash)
  }
  try {
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    await session.post('Profiler.takePreciseCoverage')
    await run()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const files = result
      .filter(({ url }) => url.startsWith(ROOT.href) && !url.includes('node_modules'))
      .filter(({ functions }) =>
        functions.some(({ functionName, ranges }) => functionName !== '' && ranges[0]!.count > 0),
      )
      .map(({ url }) => relative(fileURLToPath(ROOT), fileURLToPath(url)))
    return { files: files.toSorted(), ...counts }
  } finally {
    Object.assign(JSON, { parse, stringify })
    tokens.find = find
    await session.post('Profiler.stopPreciseCoverage')
    session.disconnect()
  }
}

const adapter = await startAdapter([notes])
try {
  const search = () =>
    fetch(`${adapter.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${adapter.token}`,
        'content-type': 'application/json',
        accept: 'application/json',
        'mcp-protocol-version': '2025-11-25',
      },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":"lantern"}}}',
    }).then((response) => response.text())
  for (let warm = 0; warm < 20; warm++) await search()
  let answer = ''
  const hosted = await measure(adapter, async () => {
    answer = await search()
  })
  if (!answer.includes(MARK)) throw new Error(`The marked hit is not in the answer: ${answer.slice(0, 400)}`)
  console.log(
    `hosted search: ${hosted.files.length} files, ${hosted.parses} parses, ${hosted.serialisations} serialisations, ${hosted.tokenLookups} token look-ups`,
  )
  if (process.argv.includes('--files')) console.log(hosted.files.join('\n'))
} finally {
  await adapter.close()
}
