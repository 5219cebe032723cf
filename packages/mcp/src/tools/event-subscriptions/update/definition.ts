import { data, input } from '../../../calling/definition-parts.ts'
import { filters, mutating, subscription_id } from '../definition-parts.ts'

const flag = { type: 'boolean' } as const

export const UPDATE_EVENT_SUBSCRIPTION = {
  name: 'update_event_subscription',
  title: 'Change an event subscription',
  description:
    'Switches a subscription off or on, changes what it hears of, or replaces its secret. Mutating, PATCH /v1/event-subscriptions/{id}.',
  inputSchema: input({ subscription_id, enabled: flag, rotate_secret: flag, ...filters }, 'subscription_id'),
  outputSchema: data,
  annotations: mutating,
} as const
