import { toolResult } from '../../../calling/result.ts'
import type { Tool } from '../../../calling/tool.ts'
import { handles, warningLines } from '../../../rendering/header.ts'
import { rowsOf } from '../../../resource-server/envelope.ts'
import type { SubscriptionServer } from '../../../resource-server/subscription-server.ts'
import { readSubscriptions } from '../subscription-call.ts'
import { subscriptionLine } from '../subscription-text.ts'

/** GET /v1/event-subscriptions */
export const listEventSubscriptions: Tool<SubscriptionServer> = async (call) => {
  const body = await readSubscriptions(call)
  const rows = rowsOf(body)
  const lines = [
    rows.length === 0
      ? 'You have no event subscriptions. Next: event_subscription_capabilities, then create_event_subscription.'
      : `${rows.length} event subscription${rows.length === 1 ? '' : 's'}. Next: get_event_subscription with subscription_id shows one.`,
    ...(handles(body) === '' ? [] : [handles(body)]),
    ...warningLines(body),
    ...rows.map((row) => `- ${subscriptionLine(row)}`),
  ]
  return toolResult(lines.join('\n'), { data: body })
}
