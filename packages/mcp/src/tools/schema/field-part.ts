import { RESULT_BYTES } from '@pdpp/protocol/reading'
import type { Arguments } from '../../calling/arguments.ts'
import { jsonBytes } from '../../rendering/bytes.ts'
import { type JsonObject, objectOf, objectsOf } from '../../resource-server/envelope.ts'

/** Max. bytes of a result for the flags of all fields. */
const MAX_FIELD_BYTES = 5_500

/** Splits the fields of a stream into parts if they do not fit, for servers that do not do so themselves. */
export function withFieldPage(body: JsonObject, args: Arguments): JsonObject {
  const offset = Number(args['fields_offset'] ?? 0)
  const isShort = offset === 0 && jsonBytes({ data: body }) <= RESULT_BYTES.default
  if (args['stream'] === undefined || body['field_page'] !== undefined || isShort) return body
  const lists = rowsOf(body, 'connectors').flatMap((connector) => rowsOf(connector, 'streams').map(fieldsOf))
  const total = Math.max(0, ...lists.map(({ length }) => length))
  let [left, to] = [MAX_FIELD_BYTES, offset]
  for (; to < total; to++) {
    left -= lists.reduce((sum, list) => sum + jsonBytes(list[to] ?? ''), 0)
    if (left < 0 && to > offset) break
  }
  const part = (row: JsonObject) => ({
    ...row,
    field_capabilities: Object.fromEntries(fieldsOf(row).slice(offset, to)),
  })
  return {
    ...body,
    field_page: { from: offset, to, total, next_fields_offset: to < total ? to : null },
    connectors: rowsOf(body, 'connectors').map((connector) => ({
      ...connector,
      streams: rowsOf(connector, 'streams').map(part),
    })),
  }
}

const fieldsOf = (row: JsonObject): [string, unknown][] => Object.entries(objectOf(row['field_capabilities']))

function rowsOf(body: JsonObject, name: string): JsonObject[] {
  const rows = body[name]
  return objectsOf(rows)
}
