import { storedJson } from '../../lib/stored-json.ts'
import type { EventType } from '../../subscriptions/limits.ts'
import type {
  DeliveryKind,
  StoredEvent,
  StoredSubscription,
  SubscriptionState,
  SubscriptionStatus,
} from '../../subscriptions/subscription-store.ts'

export interface SubscriptionRow {
  subject_id: string
  subscription_id: string
  grant_id: string
  client_id: string
  delivery: DeliveryKind
  callback_url: string | null
  status: SubscriptionStatus
  body: string
  created_at: number
  updated_at: number
  moved: number
}

export interface EventRow {
  sequence: number
  event_id: string
  subscription_id: string
  type: EventType
  count: number | null
  data: string
  at: number
  attempts: number
}

/** The members of the state that no query filters by. */
type Body = Omit<SubscriptionState, 'status' | 'updatedAt'>

export function subscriptionFrom(row: SubscriptionRow): StoredSubscription {
  return {
    ...storedJson<Body>(row.body),
    subjectId: row.subject_id,
    subscriptionId: row.subscription_id,
    grantId: row.grant_id,
    clientId: row.client_id,
    delivery: row.delivery,
    callbackUrl: row.callback_url ?? undefined,
    status: row.status,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    isMoved: row.moved === 1,
  }
}

export function bodyOf(state: Body): string {
  const { filters, disabledReason, secrets, verifiedAt, lastSuccessAt, failingSince, lastFailure, idleMs } = state
  const delivered = { verifiedAt, lastSuccessAt, failingSince, lastFailure }
  return JSON.stringify({ filters, disabledReason, secrets, ...delivered, idleMs })
}

export function eventFrom(row: EventRow): StoredEvent {
  return {
    sequence: row.sequence,
    eventId: row.event_id,
    subscriptionId: row.subscription_id,
    type: row.type,
    count: row.count ?? undefined,
    data: storedJson<Record<string, unknown>>(row.data),
    at: row.at,
    attempts: row.attempts,
  }
}
