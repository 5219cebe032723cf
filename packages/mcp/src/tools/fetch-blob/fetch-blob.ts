import { PdppError, RESULT_BYTES } from '@pdpp/protocol/reading'
import { refusalOf } from '../../calling/failure.ts'
import { escapedResult, NOTICE, type ToolResult, toolResult } from '../../calling/result.ts'
import type { Tool, ToolCall } from '../../calling/tool.ts'
import { byteLength, jsonBytes } from '../../rendering/bytes.ts'
import { grouped, safeText } from '../../rendering/safe-text.ts'
import type { BytesRead, BytesReply } from '../../resource-server/resource-server.ts'
import { mediaOf, shortened, textPart } from './blob-content.ts'
import { type BlobFacts, blobFacts, exportOf, factsMembers, factsText, type ReceivedBlob } from './blob-facts.ts'
import { type BlobHandle, blobHandle } from './blob-handle.ts'
import { BLOB_WINDOW_BYTES } from './definition.ts'

/** The longest UTF-8 character, so that every part has at least one. */
const MIN_BYTES = 4

interface Window {
  readonly handle: BlobHandle
  readonly from: number
  /** The requested limit, if any. */
  readonly limit: number | undefined
  readonly url: string
  readonly providerUrl: string
}

/** GET /v1/blobs/{blob}. Shows text in parts, small files whole as media, and describes everything else. */
export const fetchBlob: Tool = async (call) => {
  const { args, server } = call
  const handle = blobHandle(args, server.providerUrl)
  const from = (args['offset_bytes'] as number | undefined) ?? 0
  const limit = args['limit_bytes'] as number | undefined
  const path = `/v1/blobs/${encodeURIComponent(handle.blob_id)}`
  const query = Object.entries(handle).filter(([name]) => name === 'connection_id')
  const count = Math.max(MIN_BYTES, limit ?? BLOB_WINDOW_BYTES.default)
  const reply = await readBlob(call, { path, query, tool: call.tool, signal: call.signal, range: { from, count } })
  const search = new URLSearchParams(query).toString()
  const url = `${server.providerUrl}${path}${search === '' ? '' : `?${search}`}`
  const window = { handle, from, limit, url, providerUrl: server.providerUrl }
  const facts = blobFacts(reply)
  const { bytes } = reply.part
  return asText(facts, bytes, window) ?? asFile(facts, bytes, window)
}

async function readBlob({ server }: ToolCall, read: BytesRead): Promise<ReceivedBlob> {
  const reply = await server.getBytes(read)
  if (isTaken(reply)) return reply
  if (reply.status !== 416) throw refusalOf(reply, read.tool)
  // An empty file has no range, so read it without one.
  const whole = read.range?.from === 0 ? await server.getBytes({ ...read, range: undefined }) : reply
  if (isTaken(whole)) return whole
  throw new PdppError('range_not_satisfiable', 'The file ends before offset_bytes.', {
    param: 'offset_bytes',
    nextStep: 'Use a smaller offset_bytes, or leave it out.',
  })
}

const isTaken = (reply: BytesReply): reply is ReceivedBlob => reply.part !== undefined

function asText(facts: BlobFacts, bytes: Uint8Array, window: Window): ToolResult | undefined {
  const budget = (window.limit ?? 0) > BLOB_WINDOW_BYTES.default ? RESULT_BYTES.large : RESULT_BYTES.default
  let part = bytes
  for (;;) {
    const result = renderText(facts, part, window)
    if (!result) return
    const { content, structuredContent } = escapedResult(result)
    const size = Math.max(byteLength(content[0].text), jsonBytes(structuredContent))
    if (size <= budget || part.length <= MIN_BYTES) return result
    // Escaping made the part too large, so shorten it. The next part continues where it ends.
    part = shortened(part, Math.max(MIN_BYTES, Math.floor((part.length * budget * 0.9) / size)))
  }
}

function renderText(facts: BlobFacts, bytes: Uint8Array, window: Window): ToolResult | undefined {
  const { handle, from, limit, url } = window
  const part = textPart(facts, bytes, from)
  if (!part) return
  const { text, start, end } = part
  const complete = start === 0 && end === facts.size
  const next =
    facts.size !== undefined && end >= facts.size
      ? undefined
      : { ...handle, offset_bytes: end, ...(limit === undefined ? {} : { limit_bytes: limit }) }
  const lines = [
    `${factsText(handle, facts)} Bytes ${start}-${end}, ${complete ? 'complete.' : 'complete=false.'}`,
    ...(next ? [`next: fetch_blob ${JSON.stringify(next)}`] : []),
    NOTICE,
    '',
    safeText(text),
  ]
  return toolResult(lines.join('\n'), {
    ...(next ? { next } : {}),
    blob: factsMembers(handle, facts, url),
    shown: 'text',
    notice: NOTICE,
    window: { start_bytes: start, end_bytes: end, complete, text },
  })
}

/** Attaches the whole file if it fits, otherwise says how to get it, because half a file is useless. */
function asFile(facts: BlobFacts, bytes: Uint8Array, { handle, from, url, providerUrl }: Window): ToolResult {
  const { size } = facts
  const isWhole = from === 0 && bytes.length === size
  const media = isWhole ? mediaOf(facts, bytes, url) : undefined
  const next =
    !isWhole && size !== undefined && size <= BLOB_WINDOW_BYTES.max ? { ...handle, limit_bytes: size } : undefined
  const elsewhere = exportOf(handle, url, providerUrl)
  const lines = [
    `${factsText(handle, facts)} ${media ? `It follows, whole, as content of type ${media.type}.` : 'Not shown.'}`,
    ...(next ? [`next: fetch_blob ${JSON.stringify(next)}`] : []),
    ...(media || next ? [] : [`Files of up to ${grouped(BLOB_WINDOW_BYTES.max)} bytes are given here.`]),
    ...(elsewhere.command === undefined ? [] : [`Export, in a terminal: ${elsewhere.command}`]),
    ...(media ? [] : [`For a program with a token for /v1: GET ${url} (a Range header reads a part)`]),
    NOTICE,
  ]
  return toolResult(
    lines.join('\n'),
    {
      ...(next ? { next } : {}),
      blob: factsMembers(handle, facts, url),
      shown: media?.type ?? 'nothing',
      export: elsewhere,
      notice: NOTICE,
    },
    ...(media ? [media] : []),
  )
}
