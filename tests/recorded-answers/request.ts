// The shape of a request. In its path or body, `{next_cursor of a page}` stands for that member of the answer that is
// named "a page", and `{access_token of chat}` for the token of the holder "chat".
import { ENVELOPE } from '../adapter/adapter-server.ts'
import type { Holder } from './holders.ts'

export interface Request {
  readonly name: string
  readonly as: Holder | 'owner' | 'nobody'
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** The request as the record shows it. */
  readonly shown: string
}

interface More {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: unknown
}

export function http(as: Request['as'], name: string, path: string, more: More = {}): Request {
  const { method = 'GET', headers = {}, body } = more
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
  const lines = Object.entries(headers).map(([header, value]) => `${header}: ${value}`)
  const shown = [`${method} ${path}`, ...lines, ...(text === undefined ? [] : [text])].join('\n')
  return { name, as, method, path, headers, body: text, shown }
}

/** GET requests of one holder, by name. */
export const gets = (as: Request['as'], paths: Readonly<Record<string, string>>): Request[] =>
  Object.entries(paths).map(([name, path]) => http(as, name, path))

type Era = '2026-07-28' | '2025-11-25'

/** One JSON-RPC message as a host of that era sends it. */
export function rpc(
  as: Request['as'],
  name: string,
  method: string,
  params: object = {},
  more: McpPlace = {},
): Request {
  const { era = '2026-07-28', path = '/mcp' } = more
  const modern = era === '2026-07-28'
  const tool = (params as { name?: string; uri?: string }).name ?? (params as { uri?: string }).uri
  return {
    name,
    as,
    method: 'POST',
    path,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': era,
      ...(modern ? { 'mcp-method': method, ...(tool === undefined ? {} : { 'mcp-name': tool }) } : {}),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: modern ? { ...params, _meta: ENVELOPE } : params }),
    shown: `POST ${path} ${era}\n${method} ${JSON.stringify(params)}`,
  }
}

interface McpPlace {
  readonly era?: Era
  readonly path?: string
}

/** Calls of one tool, by name. */
export const calls = (
  as: Request['as'],
  tool: string,
  args: Readonly<Record<string, object>>,
  place: McpPlace = {},
): Request[] =>
  Object.entries(args).map(([name, given]) => rpc(as, name, 'tools/call', { name: tool, arguments: given }, place))
