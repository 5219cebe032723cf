import { PdppError } from '@pdpp/protocol/reading'
import { parameters, type ToolCall, tryRead } from '../../calling/tool.ts'
import { objectOf } from '../../resource-server/envelope.ts'

/** With this preference our server reads no record, so the look-up leaves no receipt. */
const RELATIONS_ONLY = 'relations-only'

/**
 * Refuses `expand` before any record is read if the stream has no relations (004.5). Reads the schema every time,
 * because the declaration may have changed. If the schema is unavailable, the server decides.
 */
export async function requireExpandable(call: ToolCall, stream: string): Promise<void> {
  if (call.args['expand'] === undefined && call.args['expand_limit'] === undefined) return
  const query: [string, string][] = [['view', 'compact'], ['stream', stream], ...parameters(call.args, 'connection_id')]
  const reply = await tryRead(call, '/v1/schema', query, RELATIONS_ONLY).catch(() => undefined)
  if (reply?.status !== 200) return
  const rows = streamRows(objectOf(reply.body)).filter((row) => row['name'] === stream)
  // If many sources share the stream, the schema only names some of them, and their relations are unknown.
  const isCut = objectOf(reply.body)['described_streams'] !== undefined
  if (rows.length === 0 || isCut || rows.some((row) => relationsOf(row).length > 0)) return
  throw new PdppError('invalid_expand', `The stream "${stream}" has no relation that can be expanded.`, {
    param: 'expand',
    reason: 'no_relations',
  })
}

const relationsOf = (row: Record<string, unknown>): unknown[] =>
  Array.isArray(row['expand_capabilities']) ? row['expand_capabilities'] : []

/** The streams of a schema document: inside the connectors or, in other implementations, next to them. */
function streamRows(body: Record<string, unknown>): Record<string, unknown>[] {
  const document = body['connectors'] === undefined && body['streams'] === undefined ? objectOf(body['data']) : body
  const connectors = Array.isArray(document['connectors']) ? document['connectors'] : []
  const nested = connectors.flatMap((connector) => objectOf(connector)['streams'] ?? [])
  return [...nested, ...(Array.isArray(document['streams']) ? document['streams'] : [])].map(objectOf)
}
