import { setImmediate as nextTurn } from 'node:timers/promises'
import { PdppError } from '@pdpp/protocol'
import type { GrantStore } from '../grants/grant-store.ts'
import type { ReadScope } from '../grants/read-scope.ts'
import { grantStatus } from '../grants/refusal.ts'
import { newId } from '../lib/ids.ts'
import type { RecordService } from '../records/record-service.ts'
import type { ChangeCount } from '../records/record-store.ts'
import { feedsUnder } from './followed-feeds.ts'
import { CHANGE_KINDS, UNREAD_MS } from './limits.ts'
import type { BookmarkMove, ChangedFeed, StoredSubscription, SubscriptionStore } from './subscription-store.ts'

/** Max. bookmarks moved in one transaction. Larger transactions block reads. */
const PER_STEP = 500
/** Max. milliseconds of work before other requests get a turn. */
const TURN_MS = 10

/** Shared by all subscriptions of one pass. */
interface Shared {
  readonly scopes: Map<string, Promise<ReadScope | 'unreadable' | undefined>>
  readonly counts: Map<string, Promise<ChangeCount>>
}

interface DispatcherStores {
  readonly subscriptions: SubscriptionStore
  readonly grants: GrantStore
}

/**
 * Turns changes into events. The change log of the records is the outbox: a change and its entry in the log are one
 * transaction, and a subscription has a bookmark in the log. So a crash loses nothing, and ingest writes nothing for
 * subscriptions. Changes are counted under the grant's ReadScope. If a pass finds only hidden changes, it just moves
 * bookmarks, which nobody sees.
 */
export class Dispatcher {
  readonly #stores: DispatcherStores
  readonly #records: RecordService
  #yieldedAt = 0

  constructor(stores: DispatcherStores, records: RecordService) {
    this.#stores = stores
    this.#records = records
  }

  /** Handles all changes that are committed now. Returns the subscriptions that have new events. */
  async pass(now = Date.now()): Promise<ReadonlySet<string>> {
    this.#yieldedAt = performance.now()
    const heard = new Set<string>(await this.#settle(now))
    await this.#stores.subscriptions.dropUnread(now - UNREAD_MS)
    const shared: Shared = { scopes: new Map(), counts: new Map() }
    for (;;) {
      const changed = await this.#stores.subscriptions.changed(PER_STEP)
      const moves = await this.#moves(changed, shared, now)
      await this.#stores.subscriptions.moveBookmarks(moves)
      for (const { changed: feed, event } of moves) if (event) heard.add(feed.subscriptionId)
      // Feeds that must wait keep their bookmarks, so they would be found again immediately.
      if (changed.length < PER_STEP || moves.length === 0) return heard
    }
  }

  /** Handles subscriptions whose grant was replaced or has ended. */
  async #settle(now: number): Promise<string[]> {
    const unsettled = await this.#stores.subscriptions.unsettled(now)
    for (const subscription of unsettled) await this.settle(subscription, now)
    return unsettled.map(({ subscriptionId }) => subscriptionId)
  }

  /** Updates a subscription after a change of its grant. Returns its new state. */
  async settle(subscription: StoredSubscription, now = Date.now()): Promise<StoredSubscription | undefined> {
    const { subjectId, subscriptionId, grantId, status, filters, isMoved } = subscription
    const { subscriptions, grants } = this.#stores
    if (status === 'disabled_revoked') return subscription
    const stored = await grants.find(subjectId, grantId)
    const standing = stored ? grantStatus(stored, now) : 'revoked'
    if (standing === 'revoked' || standing === 'expired') {
      const state = { status: 'disabled_revoked', disabledReason: `grant_${standing}`, updatedAt: now } as const
      const tells = standing === 'revoked' && status === 'active' && subscription.delivery === 'webhook'
      const last = { eventId: newId('evt'), type: 'pdpp.grant.revoked', at: now, data: { grant_id: grantId } } as const
      await subscriptions.end(subjectId, subscriptionId, state, tells ? last : undefined)
    } else if (isMoved) {
      const feeds = feedsUnder(stored!.grant, filters)
      await subscriptions.restart(subscription, feeds)
      const left = { status: 'disabled', disabledReason: 'outside_grant', updatedAt: now } as const
      if (feeds.length === 0) await subscriptions.end(subjectId, subscriptionId, left)
    } else return subscription
    return subscriptions.find(subjectId, subscriptionId)
  }

  async #moves(changed: readonly ChangedFeed[], shared: Shared, now: number): Promise<BookmarkMove[]> {
    const moves: BookmarkMove[] = []
    for (const feed of changed) {
      const name = JSON.stringify([feed.subjectId, feed.grantId, feed.stream, feed.connectionId])
      const found = shared.scopes.get(name) ?? this.#scope(feed, now)
      shared.scopes.set(name, found)
      const scope = await found
      // Changes that the grant can no longer read cause no event.
      if (scope) moves.push(scope === 'unreadable' ? { changed: feed } : await this.#move(feed, scope, shared, now))
      if (performance.now() - this.#yieldedAt < TURN_MS) continue
      await nextTurn()
      this.#yieldedAt = performance.now()
    }
    return moves
  }

  /** Undefined if the grant was meanwhile paused or ended, so that the changes must wait. */
  async #scope(
    { subjectId, grantId, stream, connectionId }: ChangedFeed,
    now: number,
  ): Promise<ReadScope | 'unreadable' | undefined> {
    const stored = await this.#stores.grants.find(subjectId, grantId)
    if (!stored || grantStatus(stored, now) !== 'active') return
    const { grant } = stored
    try {
      const authority = { kind: 'client', subjectId, clientId: grant.client.client_id, grant } as const
      return await this.#records.scope(authority, { stream, connectionId })
    } catch (error) {
      if (error instanceof PdppError) return 'unreadable'
      throw error
    }
  }

  async #move(changed: ChangedFeed, scope: ReadScope, { counts }: Shared, now: number): Promise<BookmarkMove> {
    const { bookmark, present, filters } = changed
    // Wiped records leave no change in the log, so the receiver must start again.
    const isWiped = bookmark !== undefined && bookmark.feed !== present.feed
    const start = bookmark?.feed === present.feed ? bookmark : { feed: present.feed, version: 0 }
    const count = await this.#count(scope, { since: [start], horizon: [present] }, counts)
    const kinds = filters.changeKinds ?? CHANGE_KINDS
    const total = kinds.reduce((sum, kind) => sum + count[kind], 0)
    if (total === 0 && !isWiped && changed.gap !== 'now') return { changed }
    const hasGap = isWiped || changed.gap !== 'none'
    const data = {
      stream: changed.stream,
      connection_id: changed.connectionId,
      connector_key: changed.connectorKey,
      changes_since: this.#records.sealBookmark(scope, [start]),
      ...(hasGap ? { gap: true } : {}),
    }
    return { changed, event: { eventId: newId('evt'), type: 'pdpp.records.changed', at: now, data, count: total } }
  }

  /** Subscriptions with the same view of a feed share the count. */
  #count(
    scope: ReadScope,
    range: Parameters<RecordService['countChanges']>[1],
    counts: Shared['counts'],
  ): Promise<ChangeCount> {
    const { subjectId, connectorKey, stream, connections, usable, time, resources } = scope
    const seen = [subjectId, connectorKey, stream.name, connections, usable, time ?? null, resources ?? null]
    const name = JSON.stringify([...seen, range.since, range.horizon])
    const known = counts.get(name) ?? this.#records.countChanges(scope, range)
    counts.set(name, known)
    return known
  }
}
