import { RESULT_BYTES } from '@pdpp/protocol/reading'
import type { Read, Reply, ResourceServer } from '../resource-server/resource-server.ts'
import type { Arguments } from './arguments.ts'
import { refusalOf } from './failure.ts'
import { fits, type ToolResult } from './result.ts'

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

type Pairs = [string, string][]

/** Query parameters for arguments that have the same name in the API. */
export function parameters(args: Arguments, ...names: string[]): Pairs {
  return names.flatMap((name): Pairs => {
    const value = args[name]
    if (value === undefined) return []
    return Array.isArray(value) ? value.map((item) => [name, String(item)]) : [[name, String(value)]]
  })
}

export interface PageRequest {
  readonly path: string
  readonly query: Pairs
  /** The requested number of rows, or the default. */
  readonly limit: number
  /** How the server can limit a page: by the size of the tool result, by its own bytes, or only by rows. */
  readonly bounds: 'result_bytes' | 'max_bytes' | 'limit'
  /** Max. share of the budget for the rows, because the structured output repeats parts of them. */
  readonly share: number
  /** `last` is true on the last attempt: return this page even if it is too large. */
  render(body: Record<string, unknown>, last: boolean): ToolResult
}

/** Shares of the budget or of the row limit to try, one after the other. */
const SMALLER = [1, 0.6, 0.35, 0.15, 0]
const MIN_BYTES = 1_024

/**
 * Fetches a page whose text and structured output fit the budget. A server that measures the result needs one request,
 * which matters because each read leaves receipts. Others are asked again for a shorter page. Only the server ends a
 * page, so that its cursor continues exactly there.
 */
export async function fetchPageWithinBudget(call: ToolCall, request: PageRequest): Promise<ToolResult> {
  const { path, query, limit, bounds, render } = request
  if (bounds === 'result_bytes') {
    const measured: Pairs = [
      ['limit', String(limit)],
      ['result_bytes', String(RESULT_BYTES.default)],
    ]
    return render(await readOrThrow(call, path, [...query, ...measured]), false)
  }
  const factors = SMALLER.filter((factor) => limit > 1 || bounds === 'max_bytes' || factor === 0)
  for (const factor of factors) {
    const last = factor === 0
    const body = await readOrThrow(call, path, [...query, ...shorter(request, factor)])
    const result = render(body, last)
    if (last || fits(result)) return result
  }
  throw new Error('The last page is always returned.')
}

function shorter({ limit, bounds, share }: PageRequest, factor: number): Pairs {
  if (bounds === 'limit') return [['limit', String(Math.max(1, Math.floor(limit * factor)))]]
  const bytes = Math.max(MIN_BYTES, Math.floor(RESULT_BYTES.default * share * factor))
  return [
    ['limit', String(limit)],
    ['max_bytes', String(bytes)],
  ]
}
