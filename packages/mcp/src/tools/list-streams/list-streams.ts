import { RESULT_BYTES } from '@pdpp/protocol/reading'
import { fits, NOTICE, type ToolResult, toolResult } from '../../calling/result.ts'
import { parameters, readOrThrow, type Tool } from '../../calling/tool.ts'
import { byteLength, jsonBytes } from '../../rendering/bytes.ts'
import { handles, warningLines } from '../../rendering/header.ts'
import { grouped, shortLine, zonedTime } from '../../rendering/safe-text.ts'
import { type JsonObject, objectOf, rowsOf, textOf } from '../../resource-server/envelope.ts'

/** Reserved for everything before the rows. */
const HEAD_BYTES = 2_000
/** Max. size of a row. Our own rows have a few hundred bytes. */
const MAX_ROW_BYTES = 2_000
const KEPT_MEMBERS = [
  'object',
  'name',
  'record_count',
  'last_updated',
  'connection_id',
  'connector_key',
  'display_name',
]

/** GET /v1/streams. Shows as many rows as fit, and the offset of the others. */
export const listStreams: Tool = async (call) => {
  const { args } = call
  const body = await readOrThrow(call, '/v1/streams', parameters(args, 'connection_id'))
  const all = rowsOf(body).map(bounded)
  const from = Math.min((args['offset'] as number | undefined) ?? 0, all.length)
  for (let count = fitting(all.slice(from)); ; count = Math.floor(count * 0.7)) {
    const rows = all.slice(from, from + count)
    const next = from + count < all.length ? { ...narrowing(args), offset: from + count } : undefined
    const result = render(body, { rows, from, total: all.length, next })
    // Warnings before the rows may be longer than HEAD_BYTES.
    if (count <= 1 || fits(result)) return result
  }
}

interface Part {
  readonly rows: readonly Readonly<JsonObject>[]
  readonly from: number
  readonly total: number
  readonly next: object | undefined
}

function render(body: Readonly<JsonObject>, { rows, from, total, next }: Part): ToolResult {
  const shown =
    rows.length === total ? '' : `, ${grouped(from + 1)} to ${grouped(from + rows.length)} of ${grouped(total)}`
  const sources = new Set(rows.map((row) => row['connection_id'])).size
  const lines = [
    total === 0
      ? 'No stream is in reach. Only the owner can add some.'
      : `${count(rows.length, 'stream')} of ${count(sources, 'source')}${shown}. Next: schema with stream for its fields, or query_records with stream and connection_id.`,
    ...(next ? [`more: list_streams ${JSON.stringify(next)}`] : []),
    ...(handles(body) === '' ? [] : [handles(body)]),
    ...warningLines(body),
    ...rows.map(line),
    ...(total === 0 ? [] : [NOTICE]),
  ]
  const { data: _rows, ...envelope } = body
  return toolResult(lines.join('\n'), {
    ...(next ? { next } : {}),
    page: { offset: from, shown: rows.length, total },
    data: { ...envelope, has_more: next !== undefined || body['has_more'] === true, data: rows },
    notice: NOTICE,
  })
}

function line(row: Readonly<JsonObject>): string {
  const handle = ['connection_id', 'connector_key', 'grant_id'].flatMap((key) => {
    const value = textOf(row[key])
    return value === undefined ? [] : [`${key}=${shortLine(value, 100)}`]
  })
  const label = textOf(row['display_name'])
  const span = objectOf(row['time_span'])
  const records = row['record_count']
  const facts = [
    typeof records === 'number' ? count(records, 'record') : undefined,
    textOf(span['earliest']) && `${time(span['earliest'])} to ${time(span['latest'])}`,
    textOf(row['last_updated']) && `last updated ${time(row['last_updated'])}`,
  ].filter((fact) => fact !== undefined)
  const name = label === undefined ? '' : ` "${shortLine(label, 60)}"`
  return `- ${shortLine(String(row['name'] ?? ''), 100)} ${handle.join(' ')}${name}: ${facts.join(', ')}`
}

/** The number of rows that fit, at least one, so that paging always advances. */
function fitting(rows: readonly Readonly<JsonObject>[]): number {
  let [text, json] = [HEAD_BYTES, HEAD_BYTES]
  const over = rows.findIndex((row) => {
    text += byteLength(line(row)) + 1
    json += jsonBytes(row) + 1
    return Math.max(text, json) > RESULT_BYTES.default
  })
  return over === -1 ? rows.length : Math.max(1, over)
}

/** Reduces an oversized row of another server to the known members, and says how many were omitted. */
function bounded(row: Readonly<JsonObject>): Readonly<JsonObject> {
  if (jsonBytes(row) <= MAX_ROW_BYTES) return row
  const kept = Object.entries(row).filter(([name]) => KEPT_MEMBERS.includes(name))
  return {
    ...Object.fromEntries(
      kept.map(([name, value]) => [name, typeof value === 'number' ? value : shortLine(String(value), 100)]),
    ),
    omitted_member_count: Object.keys(row).length - kept.length,
  }
}

const narrowing = (args: Readonly<JsonObject>) => Object.fromEntries(parameters(args, 'connection_id'))
const count = (value: number, noun: string): string => `${grouped(value)} ${noun}${value === 1 ? '' : 's'}`
const time = (value: unknown): string => zonedTime(String(value))
