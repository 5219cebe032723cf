import { IDLE } from './limits.ts'
import type { StoredSubscription, SubscriptionStore } from './subscription-store.ts'

const PAGE = 200

interface LastPoll {
  readonly subjectId: string
  readonly idleMs: number
  readonly at: number
}

/**
 * Poll subscriptions that end if they are no longer polled. A host that listens removes its own subscriptions. After a
 * crash nobody would remove them, and they would count towards the grant's limit.
 */
export class IdleSubscriptions {
  readonly #store: SubscriptionStore
  readonly #lookEveryMs: number
  readonly #asked = new Map<string, LastPoll>()
  #timer: NodeJS.Timeout | undefined

  constructor(store: SubscriptionStore, lookEveryMs = IDLE.lookEveryMs) {
    this.#store = store
    this.#lookEveryMs = lookEveryMs
  }

  /** Subscriptions of an earlier process get their full time again. */
  async start(subjectId: string): Promise<void> {
    for (let before: string | undefined; ; ) {
      const page = await this.#store.list(subjectId, { before, limit: PAGE })
      for (const subscription of page) this.note(subscription)
      if (page.length < PAGE) break
      before = page.at(-1)!.subscriptionId
    }
    this.#timer = setInterval(() => void this.sweep().catch(() => {}), this.#lookEveryMs).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Call when a subscription is created and whenever it is polled. */
  note({ subjectId, subscriptionId, idleMs }: StoredSubscription, now = Date.now()): void {
    if (idleMs !== undefined) this.#asked.set(subscriptionId, { subjectId, idleMs, at: now })
  }

  async sweep(now = Date.now()): Promise<void> {
    for (const [subscriptionId, { subjectId, idleMs, at }] of this.#asked) {
      if (now - at < idleMs) continue
      this.#asked.delete(subscriptionId)
      await this.#store.remove(subjectId, subscriptionId)
    }
  }
}
