import { type CursorSealer, PdppError } from '@pdpp/protocol'
import type { GrantStore } from '../grants/grant-store.ts'
import { grantRefusal } from '../grants/refusal.ts'
import type { IdleSubscriptions } from './idle-subscriptions.ts'
import type { PollWaiters } from './poll-waiters.ts'
import { invalidState, notActive, type Subscriber, type SubscriptionService } from './subscription-service.ts'
import type { StoredEvent, StoredSubscription, SubscriptionStore } from './subscription-store.ts'

/** Digits of a sealed position. A fixed length does not reveal how many events there were. */
const POSITION_DIGITS = 16

export interface PollRequest {
  readonly after?: string | undefined
  readonly waitMs: number
  readonly limit: number
  /** Calls its listener if the client disconnects. */
  readonly onAbort: (listener: () => void) => () => void
}

export interface EventPage {
  readonly subscription: StoredSubscription
  readonly events: readonly StoredEvent[]
  readonly nextCursor: string
  readonly hasMore: boolean
}

interface PollParts {
  readonly stores: { readonly subscriptions: SubscriptionStore; readonly grants: GrantStore }
  readonly service: SubscriptionService
  readonly waiters: PollWaiters
  readonly idle: IdleSubscriptions
  readonly cursors: CursorSealer
}

/** Delivers events to polling clients, at least once. An event stays until the client names a later position. */
export class EventPoll {
  readonly #parts: PollParts

  constructor(parts: PollParts) {
    this.#parts = parts
  }

  async read(authority: Subscriber, subscriptionId: string, request: PollRequest): Promise<EventPage> {
    const { stores, waiters, idle } = this.#parts
    const subscription = await this.#require(authority, subscriptionId)
    idle.note(subscription)
    const { grantId } = subscription
    const after = request.after === undefined ? 0 : this.#open(subscriptionId, request.after)
    if (after > 0) await stores.subscriptions.acknowledge(subscription, after)
    // Starts waiting before it reads, so that no event in between is missed.
    const waiting = waiters.wait({ subscriptionId, grantId }, request.waitMs, request.onAbort)
    const events = await stores.subscriptions.takeEvents(subscription, request.limit)
    if (events.length > 0) waiting.end()
    await waiting.done
    if (events.length > 0 || request.waitMs === 0) return this.#page(subscription, events, after, request.limit)
    const still = await this.#requireStill(authority, subscriptionId)
    const later = await stores.subscriptions.takeEvents(subscription, request.limit)
    return this.#page(still, later, after, request.limit)
  }

  async #page(
    subscription: StoredSubscription,
    events: readonly StoredEvent[],
    after: number,
    limit: number,
  ): Promise<EventPage> {
    const { subscriptionId } = subscription
    const last = events.at(-1)?.sequence ?? after
    await this.#note(subscription, events.at(-1))
    const total = events.length < limit ? 0 : await this.#parts.stores.subscriptions.countEvents(subscription)
    const nextCursor = this.#parts.cursors.seal(binding(subscriptionId), String(last).padStart(POSITION_DIGITS, '0'))
    return { subscription, events, nextCursor, hasMore: total > events.length }
  }

  /** Shows the owner when the client last received an event, and about what. */
  async #note(subscription: StoredSubscription, last: StoredEvent | undefined): Promise<void> {
    if (!last) return
    const { subscriptions } = this.#parts.stores
    const { subjectId, subscriptionId } = subscription
    const at = Date.now()
    const text = (name: string) => last.data[name] as string | undefined
    const about = { stream: text('stream'), connectionId: text('connection_id') }
    const { eventId, type } = last
    await subscriptions.update(subjectId, subscriptionId, () => ({ lastSuccessAt: at }))
    await subscriptions.logDelivery(subscription, { at, eventId, type, ...about, status: undefined, outcome: 'ok' })
  }

  async #require(authority: Subscriber, subscriptionId: string): Promise<StoredSubscription> {
    const found = await this.#parts.service.require(authority, subscriptionId)
    if (found.delivery === 'webhook')
      throw invalidState('The events of this subscription go to its callback_url.', 'Create one without callback_url.')
    if (found.status !== 'active') throw notActive(found.status)
    return found
  }

  /** The grant may have been paused, narrowed or revoked while the request waited. */
  async #requireStill({ subjectId }: Subscriber, subscriptionId: string): Promise<StoredSubscription> {
    const { subscriptions, grants } = this.#parts.stores
    const found = await subscriptions.find(subjectId, subscriptionId)
    if (!found) throw new PdppError('not_found', 'This subscription was deleted.', { param: 'subscription_id' })
    const refusal = grantRefusal(await grants.find(subjectId, found.grantId), Date.now())
    if (refusal) throw refusal
    if (found.status !== 'active') throw notActive(found.status)
    return found
  }

  #open(subscriptionId: string, cursor: string): number {
    return Number(this.#parts.cursors.open(binding(subscriptionId), cursor, 'after'))
  }
}

const binding = (subscriptionId: string): string => JSON.stringify(['events', subscriptionId])
