import { toolResult } from '../../../calling/result.ts'
import type { Tool } from '../../../calling/tool.ts'
import { shortLine } from '../../../rendering/safe-text.ts'
import { textOf } from '../../../resource-server/envelope.ts'
import { type SubscriptionServer, subscriptionPath } from '../../../resource-server/subscription-server.ts'
import { change, idOf } from '../subscription-call.ts'

/** POST /v1/event-subscriptions/{id}/test-event */
export const sendTestEvent: Tool<SubscriptionServer> = async (call) => {
  const id = idOf(call)
  const body = await change(call, { method: 'POST', path: `${subscriptionPath(id)}/test-event` })
  const event = shortLine(textOf(body['event_id']) ?? 'The test event', 200)
  const text = `${event} is on its way, type pdpp.subscription.test. Next: get_event_subscription ${JSON.stringify({ subscription_id: id })} shows the last success or failure.`
  return toolResult(text, { data: body })
}
