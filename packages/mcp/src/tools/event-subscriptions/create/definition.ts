import { data, input, oneOf, text } from '../../../calling/definition-parts.ts'
import { filters, mutating } from '../definition-parts.ts'

export const CREATE_EVENT_SUBSCRIPTION = {
  name: 'create_event_subscription',
  title: 'Create an event subscription',
  description:
    'Subscribes to changes of granted streams. First: event_subscription_capabilities. Mutating, POST /v1/event-subscriptions.',
  inputSchema: input({
    callback_url: { ...text, description: 'https address; leave it out to poll' },
    delivery: oneOf('webhook', 'poll'),
    ...filters,
  }),
  outputSchema: data,
  annotations: mutating,
} as const
