/** Receipts between two checkpoints: about four megabytes of log. */
const EVERY_RECEIPTS = 500

/**
 * Keeps the log of the receipts short without making requests wait for the disk: `copy` does it in another thread. If
 * that thread cannot keep up, SQLite copies the log itself when it is much longer.
 */
export class Checkpoints {
  readonly #copy: () => Promise<void>
  #isBusy = false
  #receipts = 0

  constructor(copy: () => Promise<void>) {
    this.#copy = copy
  }

  /** Call after receipts were committed. */
  note(receipts: number): void {
    this.#receipts += receipts
    if (this.#receipts < EVERY_RECEIPTS || this.#isBusy) return
    this.#receipts = 0
    this.#isBusy = true
    void this.#copy().then(() => {
      this.#isBusy = false
    })
  }
}
