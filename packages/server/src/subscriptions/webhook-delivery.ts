import type { GrantStore } from '../grants/grant-store.ts'
import { grantStatus } from '../grants/refusal.ts'
import type { AllowedHosts } from '../lib/guarded-fetch.ts'
import { waitUpTo } from '../lib/timeouts.ts'
import type { ReceiptService } from '../receipts/receipt-service.ts'
import { callbackHosts } from './callback-address.ts'
import { type DeliveryOutcome, outcomeOf, outcomeOfError, retryDelay } from './delivery-outcome.ts'
import type { Dispatcher } from './dispatcher.ts'
import { eventBody } from './event-body.ts'
import type { EventSettings } from './event-settings.ts'
import { RETRY } from './limits.ts'
import type { WebhookSecrets } from './secrets.ts'
import type { Deliveries } from './subscription-runner.ts'
import type { StoredEvent, StoredSubscription, SubscriptionState, SubscriptionStore } from './subscription-store.ts'
import { postSigned } from './webhook-post.ts'

/** Max. deliveries at once. Each grant gets a share, so that its slow receivers do not delay those of others. */
const MAX_CONCURRENT = 64
const MAX_PER_GRANT = 4
/** Milliseconds until the queue is checked again. It is checked earlier if something is due. */
const LOOK_EVERY_MS = 60_000
/** Milliseconds until due but delayed events are checked again. */
const HELD_UP_MS = 1_000
/** Max. milliseconds that the shutdown waits for deliveries. */
const DRAIN_MS = 2_000

export interface DeliveryTimes {
  readonly firstRetryMs: number
  readonly timeoutMs: number
}

interface DeliveryParts {
  readonly stores: { readonly subscriptions: SubscriptionStore; readonly grants: GrantStore }
  readonly dispatcher: Dispatcher
  readonly secrets: WebhookSecrets
  readonly settings: EventSettings
  readonly receipts: ReceiptService
  readonly reach: AllowedHosts
  readonly log: (line: string) => void
  readonly times?: Partial<DeliveryTimes> | undefined
  /** Called when a receiver was verified, because records may have changed since the subscription was created. */
  readonly onActivated: () => void
}

type DueEvent = StoredEvent & { readonly subscription: StoredSubscription }

/**
 * Sends events to callbacks, at least once and in order, one at a time for each subscription. It stores every step
 * before taking it, so that it continues after a crash.
 */
export class WebhookDelivery implements Deliveries {
  readonly #parts: DeliveryParts
  readonly #times: DeliveryTimes
  /** Subscriptions with a running delivery, and their grants. */
  readonly #underWay = new Map<string, string>()
  readonly #running = new Set<Promise<void>>()
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  #looksAgain = false
  /** True if an event is due but cannot be sent now. */
  #isHeldUp = false
  #isStarted = false
  #isClosed = false

  constructor(parts: DeliveryParts) {
    this.#parts = parts
    this.#times = { firstRetryMs: RETRY.firstMs, timeoutMs: RETRY.timeoutMs, ...parts.times }
  }

  get #store(): SubscriptionStore {
    return this.#parts.stores.subscriptions
  }

  start(): void {
    this.#isStarted = true
    this.wake()
  }

  /** Waits briefly for running deliveries. The next start repeats those that take longer. */
  async stop(): Promise<void> {
    this.#isStarted = false
    clearTimeout(this.#timer)
    await this.#looking
    await waitUpTo(Promise.allSettled(this.#running), DRAIN_MS)
    this.#isClosed = true
  }

  wake(): void {
    if (!this.#isStarted) return
    this.#looksAgain = true
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
      if (this.#looksAgain) this.wake()
    })
  }

  async #look(): Promise<void> {
    clearTimeout(this.#timer)
    try {
      while (this.#looksAgain && this.#isStarted) {
        this.#looksAgain = false
        this.#isHeldUp = false
        for (const event of await this.#store.due(Date.now(), MAX_CONCURRENT * 4)) {
          const isSwitchedOn = await this.#parts.settings.sendsEvents(event.subscription.subjectId)
          if (!isSwitchedOn || !this.#begin(event)) this.#isHeldUp = true
        }
      }
      const next = await this.#store.nextDue()
      if (next !== undefined) this.#arm(next - Date.now())
    } catch (error) {
      this.#parts.log(`Events could not be sent: ${(error as Error).message}`)
      this.#arm(LOOK_EVERY_MS)
    }
  }

  #arm(ms: number): void {
    if (!this.#isStarted) return
    const pause = Math.min(LOOK_EVERY_MS, Math.max(ms, this.#isHeldUp ? HELD_UP_MS : 0))
    this.#timer = setTimeout(() => this.wake(), pause).unref()
  }

  /** False if too many deliveries are running. */
  #begin(event: DueEvent): boolean {
    const { subscriptionId, subscription } = event
    const { grantId } = subscription
    const ofGrant = [...this.#underWay.values()].filter((id) => id === grantId).length
    if (this.#underWay.has(subscriptionId) || ofGrant >= MAX_PER_GRANT || this.#underWay.size >= MAX_CONCURRENT)
      return false
    this.#underWay.set(subscriptionId, grantId)
    const running = this.#deliver(event)
      .catch((error) => this.#parts.log(`An event could not be sent: ${(error as Error).message}`))
      .finally(() => {
        this.#underWay.delete(subscriptionId)
        this.#running.delete(running)
        this.wake()
      })
    this.#running.add(running)
    return true
  }

  async #deliver(event: DueEvent): Promise<void> {
    const { subscription } = event
    if (!(await this.#isAllowed(event))) return
    // This time is used only after a crash; otherwise the outcome sets another time.
    const { timeoutMs, firstRetryMs } = this.#times
    const retryAt = Date.now() + timeoutMs + retryDelay(event.attempts + 1, firstRetryMs)
    if (!(await this.#store.beginDelivery(event, retryAt))) return
    const body = JSON.stringify(eventBody(event))
    const outcome = await this.#send(subscription, event, body)
    if (this.#isClosed) return
    await this.#note(event, outcome, Buffer.byteLength(body))
    if (outcome.isSuccess) await this.#succeeded(event)
    else await this.#failed(event, outcome)
  }

  /** Checked for each delivery, so that pausing, narrowing and revocation take effect with the next one. */
  async #isAllowed({ subscription, type }: DueEvent): Promise<boolean> {
    if (type === 'pdpp.grant.revoked') return true
    const { subjectId, grantId, subscriptionId } = subscription
    const stored = await this.#parts.stores.grants.find(subjectId, grantId)
    if (stored && grantStatus(stored, Date.now()) === 'active') return true
    const current = await this.#store.find(subjectId, subscriptionId)
    if (current) await this.#parts.dispatcher.settle(current)
    return false
  }

  async #send(subscription: StoredSubscription, event: StoredEvent, body: string): Promise<DeliveryOutcome> {
    const { settings, secrets, reach } = this.#parts
    const { subjectId, subscriptionId, callbackUrl } = subscription
    const allowsPrivate = await settings.allowsPrivate(subjectId)
    try {
      const answer = await postSigned({
        url: callbackUrl!,
        eventId: event.eventId,
        body,
        secrets: secrets.valid(subscriptionId, subscription.secrets, Date.now()),
        timeoutMs: this.#times.timeoutMs,
        hosts: callbackHosts(allowsPrivate, reach),
        allowsHttp: allowsPrivate,
        readsAnswer: event.type === 'pdpp.subscription.verify',
      })
      return outcomeOf(event, answer, Date.now())
    } catch (error) {
      return outcomeOfError(error)
    }
  }

  /** A receipt in the chain, and a line that the owner sees next to the subscription. */
  async #note(event: DueEvent, { isSuccess, status, detail }: DeliveryOutcome, bytes: number): Promise<void> {
    const { subscription, eventId, type, data } = event
    const { subjectId, clientId, grantId } = subscription
    const at = Date.now()
    const text = (name: string) => data[name] as string | undefined
    const connectionId = text('connection_id')
    const stream = text('stream')
    const outcome = isSuccess ? 'ok' : detail
    await this.#store.logDelivery(subscription, { at, eventId, type, stream, connectionId, status, outcome })
    await this.#parts.receipts.append({
      ...{ at, subjectId, clientId, grantId, stream, bytes },
      surface: 'webhook',
      operation: 'event_delivery',
      connectorKey: text('connector_key'),
      connections: connectionId === undefined ? [] : [connectionId],
      fields: [],
      records: [],
      outcome: isSuccess ? 'ok' : 'delivery_failed',
      requestId: eventId,
    })
  }

  async #succeeded(event: DueEvent): Promise<void> {
    const { subscription, type } = event
    const { subjectId, subscriptionId } = subscription
    const now = Date.now()
    await this.#store.update(subjectId, subscriptionId, (current) => ({
      lastSuccessAt: now,
      failingSince: undefined,
      ...(type === 'pdpp.subscription.verify' && current.status === 'pending_verification'
        ? { status: 'active', verifiedAt: now, updatedAt: now }
        : {}),
    }))
    await this.#store.removeEvent(event)
    if (type === 'pdpp.subscription.verify') this.#parts.onActivated()
  }

  async #failed(event: DueEvent, outcome: DeliveryOutcome): Promise<void> {
    const { subscription, type } = event
    const { subjectId, subscriptionId } = subscription
    const now = Date.now()
    const { status, reason } = outcome
    const delay = outcome.retryAfterMs ?? retryDelay(event.attempts + 1, this.#times.firstRetryMs)
    const lastFailure = { at: now, reason, ...(status === undefined ? {} : { status }) }
    const disabled = (why: string): Partial<SubscriptionState> => ({
      status: 'disabled_failure',
      disabledReason: why,
      updatedAt: now,
      lastFailure,
    })
    if (type === 'pdpp.grant.revoked') {
      if (outcome.isGone || now - event.at >= RETRY.giveUpMs) return this.#store.removeEvent(event)
      return this.#store.delayDelivery(event, now + delay)
    }
    if (outcome.isGone) {
      await this.#store.end(subjectId, subscriptionId, disabled('receiver_gone'))
      return
    }
    const isUnverified = type === 'pdpp.subscription.verify' && event.attempts + 1 >= RETRY.verifications
    await this.#store.update(subjectId, subscriptionId, (current) => {
      if (current.status !== 'active' && current.status !== 'pending_verification') return { lastFailure }
      const failingSince = current.failingSince ?? now
      if (isUnverified) return disabled('verification_failed')
      if (now - failingSince >= RETRY.giveUpMs) return disabled('no_success_for_three_days')
      return { failingSince, lastFailure }
    })
    if (isUnverified) await this.#store.removeEvent(event)
    // The delay starts now, because a slow receiver has used up the time that was set before the attempt.
    else await this.#store.delayDelivery(event, now + delay)
  }
}
