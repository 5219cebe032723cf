import { oneOf, text, texts } from '../../calling/definition-parts.ts'

/** Annotations of tools that change the caller's subscriptions, never the owner's data (point 44). */
export const mutating = { readOnlyHint: false, destructiveHint: false, openWorldHint: true } as const

export const subscription_id = text

/** Restricts the events of a subscription. Without filters it reports everything that the grant includes. */
export const filters = {
  streams: texts,
  connection_ids: texts,
  change_kinds: { type: 'array', items: oneOf('upserted', 'deleted') },
} as const
