import type { RecordWriter } from '../records/record-store.ts'

/** How long the store works on it at a time. Other writes come in between. */
const TURN_MS = 200

/**
 * Finishes what an upgrade or a crash left undone: deletions, and records that are not in the search index yet. A start
 * waits for one turn, which is enough for most stores. In a large one, the rest follows in the background. Meanwhile
 * searches answer from what is there and say so.
 */
export class UnfinishedWork {
  readonly #writer: Pick<RecordWriter, 'resume'>
  readonly #log: (message: string) => void
  #isStopped = false
  #running: Promise<void> = Promise.resolve()

  constructor(writer: Pick<RecordWriter, 'resume'>, log: (message: string) => void) {
    this.#writer = writer
    this.#log = log
  }

  /** An error of the disk or the database ends the start. After any other one, the records can still be read. */
  async start(): Promise<void> {
    try {
      if (await this.#writer.resume(TURN_MS)) this.#running = this.#continue()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== undefined) throw error
      this.#report(error)
    }
  }

  /** Ends after the present turn. The next start continues. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#running
  }

  async #continue(): Promise<void> {
    try {
      while (!this.#isStopped && (await this.#writer.resume(TURN_MS)));
    } catch (error) {
      if (!this.#isStopped) this.#report(error)
    }
  }

  #report(error: unknown): void {
    const { message } = error as Error
    this.#log(`The search index is incomplete, and completing it failed: ${message}. The next start tries again.`)
  }
}
