import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'

/** The extension differs: TypeScript in a clone, JavaScript in a published package. */
const WORKER = new URL(`./checkpoint-worker${extname(import.meta.filename)}`, import.meta.url)

/** Receipts between two checkpoints: about four megabytes of log. */
const EVERY_RECEIPTS = 500
/** The thread ends after this time without work, because it holds some megabytes. */
const IDLE_MS = 30_000

/**
 * Keeps the log of the receipts short without making requests wait for the disk. If the thread cannot keep up or cannot
 * start, SQLite copies the log itself when it is much longer.
 */
export class Checkpoints {
  readonly #file: string
  #worker: Worker | undefined
  #isBusy = false
  #receipts = 0
  #idle: NodeJS.Timeout | undefined

  constructor(file: string) {
    this.#file = file
  }

  get hasThread(): boolean {
    return this.#worker !== undefined
  }

  /** Call after receipts were committed. */
  note(receipts: number): void {
    this.#receipts += receipts
    if (this.#receipts < EVERY_RECEIPTS || this.#isBusy) return
    this.#receipts = 0
    this.#isBusy = true
    this.#worker ??= this.#start()
    this.#worker.postMessage('checkpoint')
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(WORKER, {
      workerData: { file: this.#file },
      resourceLimits: { maxYoungGenerationSizeMb: 1 },
    })
    worker.on('message', () => {
      this.#isBusy = false
      clearTimeout(this.#idle)
      this.#idle = setTimeout(() => void this.close(), IDLE_MS).unref()
    })
    // A thread that fails is started again with the next receipts.
    worker.on('error', () => this.#ended(worker))
    worker.on('exit', () => this.#ended(worker))
    worker.unref()
    return worker
  }

  #ended(worker: Worker): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    this.#isBusy = false
  }
}
