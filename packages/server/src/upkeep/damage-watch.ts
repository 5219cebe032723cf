import type { FaultReader } from '../lib/store-fault.ts'

/** Remembers whether a read of this process found damaged files, so that the first page can warn the owner. */
export class DamageWatch {
  readonly #store: FaultReader
  #at: number | undefined

  constructor(store: FaultReader) {
    this.#store = store
  }

  get at(): number | undefined {
    return this.#at
  }

  note(error: unknown): void {
    if (this.#store.fault(error) === 'damaged') this.#at ??= Date.now()
  }
}
