import type { StoredEvent } from './subscription-store.ts'

/** A CloudEvents 1.0 body. It never contains records, their ids or values of fields. */
export function eventBody({ eventId, type, at, subscriptionId, data, count }: StoredEvent) {
  return {
    specversion: '1.0',
    pdppversion: '1',
    id: eventId,
    type,
    source: `/v1/event-subscriptions/${subscriptionId}`,
    time: new Date(at).toISOString(),
    datacontenttype: 'application/json',
    data: {
      subscription_id: subscriptionId,
      ...data,
      ...(count === undefined ? {} : { change_count: count, change_count_hint: count }),
    },
  }
}
