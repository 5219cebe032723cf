/** Max. open answers per grant or package. Each holds a connection and regularly queries the store. */
const MAX_PER_ACCESS = 4
/** Max. answers that stay open at once. */
const MAX_OPEN = 200

interface OpenStream {
  readonly accessId: string
  readonly controller: AbortController
  readonly released: Promise<void>
}

/** Answers that stay open until a client, a grant or the server ends them. */
export class OpenStreams {
  readonly #open = new Set<OpenStream>()
  #isClosing = false

  get size(): number {
    return this.#open.size
  }

  /** Undefined if this grant or package, or all together, have too many open. */
  take(accessId: string): { readonly signal: AbortSignal; release(): void } | undefined {
    const own = [...this.#open].filter((stream) => stream.accessId === accessId).length
    if (this.#isClosing || own >= MAX_PER_ACCESS || this.#open.size >= MAX_OPEN) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const stream = { accessId, controller: new AbortController(), released: promise }
    this.#open.add(stream)
    const release = () => {
      this.#open.delete(stream)
      resolve()
    }
    return { signal: stream.controller.signal, release }
  }

  /** Ends all of them, and opens no more. */
  async close(): Promise<void> {
    this.#isClosing = true
    const open = [...this.#open]
    for (const { controller } of open) controller.abort()
    await Promise.all(open.map(({ released }) => released))
  }
}
