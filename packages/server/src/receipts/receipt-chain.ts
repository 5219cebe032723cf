import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ChainPosition, ReceiptStore } from './receipt-store.ts'

/** Receipts checked in one turn of the event loop: a few milliseconds. */
const PER_TURN = 200
/** How long whoever asks is made to wait; the check itself goes on. */
const PATIENCE_MS = 60

export interface ChainState {
  readonly checked: number
  readonly brokenAt: number | undefined
  /** Not all of them have been looked at yet. */
  readonly running: boolean
}

interface Progress {
  checked: number
  reached: ChainPosition | undefined
  brokenAt: number | undefined
  running: Promise<void> | undefined
}

/** Walks each owner's chain once, then only what is new; beginning again is the owner's word. */
export class ReceiptChain {
  readonly #receipts: ReceiptStore
  readonly #progress = new Map<string, Progress>()
  #stopped = false

  constructor(receipts: ReceiptStore) {
    this.#receipts = receipts
  }

  /** How far it is found intact, having looked a little further. */
  async state(subjectId: string, patienceMs = PATIENCE_MS): Promise<ChainState> {
    const known = this.#progress.get(subjectId)
    const progress = known ?? { checked: 0, reached: undefined, brokenAt: undefined, running: undefined }
    this.#progress.set(subjectId, progress)
    progress.running ??= this.#walk(subjectId, progress).finally(() => {
      progress.running = undefined
    })
    await Promise.race([progress.running, new Promise((resolve) => setTimeout(resolve, patienceMs).unref())])
    const { checked, brokenAt, running } = progress
    return { checked, brokenAt, running: running !== undefined && brokenAt === undefined }
  }

  /** From the first receipt again. */
  again(subjectId: string): Promise<ChainState> {
    this.#progress.delete(subjectId)
    return this.state(subjectId)
  }

  stop(): void {
    this.#stopped = true
  }

  async #walk(subjectId: string, progress: Progress): Promise<void> {
    // A newer walk may have taken this one's place.
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
