import { PdppError } from '@pdpp/protocol/reading'
import { toolResult } from '../../../calling/result.ts'
import type { Tool } from '../../../calling/tool.ts'
import { objectOf } from '../../../resource-server/envelope.ts'
import { type SubscriptionServer, subscriptionPath } from '../../../resource-server/subscription-server.ts'
import { boundedSubscription } from '../bounded-subscription.ts'
import { change, filtersOf, idOf } from '../subscription-call.ts'
import { nextStep, secretLines, subscriptionLine } from '../subscription-text.ts'

/** PATCH /v1/event-subscriptions/{id} */
export const updateEventSubscription: Tool<SubscriptionServer> = async (call) => {
  const { enabled, rotate_secret } = call.args
  const filters = filtersOf(call.args)
  if (enabled === undefined && rotate_secret === undefined && filters === undefined)
    throw new PdppError('invalid_argument', 'update_event_subscription needs an argument that says what to change.', {
      nextStep: 'Call it again with enabled, rotate_secret, streams, connection_ids or change_kinds.',
    })
  const body = { enabled, rotate_secret, filters }
  const changed = await change(call, { method: 'PATCH', path: subscriptionPath(idOf(call)), body })
  const subscription = boundedSubscription(objectOf(changed['subscription']))
  const lines = [
    `Changed ${subscriptionLine(subscription)}`,
    ...secretLines(changed),
    ...(changed['secret'] === undefined ? [] : ['Until tomorrow events carry signatures of the old secret too.']),
    nextStep(subscription),
  ]
  return toolResult(lines.join('\n'), { data: { ...changed, subscription } })
}
