import { RESULT_BYTES } from '@pdpp/protocol/reading'
import { fits, type ToolResult } from './result.ts'
import { read, type ToolCall } from './tool.ts'

type Pairs = [string, string][]

export interface PageRequest {
  readonly path: string
  readonly query: Pairs
  /** How many rows were asked for, or are asked for by default. */
  readonly limit: number
  /** Whether the server ends pages by bytes. */
  readonly maxBytes: boolean
  /** The largest share of the budget that the rows may take, because they are said again beside it. */
  readonly share: number
  /** `last`: it will not be asked for again, whatever its size. */
  render(body: Record<string, unknown>, last: boolean): ToolResult
}

const SMALLER = [1, 0.6, 0.35, 0.15, 0]
const LEAST_BYTES = 1_024

/**
 * A page that fits the budget in both forms. What does not fit is asked for again, shorter: a page is ended by the
 * server, with a cursor that continues exactly there, and never cut here.
 */
export async function page(call: ToolCall, request: PageRequest): Promise<ToolResult> {
  const factors = SMALLER.filter((factor) => request.limit > 1 || request.maxBytes || factor === 0)
  for (const factor of factors) {
    const last = factor === 0
    const body = await read(call, request.path, [...request.query, ...bounds(request, factor)])
    const result = request.render(body, last)
    if (last || fits(result)) return result
  }
  throw new Error('The last page is always returned.')
}

function bounds({ limit, maxBytes, share }: PageRequest, factor: number): Pairs {
  if (!maxBytes) return [['limit', String(Math.max(1, Math.floor(limit * factor)))]]
  const bytes = Math.max(LEAST_BYTES, Math.floor(RESULT_BYTES.default * share * factor))
  return [
    ['limit', String(limit)],
    ['max_bytes', String(bytes)],
  ]
}
