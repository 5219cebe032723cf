import { formatResultId, PdppError, RESULT_BYTES, WINDOW_CHARS } from '@pdpp/protocol/reading'
import { type Pages, recordPage } from '../../calling/absolute-url.ts'
import { withoutAddress } from '../../calling/record-address.ts'
import { type WindowHandle, windowHandle } from '../../calling/record-handle.ts'
import { escapedResult, NOTICE, type ToolResult, toolResult } from '../../calling/result.ts'
import { parameters, readOrThrow, type Tool, type ToolCall } from '../../calling/tool.ts'
import { blobCommand, fieldCommand } from '../../rendering/blob.ts'
import { byteLength, jsonBytes } from '../../rendering/bytes.ts'
import { warningLines } from '../../rendering/header.ts'
import { grouped, safeText, shortLine } from '../../rendering/safe-text.ts'
import { shorterWindow } from '../../rendering/shorter-window.ts'
import { objectOf, textOf } from '../../resource-server/envelope.ts'
import { recordPath } from '../../resource-server/resource-server.ts'

/** GET …/field-window. Returns a part of the text, its position, and the arguments for the next part. */
export const readRecordField: Tool = async (asked) => {
  const call = await withoutAddress(asked, 'id')
  const { args } = call
  const handle = windowHandle(args)
  const path = `${recordPath(handle.stream, handle.recordKey)}/field-window`
  const offset = offsetOf(args, handle)
  const query: [string, string][] = [
    ['field', handle.fieldPath],
    ...(handle.connectionId === undefined ? [] : [['connection_id', handle.connectionId] as [string, string]]),
    ...parameters(args, 'q', 'before_chars', 'after_chars'),
    ...(offset === undefined ? [] : [['offset_chars', String(offset)] as [string, string]]),
  ]
  const wanted = (args['limit_chars'] as number | undefined) ?? handle.limitChars
  const contextual = args['before_chars'] !== undefined || args['after_chars'] !== undefined
  const budget = (wanted ?? 0) > WINDOW_CHARS.default || contextual ? RESULT_BYTES.large : RESULT_BYTES.default
  const limit = wanted ?? (contextual ? undefined : WINDOW_CHARS.default)
  const { windowResultBytes, origin } = await call.server.features(call.signal)
  const body = await readOrThrow(call, path, [
    ...query,
    ...(limit === undefined ? [] : [['limit_chars', String(limit)] as [string, string]]),
    // A server that measures the result sends no more than fits.
    ...(windowResultBytes ? [['result_bytes', String(budget)] as [string, string]] : []),
  ])
  const pages = { providerUrl: call.server.providerUrl, origin }
  const wish = { exact: args['exact'] === true, limit: wanted && Math.min(wanted, WINDOW_CHARS.max) }
  return shortenToFit(body, budget, (shown) => {
    const result = render(shown, handle, pages, wish)
    return wish.exact ? result : escapedResult(result)
  })
}

/** Shortens the window until the result fits, because characters can take many bytes. The next part continues there. */
function shortenToFit(
  body: Record<string, unknown>,
  budget: number,
  rendered: (body: Record<string, unknown>) => ToolResult,
): ToolResult {
  let result = rendered(body)
  for (let window = objectOf(body['window']); ; result = rendered({ ...body, window })) {
    const bytes = Math.max(byteLength(result.content[0].text), jsonBytes(result.structuredContent))
    const chars = Number(window['end_chars']) - Number(window['start_chars'])
    if (bytes <= budget || !(chars > 1)) return result
    window = shorterWindow(window, Math.max(1, Math.floor((chars * budget * 0.9) / bytes)))
  }
}

function offsetOf(args: ToolCall['args'], handle: WindowHandle): number | undefined {
  const cursor = args['cursor'] as string | undefined
  if (cursor === undefined)
    return (args['offset_chars'] as number | undefined) ?? (args['q'] === undefined ? handle.offsetChars : undefined)
  if (args['offset_chars'] === undefined && /^\d{1,15}$/.test(cursor)) return Number(cursor)
  throw new PdppError('invalid_window', 'Continue with only offset_chars, as the previous result gave it.', {
    param: 'cursor',
  })
}

interface Wish {
  readonly exact: boolean
  /** The length of each part, if the call gave it. */
  readonly limit: number | undefined
}

function render(body: Record<string, unknown>, handle: WindowHandle, pages: Pages, { exact, limit }: Wish): ToolResult {
  const connectionId = textOf(body['connection_id']) ?? handle.connectionId
  const { stream, recordKey, fieldPath } = handle
  const id = connectionId === undefined ? `${stream}:${recordKey}` : formatResultId({ connectionId, stream, recordKey })
  const record = { id, stream, record_id: recordKey, connection_id: connectionId ?? null }
  const field = objectOf(body['field'])
  if (body['window'] === null) return binary(body, { id, record, field }, pages)
  const window = objectOf(body['window'])
  const text = String(window['text'] ?? '')
  const [start, end, total] = [window['start_chars'], window['end_chars'], window['total_chars']].map(Number)
  const at = (offset: number, chars: number | undefined): Position => ({
    id,
    field_path: fieldPath,
    offset_chars: offset,
    ...(chars === undefined ? {} : { limit_chars: chars }),
    ...(exact ? { exact } : {}),
  })
  const [after, before] = [window['next_offset_chars'], window['previous_offset_chars']]
  const next = typeof after === 'number' ? at(after, limit) : undefined
  // The previous part ends where this one begins.
  const previous =
    typeof before === 'number'
      ? at(before, start! - before === WINDOW_CHARS.default ? undefined : start! - before)
      : undefined
  const match =
    typeof window['match_start_chars'] === 'number'
      ? ` match at ${window['match_start_chars']}-${window['match_end_chars']}.`
      : ''
  const lines = [
    `${id} ${shortLine(fieldPath, 200)}: chars ${start}-${end} of ${grouped(total!)}, ${extent(window['complete'], next)}${match}`,
    ...(next ? [`next: ${callText(next)}`] : []),
    ...(previous ? [`previous: ${callText(previous)}`] : []),
    ...warningLines(body),
    NOTICE,
    '',
    exact ? text : safeText(text),
  ]
  return toolResult(lines.join('\n'), {
    ...(next ? { next } : {}),
    record,
    field,
    ...(previous ? { previous } : {}),
    notice: NOTICE,
    window,
  })
}

/** Distinguishes the whole text, a part, and the last part. */
function extent(complete: unknown, next: object | undefined): string {
  if (complete === true) return 'complete.'
  return next ? 'complete=false.' : 'complete=false, the end.'
}

const REPEATED_ID_CHARS = 400

interface Position {
  readonly id: string
  readonly field_path: string
  readonly offset_chars: number
  readonly limit_chars?: number
  readonly exact?: boolean
}

/** The arguments of the next call, to copy. A very long id is not repeated. */
function callText(position: Position): string {
  const { id, field_path, ...others } = position
  if (id.length + field_path.length <= REPEATED_ID_CHARS) return `read_record_field ${JSON.stringify(position)}`
  const named = Object.entries(others).map(([name, value]) => `${name}=${value}`)
  return `read_record_field with the same id and field_path, ${named.join(', ')}`
}

/** Describes a binary field: its type and size, its extracted text, and how to export it (001.4.1). */
function binary(
  body: Record<string, unknown>,
  { id, record, field }: { id: string; record: object; field: Record<string, unknown> },
  pages: Pages,
): ToolResult {
  const url = recordPage(id, pages)
  const facts = [
    textOf(field['media_type']) ?? 'unknown media type',
    ...(typeof field['size_bytes'] === 'number' ? [`${grouped(field['size_bytes'])} bytes`] : []),
    ...(textOf(field['sha256']) === undefined ? [] : [`sha256 ${field['sha256']}`]),
  ]
  const blob = textOf(field['blob_id'])
  const command =
    blob === undefined
      ? fieldCommand(id, String(field['path'] ?? ''), pages.providerUrl)
      : blobCommand(blob, textOf(body['connection_id']), pages.providerUrl)
  const text = objectOf(field['extracted_text'])
  const readText =
    textOf(text['field']) === undefined ? undefined : { id, field_path: String(text['field']), offset_chars: 0 }
  const lines = [
    `${id} ${shortLine(String(field['path'] ?? ''), 200)}: ${facts.map((fact) => shortLine(fact, 120)).join(', ')}. Binary, so not shown as text.`,
    ...(readText
      ? [
          `Its text, ${grouped(Number(text['total_chars'] ?? 0))} chars: ${callText(readText)}`,
          `It begins: ${shortLine(String(text['preview'] ?? ''), 200)}`,
        ]
      : []),
    `Export: the owner opens ${url}`,
    ...(command === undefined
      ? []
      : [`or, in a terminal: ${command}${blob === undefined ? ' (the field holds the bytes as base64)' : ''}`]),
    ...warningLines(body),
    ...(readText ? [NOTICE] : []),
  ]
  return toolResult(lines.join('\n'), {
    ...(readText ? { text: readText } : {}),
    record,
    field,
    window: {},
    export: { url, ...(command === undefined ? {} : { command }) },
    notice: NOTICE,
  })
}
