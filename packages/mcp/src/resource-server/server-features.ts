import { advertisedModes, type SearchRoute } from './search-modes.ts'
import { SUBSCRIPTIONS } from './subscription-server.ts'

/**
 * Optional parameters that a server supports, from `pdpp_discovery_hints` in its metadata. The adapter sends no others,
 * because another implementation may refuse a parameter that it does not know, or ignore it, which is worse.
 */
export interface ServerFeatures {
  /** The address that the server names. Its pages are there, even if we reach it at another address. */
  readonly origin: string | undefined
  readonly maxBytes: boolean
  readonly around: boolean
  readonly label: boolean
  readonly urls: boolean
  /** The server can describe binary fields instead of sending them. */
  readonly binary: boolean
  /** The server can send the beginning of a long text with its record. */
  readonly longField: boolean
  readonly changesNow: boolean
  /** The server can hold changes for a client that has no public address. */
  readonly polledEvents: boolean
  /** The server can end a polled subscription that is no longer polled. */
  readonly eventIdleSeconds: boolean
  /** The server can end a page before the tool result made from it becomes too large. */
  readonly resultBytes: boolean
  readonly searchResultBytes: boolean
  readonly windowResultBytes: boolean
  readonly searchMaxBytes: boolean
  readonly searchUrls: boolean
  readonly searchHighlight: boolean
  /** The server can leave out titles that the adapter can make from the other members of a hit. */
  readonly searchMadeTitles: boolean
  readonly searchSince: boolean
  readonly searchUntil: boolean
  readonly searchCount: boolean
  /** Search modes other than lexical, with their routes. */
  readonly searchModes: ReadonlyMap<string, SearchRoute>
}

export function readServerFeatures(metadata: unknown): ServerFeatures {
  const hints = member(metadata, 'pdpp_discovery_hints')
  const records = member(hints, 'records')
  const search = member(hints, 'search')
  const says = (of: Record<string, unknown>, name: string) => of[name] === true
  return {
    origin: originOf(metadata),
    maxBytes: says(records, 'max_bytes'),
    around: says(records, 'around'),
    label: says(records, 'label'),
    urls: says(records, 'urls'),
    binary: says(records, 'binary'),
    longField: says(records, 'long_field_chars'),
    changesNow: says(hints, 'changes_since_now'),
    polledEvents: hasPolledEvents(metadata),
    eventIdleSeconds: 'idle_seconds' in member(member(metadata, 'capabilities'), 'client_event_subscriptions'),
    resultBytes: says(records, 'result_bytes'),
    searchResultBytes: says(search, 'result_bytes'),
    windowResultBytes: says(member(hints, 'field_window'), 'result_bytes'),
    searchUrls: says(search, 'urls'),
    searchHighlight: says(search, 'highlight'),
    searchMadeTitles: says(search, 'made_titles'),
    searchMaxBytes: says(search, 'max_bytes'),
    searchSince: says(search, 'since'),
    searchUntil: says(search, 'until'),
    searchCount: says(search, 'count'),
    searchModes: advertisedModes(metadata),
  }
}

/** Other implementations have subscriptions, too, but deliver only to an address. */
function hasPolledEvents(metadata: unknown): boolean {
  const { supported, endpoint, delivery } = member(member(metadata, 'capabilities'), 'client_event_subscriptions')
  return supported === true && endpoint === SUBSCRIPTIONS && Array.isArray(delivery) && delivery.includes('poll')
}

function originOf(metadata: unknown): string | undefined {
  const { resource } = (metadata ?? {}) as { resource?: unknown }
  return typeof resource === 'string' && /^https?:\/\//.test(resource) && URL.canParse(resource) ? resource : undefined
}

function member(value: unknown, name: string): Record<string, unknown> {
  const found = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
  return typeof found === 'object' && found !== null ? (found as Record<string, unknown>) : {}
}
