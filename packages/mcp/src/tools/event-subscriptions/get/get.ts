import { toolResult } from '../../../calling/result.ts'
import type { Tool } from '../../../calling/tool.ts'
import type { SubscriptionServer } from '../../../resource-server/subscription-server.ts'
import { boundedSubscription } from '../bounded-subscription.ts'
import { readSubscription } from '../subscription-call.ts'
import { nextStep, subscriptionLine } from '../subscription-text.ts'

/** GET /v1/event-subscriptions/{id} */
export const getEventSubscription: Tool<SubscriptionServer> = async (call) => {
  const subscription = boundedSubscription(await readSubscription(call))
  return toolResult(`${subscriptionLine(subscription)}\n${nextStep(subscription)}`, { data: subscription })
}
