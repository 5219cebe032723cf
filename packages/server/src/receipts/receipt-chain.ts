import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ChainPosition, ReceiptStore } from './receipt-store.ts'

/** Receipts checked per turn of the event loop. 200 take a few milliseconds. */
const PER_TURN = 200
/** Max. wait for a result in milliseconds. The check continues afterwards. */
const MAX_WAIT_MS = 60

export interface ChainState {
  readonly checked: number
  readonly brokenAt: number | undefined
  /** True until all receipts are checked. */
  readonly running: boolean
}

interface Progress {
  checked: number
  reached: ChainPosition | undefined
  brokenAt: number | undefined
  running: Promise<void> | undefined
}

/** Checks each owner's chain once, and then only new receipts, unless the owner asks for a full check. */
export class ReceiptChain {
  readonly #receipts: ReceiptStore
  readonly #progress = new Map<string, Progress>()
  #stopped = false

  constructor(receipts: ReceiptStore) {
    this.#receipts = receipts
  }

  /** Checks for a short time and returns the progress so far. */
  async state(subjectId: string, maxWaitMs = MAX_WAIT_MS): Promise<ChainState> {
    const known = this.#progress.get(subjectId)
    const progress = known ?? { checked: 0, reached: undefined, brokenAt: undefined, running: undefined }
    this.#progress.set(subjectId, progress)
    progress.running ??= this.#walk(subjectId, progress).finally(() => {
      progress.running = undefined
    })
    await Promise.race([progress.running, new Promise((resolve) => setTimeout(resolve, maxWaitMs).unref())])
    const { checked, brokenAt, running } = progress
    return { checked, brokenAt, running: running !== undefined && brokenAt === undefined }
  }

  /** Starts again from the first receipt. */
  restart(subjectId: string): Promise<ChainState> {
    this.#progress.delete(subjectId)
    return this.state(subjectId)
  }

  stop(): void {
    this.#stopped = true
  }

  async #walk(subjectId: string, progress: Progress): Promise<void> {
    // `restart` may have started a new check.
    const isWanted = () => !this.#stopped && this.#progress.get(subjectId) === progress
    while (progress.brokenAt === undefined && isWanted()) {
      const part = await this.#receipts.verify(subjectId, { after: progress.reached, limit: PER_TURN })
      progress.checked += part.checked
      progress.reached = part.reached
      progress.brokenAt = part.brokenAt
      if (part.checked < PER_TURN) return
      await nextTurn()
    }
  }
}
