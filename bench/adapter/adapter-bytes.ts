// Measures the size of every tool definition, and of every kind of result on small, large and hostile data.
import { INSTRUCTIONS, TOOLS } from '@pdpp/mcp-server'
import { type AdapterServer, type Source, startAdapter, type ToolAnswer } from '../../tests/adapter/adapter-server.ts'
import { HOSTILE_STREAMS, hostileSource, manyStreams } from '../../tests/adapter/hostile-data.ts'
import { smallSource } from '../../tests/adapter/small-data.ts'

export interface ByteRow {
  readonly data: string
  readonly call: string
  readonly text: number
  readonly structured: number
  readonly budget: number
}

export interface ByteTable {
  readonly definitions: readonly { readonly name: string; readonly bytes: number }[]
  readonly list: number
  readonly instructions: number
  readonly results: readonly ByteRow[]
  readonly schemas: readonly { readonly streams: number; readonly bytes: number; readonly budget: number }[]
}

const size = (value: unknown) => Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value))

export async function measureBytes(): Promise<ByteTable> {
  const results = [
    ...(await onData('small', [smallSource], ['messages'], 'lighthouse')),
    ...(await onData('large (demo)', 'demo', ['messages', 'notes', 'orders'], 'lighthouse ferry lamp')),
    ...(await onData('hostile', [hostileSource], HOSTILE_STREAMS, 'needle')),
  ]
  const schemas = []
  for (const [streams, budget] of [
    [40, 5_000],
    [200, 16_000],
  ] as const) {
    const server = await startAdapter(manyStreams(streams))
    const { text, structured } = await server.call('schema')
    schemas.push({ streams, bytes: size(text) + size(structured), budget })
    await server.close()
  }
  const definitions = TOOLS.map((tool) => ({ name: tool.name, bytes: size(tool) }))
  return { definitions, list: size({ tools: TOOLS }), instructions: INSTRUCTIONS.length, results, schemas }
}

/** Measures the largest result of each kind of call over all streams. */
async function onData(data: string, sources: 'demo' | readonly Source[], streams: readonly string[], word: string) {
  const server = await startAdapter(sources)
  const largest = new Map<string, ByteRow>()
  const measure = async (call: string, tool: string, args: object, budget = 10_000) => {
    const { text, structured, isError } = await server.call(tool, args)
    if (isError) return
    const row = { data, call, text: size(text), structured: size(structured), budget }
    const before = largest.get(call)
    if (!before || Math.max(row.text, row.structured) > Math.max(before.text, before.structured)) largest.set(call, row)
  }
  await measure('schema', 'schema', {})
  await measure('search', 'search', { query: word, limit: 100 })
  for (const stream of streams) {
    await measure('schema of a stream', 'schema', { stream })
    for (const id of await someIds(server, stream)) {
      const connection_id = id.slice(0, id.indexOf('/'))
      await measure('schema, detail full', 'schema', { stream, connection_id, detail: 'full' }, 40_000)
      await measure('query_records', 'query_records', { stream, connection_id, limit: 100 })
      await measure('query_records around', 'query_records', { stream, around: id })
      await measure('fetch', 'fetch', { id })
      for (const field_path of ['text', 'body', 'value', 'image']) {
        await measure('read_record_field', 'read_record_field', { id, field_path })
        await measure(
          'read_record_field, 16,384 chars',
          'read_record_field',
          { id, field_path, limit_chars: 16_384 },
          40_000,
        )
      }
    }
    for (const field of ['title', 'author', 'channel', 'from'])
      await measure('aggregate', 'aggregate', { stream, metric: 'count', group_by: [field], limit: 100 })
  }
  await server.close()
  return [...largest.values()]
}

async function someIds(server: AdapterServer, stream: string): Promise<string[]> {
  const { structured } = await server.call('query_records', { stream, limit: 2 })
  const page = structured['data']?.data
  const rows: Record<string, string>[] = page ?? (await rowsPerConnection(server, structured, stream))
  return rows.map(({ connection_id, id }) => `${connection_id}/${stream}:${id!.replace(/[%/\\]/g, encodeURIComponent)}`)
}

/** If several connections have the stream, the error lists them. Then each of them is read. */
async function rowsPerConnection(server: AdapterServer, errorBody: ToolAnswer['structured'], stream: string) {
  const connections: { connection_id: string }[] = errorBody['error']?.available_connections ?? []
  const pages = await Promise.all(
    connections.map(({ connection_id }) => server.call('query_records', { stream, connection_id, limit: 2 })),
  )
  return pages.flatMap(({ structured }) => structured['data']?.data ?? [])
}
