import { objectOf } from '../resource-server/envelope.ts'
import { type Answer, request } from './request.ts'

export const LEGACY = '2025-11-25'
export const MODERN = '2026-07-28'

const META = 'io.modelcontextprotocol/'
const CLIENT = { name: 'pdpp-doctor', version: '1' }

/** Sends one message to `/mcp` as hosts of this protocol era do. */
export async function mcpCall(
  url: string,
  bearer: string | undefined,
  era: typeof LEGACY | typeof MODERN,
  method: string,
  params: Record<string, unknown> = {},
): Promise<{ answer: Answer; result: Record<string, unknown>; error: Record<string, unknown> | undefined }> {
  const modern = era === MODERN
  const meta = {
    [`${META}protocolVersion`]: MODERN,
    [`${META}clientInfo`]: CLIENT,
    [`${META}clientCapabilities`]: {},
  }
  const answer = await request(url, {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(method === 'initialize' ? {} : { 'mcp-protocol-version': era }),
      ...(modern ? { 'mcp-method': method } : {}),
      ...(modern && typeof params['name'] === 'string' ? { 'mcp-name': params['name'] } : {}),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: modern ? { ...params, _meta: meta } : params }),
  })
  const body = message(answer)
  const error = body['error'] === undefined ? undefined : objectOf(body['error'])
  return { answer, result: objectOf(body['result']), error }
}

export const initializeParams = { protocolVersion: LEGACY, capabilities: {}, clientInfo: CLIENT }

/** The message from a JSON body, or from the last event of a stream. */
function message({ headers, text, body }: Answer): Record<string, unknown> {
  if (!headers.get('content-type')?.startsWith('text/event-stream')) return body
  const data = text
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .at(-1)
  try {
    return objectOf(JSON.parse(data?.slice(5) ?? ''))
  } catch {
    return {}
  }
}
