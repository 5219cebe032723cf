import { formatResultId } from '@pdpp/protocol/reading'
import { absoluteUrl, recordPage } from '../../calling/absolute-url.ts'
import { withoutAddress } from '../../calling/record-address.ts'
import { type RecordHandle, recordHandle } from '../../calling/record-handle.ts'
import { toolResult } from '../../calling/result.ts'
import { readOrThrow, type Tool, type ToolCall, tryRead } from '../../calling/tool.ts'
import { expandParameters } from '../../calling/typed-arguments.ts'
import { objectOf, textOf } from '../../resource-server/envelope.ts'
import { recordPath } from '../../resource-server/resource-server.ts'
import { requireExpandable } from '../query-records/expand-check.ts'
import { documentOf } from './document.ts'

const RECORD_BYTES = 9_000
const LONG_FIELD_CHARS = 8_000
/** Base64 text, which does not help a reader. */
const ENCODED = /^data:[\w.+-]+\/|^[A-Za-z0-9+/_-]{80,}…?$/

/** GET /v1/streams/{stream}/records/{id} as one document. Text and structured output are the same object (000.7). */
export const fetchDocument: Tool = async (asked) => {
  const call = await withoutAddress(asked, 'id')
  const { args, server } = call
  const handle = recordHandle(String(args['id']), args['connection_id'])
  await requireExpandable(withConnection(call, handle), handle.stream)
  const { maxBytes, label, origin, binary, longField: isWithLong } = await server.features(call.signal)
  const fields = args['fields'] as string[] | undefined
  const record = await readOrThrow(call, recordPath(handle.stream, handle.recordKey), [
    ...connectionOf(handle),
    ...(fields === undefined ? [] : [['fields', fields.join(',')] as [string, string]]),
    ...expandParameters(args['expand'] as string[] | undefined, args['expand_limit'] as Record<string, number>),
    ...(maxBytes ? [['max_bytes', String(RECORD_BYTES)] as [string, string]] : []),
    ...(label ? [['label', 'true'] as [string, string]] : []),
    ...(binary ? [['binary', 'described'] as [string, string]] : []),
    ...(maxBytes && isWithLong ? [['long_field_chars', String(LONG_FIELD_CHARS)] as [string, string]] : []),
  ])
  const connectionId = textOf(record['connection_id']) ?? handle.connectionId
  // One call is one read (point 37). Only servers that cannot send both at once need a second read.
  const long = isWithLong ? longIn(record) : await longField(call, record, { ...handle, connectionId })
  const id = idOf(handle, connectionId)
  // The address of a record without a url: its page if the server has pages, otherwise its route.
  const address = label
    ? recordPage(id, { providerUrl: server.providerUrl, origin })
    : recordAddress(handle, connectionId)
  const document = documentOf(record, {
    id,
    handle: { ...handle, connectionId },
    url: absoluteUrl(textOf(record['url']) ?? address, server.providerUrl),
    providerUrl: server.providerUrl,
    asked: fields?.flatMap((names) => names.split(',')),
    long,
  })
  return toolResult(JSON.stringify(document), { ...document })
}

/** The id with its connection. A legacy id gets the connection from the answer. */
function idOf({ stream, recordKey }: RecordHandle, connectionId: string | undefined): string {
  return connectionId === undefined ? `${stream}:${recordKey}` : formatResultId({ connectionId, stream, recordKey })
}

/** The long text whose beginning the server sent with the record. */
function longIn(record: Record<string, unknown>) {
  for (const [field, value] of Object.entries(objectOf(record['data']))) {
    const { object, text, total_chars: totalChars } = objectOf(value)
    if (object === 'field_descriptor' && typeof text === 'string')
      return { field, text, totalChars: Number(totalChars) }
  }
  return
}

/** Reads the beginning of the longest field that the server only described. */
async function longField(call: ToolCall, record: Record<string, unknown>, handle: RecordHandle) {
  const described = Object.entries(objectOf(record['data']))
    .map(([field, value]) => ({ field, descriptor: objectOf(value) }))
    .filter(({ descriptor }) => descriptor['object'] === 'field_descriptor' && descriptor['type'] === 'string')
    .filter(({ descriptor }) => !ENCODED.test(String(descriptor['preview'])))
    .sort((a, b) => Number(b.descriptor['total_chars']) - Number(a.descriptor['total_chars']))[0]
  if (!described) return
  const reply = await tryRead(call, `${recordPath(handle.stream, handle.recordKey)}/field-window`, [
    ['field', described.field],
    ['limit_chars', String(LONG_FIELD_CHARS)],
    ...connectionOf(handle),
  ])
  const window = objectOf(objectOf(reply.body)['window'])
  const text = textOf(window['text'])
  // A binary field has no window. The document describes it.
  if (reply.status !== 200 || text === undefined) return
  return { field: described.field, text, totalChars: Number(window['total_chars']) }
}

function withConnection(call: ToolCall, { connectionId }: RecordHandle): ToolCall {
  return connectionId === undefined ? call : { ...call, args: { ...call.args, connection_id: connectionId } }
}

function connectionOf({ connectionId }: RecordHandle): [string, string][] {
  return connectionId === undefined ? [] : [['connection_id', connectionId]]
}

function recordAddress(handle: RecordHandle, connectionId: string | undefined): string {
  const path = recordPath(handle.stream, handle.recordKey)
  return connectionId === undefined ? path : `${path}?connection_id=${encodeURIComponent(connectionId)}`
}
