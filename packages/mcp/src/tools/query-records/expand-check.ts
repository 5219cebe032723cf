import { PdppError } from '@pdpp/protocol/reading'
import { parameters, type ToolCall, tryRead } from '../../calling/tool.ts'
import { objectOf } from '../../resource-server/envelope.ts'

/** Our server then looks at no record, so that the look-up is no read and leaves no receipt. */
const RELATIONS_ONLY = 'relations-only'

/**
 * `expand` is refused before any record is read where the stream advertises no relation (004.5). What is advertised
 * is asked for each time, so that a changed declaration counts at once; where it cannot be had, the server decides.
 */
export async function requireExpandable(call: ToolCall, stream: string): Promise<void> {
  if (call.args['expand'] === undefined && call.args['expand_limit'] === undefined) return
  const query: [string, string][] = [['view', 'compact'], ['stream', stream], ...parameters(call.args, 'connection_id')]
  const reply = await tryRead(call, '/v1/schema', query, RELATIONS_ONLY).catch(() => undefined)
  if (reply?.status !== 200) return
  const rows = streamRows(objectOf(reply.body)).filter((row) => row['name'] === stream)
  // Of many sources that share a stream some are only named: what they have is not known here.
  const isCut = objectOf(reply.body)['described_streams'] !== undefined
  if (rows.length === 0 || isCut || rows.some((row) => relationsOf(row).length > 0)) return
  throw new PdppError('invalid_expand', `The stream "${stream}" has no relation that can be expanded.`, {
    param: 'expand',
    reason: 'no_relations',
  })
}

const relationsOf = (row: Record<string, unknown>): unknown[] =>
  Array.isArray(row['expand_capabilities']) ? row['expand_capabilities'] : []

/** Streams of a schema document, under their connectors or, in other implementations, beside them. */
function streamRows(body: Record<string, unknown>): Record<string, unknown>[] {
  const document = body['connectors'] === undefined && body['streams'] === undefined ? objectOf(body['data']) : body
  const connectors = Array.isArray(document['connectors']) ? document['connectors'] : []
  const nested = connectors.flatMap((connector) => objectOf(connector)['streams'] ?? [])
  return [...nested, ...(Array.isArray(document['streams']) ? document['streams'] : [])].map(objectOf)
}
