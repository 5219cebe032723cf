import { type ToolResult, toolResult } from '../../../calling/result.ts'
import type { Tool } from '../../../calling/tool.ts'
import { fetchPageWithinBudget, parameters } from '../../../calling/tool.ts'
import { handles, warningLines } from '../../../rendering/header.ts'
import { type JsonObject, rowsOf } from '../../../resource-server/envelope.ts'
import { SUBSCRIPTIONS, type SubscriptionServer } from '../../../resource-server/subscription-server.ts'
import { boundedSubscription } from '../bounded-subscription.ts'
import { explained } from '../subscription-call.ts'
import { subscriptionLine } from '../subscription-text.ts'

const DEFAULT_LIMIT = 10

/** GET /v1/event-subscriptions. Shows as many as fit, and the cursor for the others. */
export const listEventSubscriptions: Tool<SubscriptionServer> = (call) =>
  explained(
    fetchPageWithinBudget(call, {
      path: SUBSCRIPTIONS,
      query: parameters(call.args, 'cursor'),
      limit: (call.args['limit'] as number | undefined) ?? DEFAULT_LIMIT,
      bounds: 'limit',
      share: 1,
      render,
    }),
  )

function render(body: Readonly<JsonObject>): ToolResult {
  const rows = rowsOf(body).map(boundedSubscription)
  const isWhole = rows.every((row, index) => row === rowsOf(body)[index])
  const lines = [
    rows.length === 0
      ? 'You have no event subscriptions. Next: event_subscription_capabilities, then create_event_subscription.'
      : `${rows.length} event subscription${rows.length === 1 ? '' : 's'}. Next: get_event_subscription with subscription_id shows one.`,
    ...(handles(body) === '' ? [] : [handles(body)]),
    ...warningLines(body),
    ...rows.map((row) => `- ${subscriptionLine(row)}`),
  ]
  return toolResult(lines.join('\n'), { data: isWhole ? body : { ...body, data: rows } })
}
