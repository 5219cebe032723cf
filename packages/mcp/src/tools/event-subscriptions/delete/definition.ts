import { data, input } from '../../../calling/definition-parts.ts'
import { mutating, subscription_id } from '../definition-parts.ts'

export const DELETE_EVENT_SUBSCRIPTION = {
  name: 'delete_event_subscription',
  title: 'Delete an event subscription',
  description: 'Ends a subscription and drops its waiting events. Mutating, DELETE /v1/event-subscriptions/{id}.',
  inputSchema: input({ subscription_id }, 'subscription_id'),
  outputSchema: data,
  annotations: { ...mutating, destructiveHint: true, openWorldHint: false },
} as const
