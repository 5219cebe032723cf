import { annotations, data, input } from '../../../calling/definition-parts.ts'
import { subscription_id } from '../definition-parts.ts'

export const GET_EVENT_SUBSCRIPTION = {
  name: 'get_event_subscription',
  title: 'Show an event subscription',
  description:
    'One event subscription: its state, what it hears of, its last success and failure. Read-only, GET /v1/event-subscriptions/{id}.',
  inputSchema: input({ subscription_id }, 'subscription_id'),
  outputSchema: data,
  annotations,
} as const
