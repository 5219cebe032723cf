import { toolResult } from '../../../calling/result.ts'
import { readOrThrow, type Tool } from '../../../calling/tool.ts'
import { shortLine } from '../../../rendering/safe-text.ts'
import { objectOf } from '../../../resource-server/envelope.ts'
import type { SubscriptionServer } from '../../../resource-server/subscription-server.ts'
import { GUIDANCE } from './guidance.ts'

const VALUE_CHARS = 300
const MAX_VALUES = 24

/** Returns the member of the protected-resource metadata unchanged, and explains how to receive events. */
export const eventSubscriptionCapabilities: Tool<SubscriptionServer> = async (call) => {
  const metadata = await readOrThrow(call, '/.well-known/oauth-protected-resource', [])
  const capability = objectOf(objectOf(metadata['capabilities'])['client_event_subscriptions'])
  if (capability['supported'] !== true)
    return toolResult(
      'This server has no event subscriptions. Next: follow changes with query_records and changes_since.',
      { data: { supported: false } },
    )
  const lines = [
    'This server has event subscriptions. Next: create_event_subscription.',
    ...Object.entries(capability).slice(0, MAX_VALUES).map(valueLine),
    '',
    ...GUIDANCE,
  ]
  return toolResult(lines.join('\n'), { data: capability, guidance: [...GUIDANCE] })
}

function valueLine([name, value]: [string, unknown]): string {
  const shown = Array.isArray(value) && value.every((item) => typeof item === 'string') ? value.join(', ') : value
  const text = typeof shown === 'string' ? shown : JSON.stringify(shown)
  return `- ${shortLine(name, 100)}: ${shortLine(text, VALUE_CHARS)}`
}
