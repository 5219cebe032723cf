import type { Reply, ResourceServer } from './resource-server.ts'

/** An adapter writes only below this path, because subscriptions are the client's own state (point 44). */
export const SUBSCRIPTIONS = '/v1/event-subscriptions'

/**
 * A resource server that also accepts changes to the caller's own event subscriptions. The tools of the normal
 * entrypoint get a `ResourceServer`, which cannot write.
 */
export interface SubscriptionServer extends ResourceServer {
  send(write: SubscriptionWrite): Promise<Reply>
}

export interface SubscriptionWrite {
  readonly method: 'POST' | 'PATCH' | 'DELETE'
  readonly path: `${typeof SUBSCRIPTIONS}${string}`
  readonly body?: object | undefined
  /** The calling tool, for the owner's receipts. */
  readonly tool: string
  readonly signal?: AbortSignal | undefined
}

export function subscriptionPath(id: string): `${typeof SUBSCRIPTIONS}/${string}` {
  return `${SUBSCRIPTIONS}/${encodeURIComponent(id)}`
}
