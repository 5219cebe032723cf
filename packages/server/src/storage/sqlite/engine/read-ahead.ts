/** A search that comes sooner reads what was written itself. An import hardly ever pauses for this long. */
const QUIET_MS = 100

/** Runs some work as soon as nothing was written for a while. Costs next to nothing during many writes. */
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
