/** The work runs after this many milliseconds without a write. Imports seldom pause for as long. */
const QUIET_MS = 100

/** Runs some work when nothing was written for a while. During many writes it only counts them. */
export class ReadAhead {
  readonly #work: () => void
  #writes = 0
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(work: () => void) {
    this.#work = work
  }

  noteWrite(): void {
    this.#writes++
    if (!this.#timer && !this.#isClosed) this.#wait()
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  #wait(): void {
    const writes = this.#writes
    const look = () => {
      this.#timer = undefined
      if (this.#writes === writes) this.#work()
      else this.#wait()
    }
    this.#timer = setTimeout(look, QUIET_MS).unref()
  }
}
