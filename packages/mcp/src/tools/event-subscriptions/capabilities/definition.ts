import { annotations, input, output } from '../../../calling/definition-parts.ts'

/** The only description that explains signing and delivery (004.2.1). */
export const EVENT_SUBSCRIPTION_CAPABILITIES = {
  name: 'event_subscription_capabilities',
  title: 'Learn about change events',
  description:
    'What this server offers for events about changed records, its limits, and how to receive them. Events are CloudEvents without record content. An https address answers a challenge first and verifies Standard Webhooks signatures (webhook-id, webhook-timestamp, webhook-signature, secret whsec_…); delivery is at least once, in order per stream, with retries. Without an address: poll. Read-only, GET /.well-known/oauth-protected-resource.',
  inputSchema: input({}),
  outputSchema: output({ data: { type: 'object' }, guidance: { type: 'array' } }),
  annotations,
} as const
