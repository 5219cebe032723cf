import { annotations, data, input, limit, text } from '../../../calling/definition-parts.ts'

export const LIST_EVENT_SUBSCRIPTIONS = {
  name: 'list_event_subscriptions',
  title: 'List event subscriptions',
  description: 'Your event subscriptions and their states. Read-only, GET /v1/event-subscriptions.',
  inputSchema: input({ limit, cursor: text }),
  outputSchema: data,
  annotations,
} as const
