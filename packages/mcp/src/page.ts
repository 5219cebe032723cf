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
  render(body: Record<string, unknown>): ToolResult
}

const SMALLER = [1, 0.6, 0.35, 0.15]
const LEAST_BYTES = 1_024

/**
 * A page that fits the budget in both forms. What does not fit is asked for again, shorter: a page is ended by the
 * server, with a cursor that continues exactly there, and never cut here.
 */
export async function page(call: ToolCall, request: PageRequest): Promise<ToolResult> {
  let result: ToolResult | undefined
  for (const factor of SMALLER) {
    const body = await read(call, request.path, [...request.query, ...bounds(request, factor)])
    result = request.render(body)
    if (fits(result)) return result
    if (!request.maxBytes && bounds(request, factor)[0]![1] === '1') break
  }
  return result!
}

function bounds({ limit, maxBytes, share }: PageRequest, factor: number): Pairs {
  if (!maxBytes) return [['limit', String(Math.max(1, Math.floor(limit * factor)))]]
  const bytes = Math.max(LEAST_BYTES, Math.floor(RESULT_BYTES.default * share * factor))
  return [
    ['limit', String(limit)],
    ['max_bytes', String(bytes)],
  ]
}
