/** Limits of event subscriptions. Some are advertised in the metadata of the server. */
export const MAX_SUBSCRIPTIONS_PER_GRANT = 20
export const MAX_BODY_BYTES = 65_536
export const MAX_CALLBACK_BYTES = 2048
/** Max. feeds of one subscription. Each feed has a bookmark. */
export const MAX_FEEDS = 1000
/** Max. unread events of a subscription. Above this, no test event is added. */
export const MAX_UNREAD_EVENTS = 1000
export const MAX_POLL_SECONDS = 30
export const POLL_LIMIT = { default: 25, max: 100 } as const
/** Unread events of a poll subscription are dropped after this many milliseconds. */
export const UNREAD_MS = 7 * 86_400_000
/** How long a poll subscription may stay unpolled if its client sets a limit, in seconds. */
export const IDLE = { minSeconds: 60, maxSeconds: 604_800, lookEveryMs: 15_000 } as const
/** After a rotation both secrets are valid for this many milliseconds. */
export const ROTATION_MS = 86_400_000

export const EVENT_TYPES = [
  'pdpp.records.changed',
  'pdpp.subscription.verify',
  'pdpp.subscription.test',
  'pdpp.grant.revoked',
] as const
export type EventType = (typeof EVENT_TYPES)[number]
export const CHANGE_KINDS = ['upserted', 'deleted'] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

/** When a failed delivery is retried, and when the server gives up. */
export const RETRY = {
  firstMs: 5_000,
  factor: 4,
  maxMs: 6 * 3_600_000,
  /** Every delay is changed at random by up to this share. */
  jitter: 0.2,
  /** A receiver's Retry-After is respected within these milliseconds. */
  retryAfter: { min: 1_000, max: 86_400_000 },
  /** A subscription without success for this many milliseconds is disabled. */
  giveUpMs: 3 * 86_400_000,
  /** Max. attempts to verify a callback. */
  verifications: 5,
  timeoutMs: 10_000,
} as const
