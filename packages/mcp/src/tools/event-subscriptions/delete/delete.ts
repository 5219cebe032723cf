import { toolResult } from '../../../calling/result.ts'
import type { Tool } from '../../../calling/tool.ts'
import { shortLine } from '../../../rendering/safe-text.ts'
import { type SubscriptionServer, subscriptionPath } from '../../../resource-server/subscription-server.ts'
import { change, idOf } from '../subscription-call.ts'

/** DELETE /v1/event-subscriptions/{id} */
export const deleteEventSubscription: Tool<SubscriptionServer> = async (call) => {
  const id = idOf(call)
  const body = await change(call, { method: 'DELETE', path: subscriptionPath(id) })
  const text = `Deleted ${shortLine(id, 200)}. No further event is sent; list_event_subscriptions shows what is left.`
  return toolResult(text, { data: { ...body, subscription_id: id, deleted: true } })
}
