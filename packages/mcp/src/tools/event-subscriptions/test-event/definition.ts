import { data, input } from '../../../calling/definition-parts.ts'
import { mutating, subscription_id } from '../definition-parts.ts'

export const SEND_TEST_EVENT = {
  name: 'send_test_event',
  title: 'Send a test event',
  description:
    'Sends one test event to an active subscription. Mutating, POST /v1/event-subscriptions/{id}/test-event.',
  inputSchema: input({ subscription_id }, 'subscription_id'),
  outputSchema: data,
  annotations: mutating,
} as const
