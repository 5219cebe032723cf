import { ENVELOPE } from '../../tests/adapter/adapter-server.ts'

/** One request to the hosted adapter. */
export interface Message {
  readonly body: string
  readonly headers: string
}

export function message(method: string, params: { readonly name?: string; readonly arguments?: object }): Message {
  const name = params.name === undefined ? '' : `Mcp-Name: ${params.name}\r\n`
  return {
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: ENVELOPE } }),
    headers: `Accept: application/json, text/event-stream\r\nMcp-Protocol-Version: 2026-07-28\r\nMcp-Method: ${method}\r\n${name}`,
  }
}
