import type { Reply, ResourceServer } from './resource-server.ts'

/** Every write of an adapter goes below this path: subscriptions are the client's own state (point 44). */
export const SUBSCRIPTIONS = '/v1/event-subscriptions'

/**
 * A resource server that also takes changes of the caller's own event subscriptions. The tools of the normal entrypoint
 * get a `ResourceServer`, which has no such method.
 */
export interface SubscriptionServer extends ResourceServer {
  send(write: SubscriptionWrite): Promise<Reply>
}

export interface SubscriptionWrite {
  readonly method: 'POST' | 'PATCH' | 'DELETE'
  readonly path: `${typeof SUBSCRIPTIONS}${string}`
  readonly body?: object | undefined
  /** Which tool writes. */
  readonly tool: string
  readonly signal?: AbortSignal | undefined
}

export function subscriptionPath(id: string): `${typeof SUBSCRIPTIONS}/${string}` {
  return `${SUBSCRIPTIONS}/${encodeURIComponent(id)}`
}
