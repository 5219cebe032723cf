/**
 * Max. requests that wait for events at once. Above this, the grant with the most waiting requests loses its oldest
 * one.
 */
const MAX_WAITING = 500
/** Max. requests that wait for the same subscription. */
const MAX_PER_SUBSCRIPTION = 2

interface Waiter {
  readonly subscriptionId: string
  readonly grantId: string
  readonly end: () => void
}

/**
 * Requests that wait for events. Each ends when there is an event, when its time is over, or when a newer request
 * replaces it.
 */
export class PollWaiters {
  readonly #waiting = new Set<Waiter>()
  readonly #max: number
  #isStopped = false

  constructor(max = MAX_WAITING) {
    this.#max = max
  }

  get size(): number {
    return this.#waiting.size
  }

  /** `onAbort` calls its listener if the client disconnects, and returns a function that removes the listener. */
  wait(
    { subscriptionId, grantId }: { subscriptionId: string; grantId: string },
    ms: number,
    onAbort: (listener: () => void) => () => void,
  ): { readonly done: Promise<void>; end(): void } {
    if (this.#isStopped || ms <= 0) return { done: Promise.resolve(), end: () => {} }
    const { promise, resolve } = Promise.withResolvers<void>()
    const waiter: Waiter = {
      subscriptionId,
      grantId,
      end: () => {
        this.#waiting.delete(waiter)
        clearTimeout(timer)
        removeListener()
        resolve()
      },
    }
    const timer = setTimeout(waiter.end, ms)
    const removeListener = onAbort(waiter.end)
    this.#waiting.add(waiter)
    this.#keepFair(waiter)
    return { done: promise, end: waiter.end }
  }

  wake(subscriptionIds: ReadonlySet<string>): void {
    for (const waiter of [...this.#waiting]) if (subscriptionIds.has(waiter.subscriptionId)) waiter.end()
  }

  /** Ends all waiting requests, and accepts no new ones. */
  stop(): void {
    this.#isStopped = true
    for (const waiter of [...this.#waiting]) waiter.end()
  }

  #keepFair({ subscriptionId }: Waiter): void {
    const same = [...this.#waiting].filter((waiter) => waiter.subscriptionId === subscriptionId)
    if (same.length > MAX_PER_SUBSCRIPTION) same[0]!.end()
    if (this.#waiting.size <= this.#max) return
    const byGrant = [...Map.groupBy(this.#waiting, ({ grantId }) => grantId).values()]
    byGrant.reduce((largest, one) => (one.length > largest.length ? one : largest))[0]!.end()
  }
}
