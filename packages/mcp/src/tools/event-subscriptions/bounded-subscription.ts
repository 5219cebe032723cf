import { jsonBytes } from '../../rendering/bytes.ts'
import { type JsonObject, objectOf } from '../../resource-server/envelope.ts'

/** A subscription below this size is passed on unchanged. */
const WHOLE_BYTES = 4_000
const MAX_STREAMS = 12
const MAX_CONNECTIONS = 12

/**
 * Shortens a subscription, because one to a thousand connections must still fit into a result. Counts the omitted
 * members.
 */
export function boundedSubscription(subscription: Readonly<JsonObject>): Readonly<JsonObject> {
  if (jsonBytes(subscription) <= WHOLE_BYTES) return subscription
  const { filters, streams: all, ...source } = objectOf(subscription['scope'])
  // Filters only repeat the names of the streams.
  const { change_kinds } = objectOf(filters)
  const streams = listOf(all).map(objectOf)
  const shown = streams.slice(0, MAX_STREAMS).map((stream) => {
    const ids = listOf(stream['instance_ids'])
    return {
      ...stream,
      instance_ids: ids.slice(0, MAX_CONNECTIONS),
      ...omitted('instance', ids.length, MAX_CONNECTIONS),
    }
  })
  return {
    ...subscription,
    scope: {
      ...source,
      streams: shown,
      ...omitted('stream', streams.length, MAX_STREAMS),
      ...(change_kinds === undefined ? {} : { filters: { change_kinds } }),
    },
  }
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const omitted = (what: string, count: number, shown: number): Record<string, number> =>
  count > shown ? { [`omitted_${what}_count`]: count - shown } : {}
