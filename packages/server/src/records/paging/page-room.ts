/** A row as JSON, and the value that it was made from, if available. */
export interface RowText {
  readonly row: string
  readonly value?: Readonly<Record<string, unknown>> | undefined
}

/** Size limit of a page. Rows are added in order, and the first row that does not fit ends the page. */
export interface PageRoom {
  /** True if a row fits in addition to those already taken, in an envelope with this head. */
  fits(row: RowText, head: string): boolean
  take(row: RowText): void
  /** Approximate bytes left for one row. */
  left(head: string): number
}

/** Reserved for members that the head does not contain yet: cursors, links and count. */
const ENVELOPE_BYTES = 700

/** Limits a page to the bytes of the answer (`max_bytes`). */
export class ByteRoom implements PageRoom {
  readonly #maxBytes: number
  readonly #overheadBytes: number
  #usedBytes = 0
  /** The last measured row. If it fits, it is added next. */
  #measured = { row: '', bytes: 0 }

  /** `repeatedBytes`: size of texts that the envelope contains twice, such as the URL of the request. */
  constructor(maxBytes: number, repeatedBytes: number) {
    this.#maxBytes = maxBytes
    this.#overheadBytes = ENVELOPE_BYTES + repeatedBytes
  }

  fits({ row }: RowText, head: string): boolean {
    return this.#bytesOf(row) <= this.left(head)
  }

  take({ row }: RowText): void {
    this.#usedBytes += this.#bytesOf(row) + 1
  }

  #bytesOf(row: string): number {
    if (this.#measured.row !== row) this.#measured = { row, bytes: Buffer.byteLength(row) }
    return this.#measured.bytes
  }

  left(head: string): number {
    return this.#maxBytes - this.#overheadBytes - this.#usedBytes - Buffer.byteLength(head) - 1
  }
}
