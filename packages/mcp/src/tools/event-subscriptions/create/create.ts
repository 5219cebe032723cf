import { toolResult } from '../../../calling/result.ts'
import type { Tool } from '../../../calling/tool.ts'
import { SUBSCRIPTIONS, type SubscriptionServer } from '../../../resource-server/subscription-server.ts'
import { boundedSubscription } from '../bounded-subscription.ts'
import { change, filtersOf } from '../subscription-call.ts'
import { nextStep, secretLines, subscriptionLine } from '../subscription-text.ts'

/** POST /v1/event-subscriptions */
export const createEventSubscription: Tool<SubscriptionServer> = async (call) => {
  const { callback_url, delivery } = call.args
  const body = { callback_url, delivery, filters: filtersOf(call.args) }
  const created = boundedSubscription(await change(call, { method: 'POST', path: SUBSCRIPTIONS, body }))
  const lines = [`Created ${subscriptionLine(created)}`, ...secretLines(created), nextStep(created)]
  return toolResult(lines.join('\n'), { data: created })
}
