import { z } from 'zod'
import { feedsUnder } from '../../subscriptions/followed-feeds.ts'
import { CHANGE_KINDS } from '../../subscriptions/limits.ts'
import type { GrantedSubscription } from '../../subscriptions/subscription-service.ts'
import type { DeliveryLogEntry, SubscriptionFilters } from '../../subscriptions/subscription-store.ts'

const names = z.array(z.string().min(1).max(512)).min(1).max(1000).optional()

export const filtersSchema = z.strictObject({
  streams: names,
  connection_ids: names,
  change_kinds: z.array(z.enum(CHANGE_KINDS)).min(1).max(2).optional(),
})

export function readFilters(filters: z.infer<typeof filtersSchema> = {}): SubscriptionFilters {
  const { streams, connection_ids: connectionIds, change_kinds: changeKinds } = filters
  return { streams, connectionIds, changeKinds }
}

function filtersWire({ streams, connectionIds, changeKinds }: SubscriptionFilters) {
  return {
    ...(streams ? { streams } : {}),
    ...(connectionIds ? { connection_ids: connectionIds } : {}),
    ...(changeKinds ? { change_kinds: changeKinds } : {}),
  }
}

export const instant = (at: number): string => new Date(at).toISOString()

export function subscriptionWire({ subscription, grant }: GrantedSubscription) {
  const { subscriptionId, grantId, clientId, delivery, callbackUrl, status, filters } = subscription
  const { createdAt, updatedAt, disabledReason, lastSuccessAt, lastFailure, idleMs } = subscription
  const filter = filtersWire(filters)
  const byStream = Map.groupBy(grant ? feedsUnder(grant, filters) : [], ({ stream }) => stream)
  return {
    object: 'event_subscription',
    subscription_id: subscriptionId,
    authority_kind: 'client_grant',
    grant_id: grantId,
    client_id: clientId,
    delivery,
    ...(callbackUrl === undefined ? {} : { callback_url: callbackUrl }),
    status,
    scope: {
      ...(grant ? { source: grant.source } : {}),
      streams: [...byStream].map(([name, feeds]) => ({
        name,
        instance_ids: feeds.map(({ connectionId }) => connectionId),
      })),
      ...(Object.keys(filter).length === 0 ? {} : { filters: filter }),
    },
    ...(idleMs === undefined ? {} : { idle_seconds: idleMs / 1000 }),
    created_at: instant(createdAt),
    updated_at: instant(updatedAt),
    ...(disabledReason === undefined ? {} : { disabled_reason: disabledReason }),
    ...(lastSuccessAt === undefined ? {} : { last_success_at: instant(lastSuccessAt) }),
    ...(lastFailure === undefined ? {} : { last_failure: { ...lastFailure, at: instant(lastFailure.at) } }),
  }
}

export function deliveryWire({ at, eventId, type, stream, connectionId, status, outcome }: DeliveryLogEntry) {
  return {
    at: instant(at),
    event_id: eventId,
    type,
    ...(stream === undefined ? {} : { stream }),
    ...(connectionId === undefined ? {} : { connection_id: connectionId }),
    ...(status === undefined ? {} : { status }),
    outcome,
  }
}
