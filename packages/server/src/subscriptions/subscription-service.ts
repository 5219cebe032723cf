import { randomBytes } from 'node:crypto'
import { type CursorSealer, type Grant, PdppError } from '@pdpp/protocol'
import type { Authority } from '../grants/authority.ts'
import type { GrantStore } from '../grants/grant-store.ts'
import type { AllowedHosts } from '../lib/guarded-fetch.ts'
import { newId } from '../lib/ids.ts'
import { RateLimit } from '../lib/limits/rate-limit.ts'
import type { ConnectionStore } from '../sources/connections/connection-store.ts'
import { checkCallback } from './callback-address.ts'
import type { Dispatcher } from './dispatcher.ts'
import type { EventSettings } from './event-settings.ts'
import { requireFeeds, subscribingGrant } from './followed-feeds.ts'
import type { IdleSubscriptions } from './idle-subscriptions.ts'
import { MAX_SUBSCRIPTIONS_PER_GRANT, MAX_UNREAD_EVENTS } from './limits.ts'
import type { WebhookSecrets } from './secrets.ts'
import type { Deliveries } from './subscription-runner.ts'
import type {
  NewEvent,
  StoredSubscription,
  SubscriptionFilters,
  SubscriptionKey,
  SubscriptionState,
  SubscriptionStore,
} from './subscription-store.ts'

/** A client can make the server send to an address that is not the client's, so challenges are limited. */
const CHALLENGES = { count: 60, windowMs: 3_600_000 }
const STOPPED_BY_OWNER = 'stopped_by_owner'

export type Subscriber = Exclude<Authority, { kind: 'owner' }>

interface SubscriptionStores {
  readonly subscriptions: SubscriptionStore
  readonly grants: GrantStore
  readonly connections: ConnectionStore
}

export interface SubscriptionRequest {
  readonly callbackUrl?: string | undefined
  readonly idleMs?: number | undefined
  readonly filters: SubscriptionFilters
}

export interface SubscriptionChange {
  readonly enabled?: boolean | undefined
  readonly rotateSecret?: boolean | undefined
  readonly filters?: SubscriptionFilters | undefined
}

/** A subscription and the grant that limits it. The grant is undefined if it no longer exists. */
export interface GrantedSubscription {
  readonly subscription: StoredSubscription
  readonly grant: Grant | undefined
}

interface ServiceParts {
  readonly stores: SubscriptionStores
  readonly dispatcher: Dispatcher
  readonly deliveries: Deliveries
  readonly secrets: WebhookSecrets
  readonly settings: EventSettings
  readonly idle: IdleSubscriptions
  readonly cursors: CursorSealer
  readonly reach: AllowedHosts
  /** Called when a subscription becomes active and may have missed changes. */
  readonly onActivated: () => void
}

/** Creates, lists, changes and deletes subscriptions for clients and for the owner. */
export class SubscriptionService {
  readonly #parts: ServiceParts
  readonly #challenges = new RateLimit(CHALLENGES)

  constructor(parts: ServiceParts) {
    this.#parts = parts
  }

  get #store(): SubscriptionStore {
    return this.#parts.stores.subscriptions
  }

  async create(
    authority: Subscriber,
    { callbackUrl, idleMs, filters }: SubscriptionRequest,
  ): Promise<GrantedSubscription & { secret: string | undefined }> {
    const { stores, secrets } = this.#parts
    const { subjectId } = authority
    const existing = authority.kind === 'package' ? await stores.connections.list(subjectId) : []
    const { grant, clientId } = subscribingGrant(authority, filters, existing)
    const feeds = requireFeeds(grant, filters)
    if (callbackUrl !== undefined) await this.#checkCallback(subjectId, clientId, callbackUrl)
    const now = Date.now()
    const subscriptionId = newId('sub')
    const made = callbackUrl === undefined ? undefined : secrets.create(subscriptionId)
    const subscription: StoredSubscription = {
      ...{ subjectId, subscriptionId, grantId: grant.grant_id, clientId, callbackUrl, idleMs, filters },
      delivery: callbackUrl === undefined ? 'poll' : 'webhook',
      status: callbackUrl === undefined ? 'active' : 'pending_verification',
      secrets: made ? [made.sealed] : [],
      createdAt: now,
      updatedAt: now,
      isMoved: false,
    }
    if (!(await this.#store.create(subscription, feeds, MAX_SUBSCRIPTIONS_PER_GRANT))) throw tooMany()
    this.#parts.idle.note(subscription)
    if (made) await this.#challenge(subscription)
    return { subscription, grant, secret: made?.secret }
  }

  /** Newest first, with the cursor of the next page. */
  async list(
    authority: Subscriber,
    { limit, cursor }: { limit: number; cursor?: string | undefined },
  ): Promise<{ subscriptions: GrantedSubscription[]; next: string | undefined }> {
    const { subjectId } = authority
    const grantIds = grantIdsOf(authority)
    const binding = JSON.stringify(['subscriptions', subjectId, authority.clientId])
    const before = cursor === undefined ? undefined : (this.#parts.cursors.open(binding, cursor) as string)
    const { clientId } = authority
    const found = await this.#store.list(subjectId, { grantIds, clientId, before, limit: limit + 1 })
    const page = await Promise.all(found.slice(0, limit).map((one) => this.#settled(one)))
    const last = found.length > limit ? found[limit - 1] : undefined
    return {
      subscriptions: await this.withGrants(page.filter((one) => one !== undefined)),
      next: last && this.#parts.cursors.seal(binding, last.subscriptionId),
    }
  }

  /** Gives the same error for an unknown id and for another client's id. */
  async require(authority: Subscriber, subscriptionId: string): Promise<StoredSubscription> {
    const found = await this.#store.find(authority.subjectId, subscriptionId)
    // A grant can be used with its own token and through a package of another client. Each client sees only its own
    // subscriptions.
    const isOwn = found?.clientId === authority.clientId && grantIdsOf(authority).includes(found.grantId)
    const settled = isOwn ? await this.#settled(found!) : undefined
    if (settled) return settled
    throw notFound('List the subscriptions of this token to see their ids.')
  }

  async update(
    authority: Subscriber,
    subscriptionId: string,
    { enabled, rotateSecret, filters }: SubscriptionChange,
  ): Promise<GrantedSubscription & { secret: string | undefined }> {
    const { subjectId, delivery, callbackUrl, grantId, status } = await this.require(authority, subscriptionId)
    const { stores, secrets } = this.#parts
    const { grant } = (await stores.grants.find(subjectId, grantId))!
    const feeds = filters && requireFeeds(grant, filters)
    if (rotateSecret && delivery === 'poll')
      throw invalidState('A poll subscription has no secret.', 'Leave out rotate_secret.')
    if (enabled && status !== 'active') await this.#checkEnabling(authority, subscriptionId)
    const made = rotateSecret ? secrets.create(subscriptionId) : undefined
    const now = Date.now()
    let isChallenged = false
    const subscription = await this.#store.update(subjectId, subscriptionId, (current) => {
      const next: Partial<SubscriptionState> = {
        updatedAt: now,
        ...(filters ? { filters } : {}),
        ...(made ? { secrets: secrets.rotated(current.secrets, made.sealed, now) } : {}),
        ...(enabled === undefined ? {} : switched(current, enabled)),
      }
      isChallenged = next.status === 'pending_verification' && current.status !== 'pending_verification'
      return next
    })
    if (!subscription) throw notFound('It was deleted meanwhile.')
    if (feeds) await this.#store.follow(subscription, feeds)
    if (isChallenged && callbackUrl !== undefined) await this.#challenge(subscription)
    else if (enabled && status !== 'active') await this.#store.hasten(subscription, now)
    this.#parts.deliveries.wake()
    this.#parts.onActivated()
    return { subscription, grant, secret: made?.secret }
  }

  async remove(authority: Subscriber, subscriptionId: string): Promise<void> {
    const { subjectId } = await this.require(authority, subscriptionId)
    await this.#store.remove(subjectId, subscriptionId)
  }

  /** Returns the id of the event. */
  async sendTest(authority: Subscriber, subscriptionId: string): Promise<string> {
    const subscription = await this.require(authority, subscriptionId)
    if (subscription.status !== 'active') throw notActive(subscription.status)
    if ((await this.#store.countEvents(subscription)) >= MAX_UNREAD_EVENTS)
      throw new PdppError('rate_limit_exceeded', `${MAX_UNREAD_EVENTS} events are already waiting to be read.`, {
        retryAfterSeconds: 60,
      })
    const eventId = newId('evt')
    await this.#add(subscription, { eventId, type: 'pdpp.subscription.test', at: Date.now(), data: {} })
    return eventId
  }

  /** All subscriptions of the owner, or those of one grant. */
  async listAll(
    subjectId: string,
    options: { grantId?: string | undefined; before?: string | undefined; limit: number },
  ): Promise<GrantedSubscription[]> {
    const { grantId, before, limit } = options
    const grantIds = grantId === undefined ? undefined : [grantId]
    const found = await this.#store.list(subjectId, { grantIds, before, limit })
    const settled = await Promise.all(found.map((one) => this.#settled(one)))
    return this.withGrants(settled.filter((one) => one !== undefined))
  }

  /** Ends a subscription for the owner. Its client cannot enable it again. */
  async stop(subjectId: string, subscriptionId: string): Promise<GrantedSubscription> {
    const found = await this.#store.find(subjectId, subscriptionId)
    if (!found) throw notFound('List the subscriptions to see their ids.')
    if (found.status !== 'disabled_revoked') {
      const state = { status: 'disabled', disabledReason: STOPPED_BY_OWNER, updatedAt: Date.now() } as const
      await this.#store.update(subjectId, subscriptionId, () => state)
    }
    const [stopped] = await this.withGrants([(await this.#store.find(subjectId, subscriptionId))!])
    return stopped!
  }

  deliveries(subscription: SubscriptionKey) {
    return this.#store.deliveries(subscription)
  }

  async withGrants(subscriptions: readonly StoredSubscription[]): Promise<GrantedSubscription[]> {
    const { grants } = this.#parts.stores
    return Promise.all(
      subscriptions.map(async (subscription) => ({
        subscription,
        grant: (await grants.find(subscription.subjectId, subscription.grantId))?.grant,
      })),
    )
  }

  /** A subscription after all changes of its grant were applied. */
  async #settled(found: StoredSubscription): Promise<StoredSubscription | undefined> {
    return found.isMoved ? this.#parts.dispatcher.settle(found) : found
  }

  /**
   * A subscription becomes active only after its challenge was answered, no matter how often it is disabled and
   * enabled.
   */
  async #checkEnabling(authority: Subscriber, subscriptionId: string): Promise<void> {
    const { status, disabledReason, verifiedAt, callbackUrl, clientId } = await this.require(authority, subscriptionId)
    if (status === 'disabled_revoked')
      throw new PdppError('grant_revoked', 'The grant of this subscription has ended.', { status: 409 })
    if (disabledReason === STOPPED_BY_OWNER)
      throw invalidState('The owner has stopped this subscription.', 'Ask the owner before you create another one.')
    if (callbackUrl !== undefined && verifiedAt === undefined && status !== 'pending_verification')
      await this.#checkCallback(authority.subjectId, clientId, callbackUrl)
  }

  async #checkCallback(subjectId: string, clientId: string, callbackUrl: string): Promise<void> {
    const { settings, reach } = this.#parts
    if (!(await settings.sendsEvents(subjectId)))
      throw new PdppError('callback_not_allowed', 'The owner has switched off sending events to other addresses.', {
        param: 'callback_url',
        nextStep: 'Leave out callback_url and poll for events.',
      })
    await checkCallback(callbackUrl, await settings.allowsPrivate(subjectId), reach)
    const seconds = this.#challenges.take(clientId)
    if (seconds === undefined) return
    throw new PdppError('rate_limit_exceeded', 'This client asked to verify too many addresses within an hour.', {
      retryAfterSeconds: seconds,
    })
  }

  async #challenge(subscription: SubscriptionKey): Promise<void> {
    const data = { challenge: randomBytes(16).toString('hex') }
    await this.#store.dropEvents(subscription, 'pdpp.subscription.verify')
    await this.#add(subscription, { eventId: newId('evt'), type: 'pdpp.subscription.verify', at: Date.now(), data })
  }

  async #add(subscription: SubscriptionKey, event: NewEvent): Promise<void> {
    await this.#store.addEvent(subscription, event)
    this.#parts.deliveries.wake(new Set([subscription.subscriptionId]))
  }
}

function switched(current: StoredSubscription, enabled: boolean): Partial<SubscriptionState> {
  if (!enabled) {
    const isLive = current.status === 'active' || current.status === 'pending_verification'
    return isLive ? { status: 'disabled', disabledReason: 'disabled_by_client' } : {}
  }
  if (current.status === 'active' || current.status === 'pending_verification') return {}
  const isProved = current.delivery === 'poll' || current.verifiedAt !== undefined
  return {
    status: isProved ? 'active' : 'pending_verification',
    disabledReason: undefined,
    failingSince: undefined,
  }
}

function grantIdsOf(authority: Subscriber): string[] {
  if (authority.kind === 'client') return [authority.grant.grant_id]
  return [...authority.members, ...authority.unusable].map(({ grant }) => grant.grant_id)
}

export function invalidState(message: string, nextStep: string): PdppError {
  return new PdppError('invalid_state', message, { nextStep })
}

export function notActive(status: string): PdppError {
  const nextStep =
    status === 'pending_verification'
      ? 'Answer the verification challenge at callback_url first.'
      : 'Enable it with PATCH {"enabled": true}, unless the owner has ended it.'
  return invalidState(`This subscription is ${status}, not active.`, nextStep)
}

const notFound = (nextStep: string): PdppError =>
  new PdppError('not_found', 'There is no such subscription for this token.', { param: 'subscription_id', nextStep })

const tooMany = (): PdppError =>
  new PdppError('resource_limit', `A grant may have at most ${MAX_SUBSCRIPTIONS_PER_GRANT} subscriptions.`, {
    nextStep: 'Delete one that is not needed, or widen the filters of another.',
  })
