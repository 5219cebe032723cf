import { type JsonObject, objectOf, objectsOf } from '@pdpp/mcp-server/client'
import type { Pairs, Reader } from '../../provider/reader.ts'

/** Reads all parts of a long schema and joins them. */
export async function wholeSchema(reader: Pick<Reader, 'get'>, query: Pairs): Promise<JsonObject> {
  const first = await reader.get('/v1/schema', query)
  let { field_page: page, ...whole } = first
  for (let offset = nextOffset(page); offset !== undefined; offset = nextOffset(page)) {
    const part = await reader.get('/v1/schema', [...query, ['fields_offset', String(offset)]])
    whole = { ...whole, connectors: joined(whole['connectors'], part['connectors'], joinedConnector) }
    page = part['field_page']
    // Stop if the server repeats itself.
    if ((nextOffset(page) ?? Number.POSITIVE_INFINITY) <= offset) break
  }
  return whole
}

function nextOffset(page: unknown): number | undefined {
  const next = objectOf(page)['next_fields_offset']
  return typeof next === 'number' ? next : undefined
}

type Join = (a: JsonObject, b: JsonObject) => JsonObject

const joined = (a: unknown, b: unknown, join: Join): unknown[] =>
  objectsOf(a).map((row, index) => join(row, objectsOf(b)[index] ?? {}))

const joinedConnector: Join = (a, b) => ({ ...a, streams: joined(a['streams'], b['streams'], joinedStream) })

const joinedStream: Join = (a, b) => {
  const [schema, more] = [objectOf(a['schema']), objectOf(b['schema'])]
  const required = [...list(schema['required']), ...list(more['required'])]
  const both = (name: string, of: JsonObject, and: JsonObject) => ({ ...objectOf(of[name]), ...objectOf(and[name]) })
  return {
    ...a,
    ...(a['schema'] === undefined
      ? {}
      : {
          schema: {
            ...schema,
            ...(required.length > 0 ? { required } : {}),
            properties: both('properties', schema, more),
          },
        }),
    field_capabilities: both('field_capabilities', a, b),
  }
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
