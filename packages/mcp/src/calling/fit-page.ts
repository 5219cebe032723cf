import { RESULT_BYTES } from '@pdpp/protocol/reading'
import { fits, type ToolResult } from './result.ts'
import { readOrThrow, type ToolCall } from './tool.ts'

type Pairs = [string, string][]

export interface PageRequest {
  readonly path: string
  readonly query: Pairs
  /** How many rows were asked for, or are asked for by default. */
  readonly limit: number
  /** What the server can end a page by: the result made of it, its own bytes, or the number of rows alone. */
  readonly bounds: 'result_bytes' | 'max_bytes' | 'limit'
  /** The largest share of the budget that the rows may take, because they are said again beside it. */
  readonly share: number
  /** `last`: it will not be asked for again, whatever its size. */
  render(body: Record<string, unknown>, last: boolean): ToolResult
}

const SMALLER = [1, 0.6, 0.35, 0.15, 0]
const MIN_BYTES = 1_024

/**
 * A page that fits the budget in both forms. A server that measures the result is asked once, because each read leaves
 * receipts. What another one sends too long is asked for again, shorter: a page is ended by the server, with a cursor
 * that continues exactly there, and never cut here.
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
