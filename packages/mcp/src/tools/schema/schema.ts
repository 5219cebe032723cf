import { type ConnectionCandidate, PdppError, RESULT_BYTES, schemaPart } from '@pdpp/protocol/reading'
import { toolResult } from '../../calling/result.ts'
import { bodyOrThrow, parameters, readOrThrow, type Tool, type ToolCall, tryRead } from '../../calling/tool.ts'
import { jsonBytes } from '../../rendering/bytes.ts'
import { type JsonObject, objectOf, objectsOf } from '../../resource-server/envelope.ts'
import type { Reply } from '../../resource-server/resource-server.ts'
import { projectCompact } from './compact-projection.ts'
import { withFieldPage } from './field-part.ts'
import { indexText } from './index-text.ts'
import { connectorsOf } from './schema-document.ts'
import { fullText, streamText } from './schema-text.ts'

/** Max. bytes of a result for one stream. */
const MAX_PART_BYTES = 32_000

/** GET /v1/schema. An index of all granted streams, or one stream with its fields and their uses. */
export const schema: Tool = async (call) => {
  const { args } = call
  const stream = args['stream'] as string | undefined
  if (args['detail'] === 'full') return full(call, stream)
  const body = await compact(call)
  const text = stream === undefined ? indexText(body) : streamText(body, stream)
  return toolResult(text, { data: body })
}

async function compact(call: ToolCall): Promise<JsonObject> {
  const narrowing = parameters(call.args, 'stream', 'connection_id', 'fields_offset')
  const reply = await tryRead(call, '/v1/schema', [['view', 'compact'], ...narrowing])
  const body = refusesCompact(reply) ? await readOrThrow(call, '/v1/schema', narrowing) : bodyOrThrow(reply, call.tool)
  // Builds the compact view here in two cases: the server ignored the parameter and sent everything (003.7.2), or its
  // index contains the fields of every stream and is too large for a host (000.5.1).
  const bounded = body['detail'] === 'compact' && jsonBytes({ data: body }) <= RESULT_BYTES.large
  return withFieldPage(bounded ? body : projectCompact(body, call.args), call.args)
}

function refusesCompact({ status, body }: Reply): boolean {
  const { code, param } = objectOf(objectOf(body)['error'])
  return (
    status === 400 &&
    ['bad_request', 'invalid_request', 'unsupported_query'].includes(String(code)) &&
    (param === undefined || param === 'view')
  )
}

async function full(call: ToolCall, stream: string | undefined) {
  if (stream === undefined) {
    throw new PdppError('invalid_argument', 'detail "full" needs a stream.', {
      param: 'detail',
      reason: 'one_stream',
    })
  }
  const narrowing = parameters(call.args, 'stream', 'connection_id', 'fields_offset')
  const whole = withoutCopies(await readOrThrow(call, '/v1/schema', [['detail', 'full'], ...narrowing]))
  requireOne(call, whole, stream)
  const body = inParts(whole, Number(call.args['fields_offset'] ?? 0))
  return toolResult(fullText(body, stream), { data: body })
}

/** Selects the requested fields, for servers that always send all of them. */
function inParts(body: JsonObject, offset: number): JsonObject {
  if (body['field_page'] !== undefined) return body
  if (offset === 0 && jsonBytes({ data: body }) <= RESULT_BYTES.large) return body
  const [connector] = objectsOf(body['connectors'])
  const [stream] = objectsOf(connector?.['streams'])
  if (!connector || !stream) return body
  const { row, part } = schemaPart(stream, offset, MAX_PART_BYTES)
  return { ...body, field_page: part, connectors: [{ ...connector, streams: [row] }] }
}

/** Removes the second list of the same streams that other implementations send next to the connectors. */
function withoutCopies({ streams, ...body }: JsonObject): JsonObject {
  return body['connectors'] === undefined ? { ...body, streams } : body
}

/** Asks for a connection_id if a full answer contains several sources and the server did not ask itself (000.5.6). */
function requireOne(call: ToolCall, body: JsonObject, stream: string): void {
  if (call.args['connection_id'] !== undefined) return
  const candidates = connectorsOf(body).flatMap(({ key, streams, connections }) =>
    streams.flatMap((row) =>
      (row.connections.length > 0 ? row.connections : connections).map(
        ({ id, name }): ConnectionCandidate => ({
          connection_id: id,
          connector_key: key,
          grant_id: null,
          ...(name === undefined ? {} : { display_name: name }),
        }),
      ),
    ),
  )
  const distinct = [...new Map(candidates.map((candidate) => [candidate.connection_id, candidate])).values()]
  if (distinct.length <= 1) return
  throw new PdppError('ambiguous_connection', `The stream "${stream}" is in ${distinct.length} connections.`, {
    param: 'connection_id',
    retryWith: 'connection_id',
    candidates: distinct,
  })
}
