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

/** Max. bytes of one UTF-16 unit in UTF-8. */
const MAX_UNIT_BYTES = 3

/**
 * Limits a page to the bytes of the answer (`max_bytes`). Rows are measured only once the page is nearly full, because
 * most pages are far from their limit.
 */
export class ByteRoom implements PageRoom {
  readonly #maxBytes: number
  readonly #overheadBytes: number
  /** Exact bytes of the measured rows with their commas. */
  #usedBytes = 0
  /** Rows that are taken but not measured, and their UTF-16 units with commas. */
  #unmeasured: string[] = []
  #unmeasuredUnits = 0

  /** `repeatedBytes`: size of texts that the envelope contains twice, such as the URL of the request. */
  constructor(maxBytes: number, repeatedBytes: number) {
    this.#maxBytes = maxBytes
    this.#overheadBytes = ENVELOPE_BYTES + repeatedBytes
  }

  fits({ row }: RowText, head: string): boolean {
    const units = this.#unmeasuredUnits + row.length + head.length
    if (units * MAX_UNIT_BYTES <= this.#maxBytes - this.#overheadBytes - this.#usedBytes - 1) return true
    return Buffer.byteLength(row) <= this.left(head)
  }

  take({ row }: RowText): void {
    this.#unmeasured.push(row)
    this.#unmeasuredUnits += row.length + 1
  }

  left(head: string): number {
    for (const row of this.#unmeasured) this.#usedBytes += Buffer.byteLength(row) + 1
    this.#unmeasured = []
    this.#unmeasuredUnits = 0
    return this.#maxBytes - this.#overheadBytes - this.#usedBytes - Buffer.byteLength(head) - 1
  }
}
