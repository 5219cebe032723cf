import type { FeedPosition } from '../records/record-store.ts'
import type { ChangeKind, EventType } from './limits.ts'

export type SubscriptionStatus =
  | 'pending_verification'
  | 'active'
  | 'disabled'
  | 'disabled_failure'
  | 'disabled_revoked'
export type DeliveryKind = 'webhook' | 'poll'

export interface SubscriptionFilters {
  readonly streams?: readonly string[] | undefined
  readonly connectionIds?: readonly string[] | undefined
  readonly changeKinds?: readonly ChangeKind[] | undefined
}

export interface SealedSecret {
  readonly sealed: string
  /** Set when a newer secret has replaced it. */
  readonly validUntil?: number | undefined
}

interface DeliveryFailure {
  readonly at: number
  readonly status?: number | undefined
  /** A code that reveals nothing about the server's network. */
  readonly reason: string
}

/** The members that a client, the owner or a delivery can change. */
export interface SubscriptionState {
  readonly status: SubscriptionStatus
  readonly filters: SubscriptionFilters
  readonly updatedAt: number
  readonly disabledReason?: string | undefined
  /** Newest first. Empty for poll subscriptions. */
  readonly secrets: readonly SealedSecret[]
  /** When the receiver answered the challenge. */
  readonly verifiedAt?: number | undefined
  readonly lastSuccessAt?: number | undefined
  /** When the first delivery failed since the last success. */
  readonly failingSince?: number | undefined
  readonly lastFailure?: DeliveryFailure | undefined
  /** Set if the subscription ends after it was not polled for this many milliseconds. */
  readonly idleMs?: number | undefined
}

/** Identifies a subscription. The owner comes first, so that a store can keep an owner's rows together. */
export interface SubscriptionKey {
  readonly subjectId: string
  readonly subscriptionId: string
}

/** Identifies an event. Event numbers are unique at least within a subscription. */
export interface EventKey {
  readonly subscription: SubscriptionKey
  readonly sequence: number
}

export interface StoredSubscription extends SubscriptionState, SubscriptionKey {
  /** Changes to the new grant when the grant is narrowed. */
  readonly grantId: string
  readonly clientId: string
  readonly delivery: DeliveryKind
  readonly callbackUrl: string | undefined
  readonly createdAt: number
  /** True if another grant replaced its grant but the bookmarks still belong to the old one. */
  readonly isMoved: boolean
}

/** One stream of one connection that a subscription follows. */
export interface FollowedFeed {
  readonly connectorKey: string
  readonly stream: string
  readonly connectionId: string
}

/** `next`: the next event reports a gap before it. `now`: an event reports the gap even without a change. */
export type Gap = 'none' | 'next' | 'now'

/** A feed that has changed since the bookmark of a subscription, visibly or not. */
export interface ChangedFeed extends FollowedFeed, SubscriptionKey {
  readonly grantId: string
  readonly filters: SubscriptionFilters
  /** Undefined if the feed did not exist when the bookmark was set. */
  readonly bookmark: FeedPosition | undefined
  readonly present: FeedPosition
  readonly gap: Gap
}

export interface NewEvent {
  readonly eventId: string
  readonly type: EventType
  readonly at: number
  readonly data: Readonly<Record<string, unknown>>
}

/** Moves a bookmark, and adds an event if the subscription could see any of the changes. */
export interface BookmarkMove {
  readonly changed: ChangedFeed
  /** If an event about the same feed was not sent yet, its count grows instead. */
  readonly event?: (NewEvent & { readonly count: number }) | undefined
}

export interface StoredEvent extends NewEvent {
  readonly sequence: number
  readonly subscriptionId: string
  readonly count: number | undefined
  /** Number of started deliveries. */
  readonly attempts: number
}

/** One finished attempt, for the owner. */
export interface DeliveryLogEntry {
  readonly at: number
  readonly eventId: string
  readonly type: EventType
  readonly stream: string | undefined
  readonly connectionId: string | undefined
  readonly status: number | undefined
  /** `ok`, or the reason of the failure. */
  readonly outcome: string
}

export interface SubscriptionStore {
  /** Creates it with bookmarks at the current position. Returns false if the grant already has `max` subscriptions. */
  create(subscription: StoredSubscription, feeds: readonly FollowedFeed[], max: number): Promise<boolean>
  find(subjectId: string, subscriptionId: string): Promise<StoredSubscription | undefined>
  /** Newest first. */
  list(
    subjectId: string,
    options: {
      grantIds?: readonly string[] | undefined
      clientId?: string | undefined
      before?: string | undefined
      limit: number
    },
  ): Promise<StoredSubscription[]>
  /**
   * Changes it in one transaction. Returns undefined if it does not exist. Changes nothing if the callback returns
   * nothing.
   */
  update(
    subjectId: string,
    subscriptionId: string,
    change: (current: StoredSubscription) => Partial<SubscriptionState> | undefined,
  ): Promise<StoredSubscription | undefined>
  /** Removes it with its events. */
  remove(subjectId: string, subscriptionId: string): Promise<boolean>

  /** Subscriptions that are not ended although their grant was replaced, was revoked or has expired. */
  unsettled(now: number): Promise<StoredSubscription[]>
  /** Makes it follow exactly these feeds. New feeds get a bookmark at the current position. */
  follow(key: SubscriptionKey, feeds: readonly FollowedFeed[]): Promise<void>
  /**
   * Drops its events and bookmarks, and starts at the current position under its new grant, with a gap in every feed.
   */
  restart(key: SubscriptionKey, feeds: readonly FollowedFeed[]): Promise<void>
  /** Ends it. Drops its events; only `last` is still sent. False if it already has this status. */
  end(subjectId: string, subscriptionId: string, state: Partial<SubscriptionState>, last?: NewEvent): Promise<boolean>

  /** The feeds that changed since the bookmarks of active subscriptions. */
  changed(limit: number): Promise<ChangedFeed[]>
  /** Runs in one transaction. A bookmark that was moved meanwhile stays unchanged. */
  moveBookmarks(moves: readonly BookmarkMove[]): Promise<void>

  addEvent(key: SubscriptionKey, event: NewEvent): Promise<void>
  dropEvents(key: SubscriptionKey, type: EventType): Promise<void>
  countEvents(key: SubscriptionKey): Promise<number>
  /** The oldest events, in order. These events no longer change. */
  takeEvents(key: SubscriptionKey, limit: number): Promise<StoredEvent[]>
  /** Drops the events up to this one. */
  acknowledge(key: SubscriptionKey, sequence: number): Promise<void>
  /** Drops unread events of poll subscriptions. The next event about the same feed reports a gap. */
  dropUnread(before: number): Promise<void>

  /** The oldest event of every webhook subscription, if it is due. */
  due(now: number, limit: number): Promise<(StoredEvent & { readonly subscription: StoredSubscription })[]>
  /** When the next delivery is due. */
  nextDue(): Promise<number | undefined>
  /**
   * Records an attempt before it is made, so that it is repeated after a crash. False if the event no longer exists.
   */
  beginDelivery(event: EventKey, retryAt: number): Promise<boolean>
  delayDelivery(event: EventKey, retryAt: number): Promise<void>
  removeEvent(event: EventKey): Promise<void>
  /** Makes all its events due at this time. */
  hasten(key: SubscriptionKey, at: number): Promise<void>
  logDelivery(key: SubscriptionKey, entry: DeliveryLogEntry): Promise<void>
  /** Newest first. */
  deliveries(key: SubscriptionKey): Promise<DeliveryLogEntry[]>
}
