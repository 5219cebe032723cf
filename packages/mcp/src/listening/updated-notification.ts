import type { StreamChange } from './change-listener.ts'

/** The member of `_meta` that contains the event. */
export const EVENT_META_KEY = 'pdpp/event'

/**
 * The params of `notifications/resources/updated`. The bookmark is in `_meta`, because the schema only allows a URI.
 */
export function updatedParams({ uri, event }: StreamChange) {
  return { uri, _meta: { [EVENT_META_KEY]: event } }
}
