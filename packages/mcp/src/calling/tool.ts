import type { Read, Reply, ResourceServer } from '../resource-server/resource-server.ts'
import type { Arguments } from './arguments.ts'
import { refusalOf } from './failure.ts'
import type { ToolResult } from './result.ts'

/**
 * One tool: checked arguments in, one result out. `Server` says which methods the tool may use; most tools only read.
 */
export type Tool<Server extends ResourceServer = ResourceServer> = (call: ToolCall<Server>) => Promise<ToolResult>

export interface ToolCall<Server extends ResourceServer = ResourceServer> {
  readonly server: Server
  readonly args: Arguments
  readonly tool: string
  readonly signal?: AbortSignal | undefined
}

/** Reads and returns the body. Throws the server's error if it refuses. */
export async function readOrThrow(
  call: ToolCall,
  path: string,
  query: Read['query'],
): Promise<Record<string, unknown>> {
  return bodyOrThrow(await tryRead(call, path, query), call.tool)
}

export function tryRead(call: ToolCall, path: string, query: Read['query'], prefer?: string): Promise<Reply> {
  return call.server.get({ path, query, tool: call.tool, prefer, signal: call.signal })
}

export function bodyOrThrow(reply: Reply, tool: string): Record<string, unknown> {
  if (reply.status >= 200 && reply.status < 300 && typeof reply.body === 'object' && reply.body !== null)
    return reply.body as Record<string, unknown>
  throw refusalOf(reply, tool)
}

/** Query parameters for arguments that have the same name in the API. */
export function parameters(args: Arguments, ...names: string[]): [string, string][] {
  return names.flatMap((name): [string, string][] => {
    const value = args[name]
    if (value === undefined) return []
    return Array.isArray(value) ? value.map((item) => [name, String(item)]) : [[name, String(value)]]
  })
}
