/** How much a page holds. Rows come one after another, and the first that does not fit ends it. */
export interface PageRoom {
  /** Whether a row still fits beside those taken, in an envelope with this head. */
  fits(row: string, head: string): boolean
  take(row: string): void
  /** About so many bytes are left for one row. */
  left(head: string): number
}

/** Room for what the head does not show yet: the cursors, the links and the count. */
const ENVELOPE_BYTES = 700

/** As many bytes as the answer itself may have (`max_bytes`). */
export class ByteRoom implements PageRoom {
  readonly #most: number
  readonly #beside: number
  #taken = 0

  /** `beside`: what stands in the envelope twice, such as the address of the request. */
  constructor(maxBytes: number, beside: number) {
    this.#most = maxBytes
    this.#beside = ENVELOPE_BYTES + beside
  }

  fits(row: string, head: string): boolean {
    return Buffer.byteLength(row) <= this.left(head)
  }

  take(row: string): void {
    this.#taken += Buffer.byteLength(row) + 1
  }

  left(head: string): number {
    return this.#most - this.#beside - this.#taken - Buffer.byteLength(head) - 1
  }
}
