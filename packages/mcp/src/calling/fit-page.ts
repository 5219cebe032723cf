import { RESULT_BYTES } from '@pdpp/protocol/reading'
import { fits, type ToolResult } from './result.ts'
import { readOrThrow, type ToolCall } from './tool.ts'

type Pairs = [string, string][]

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
