import { escapeHidden, escapeStrings, parseJson } from '@pdpp/protocol'
import type { PageRoom } from './paging/page-room.ts'

/** What one row adds to a tool result: to its structured output and to its text. */
export interface RowSize {
  readonly structured: number
  readonly text: number
  /** Columns of a table: each is named once, and a row without it still has its bars. */
  readonly columns?: readonly string[]
}

export interface ResultShape {
  /** Bytes beside head and rows: the envelope with its cursors and count, and what the adapter says of its own. */
  readonly beside: RowSize
  sizeOf(row: Readonly<Record<string, unknown>>, written: number): RowSize
}

/** A row that is so much larger is not looked at: what it holds cannot become so much shorter. */
const FAR_LARGER = 8
const BARS = 3

/**
 * As much as a tool result holds that an adapter makes of the page (`result_bytes`): with hidden characters written
 * out, which takes many times their bytes, and said twice, as structured output and as text. What is counted here is
 * at least what the adapter writes, so that it never has to ask again for a shorter page.
 */
export class ResultRoom implements PageRoom {
  readonly #most: number
  readonly #shape: ResultShape
  readonly #columns = new Map<string, number>()
  #taken: RowSize
  #rows = 0
  #cells = 0
  #last: { readonly row: string; readonly size: RowSize | undefined } | undefined

  constructor(resultBytes: number, shape: ResultShape) {
    this.#most = resultBytes
    this.#shape = shape
    this.#taken = shape.beside
  }

  fits(row: string, head: string): boolean {
    const size = this.#size(row)
    if (size === undefined) return false
    const all = { structured: this.#taken.structured + size.structured, text: this.#taken.text + size.text }
    const beside = writtenBytes(head)
    return Math.max(all.structured, all.text + this.#tableWith(size)) + beside <= this.#most
  }

  take(row: string): void {
    const size = this.#size(row)!
    for (const name of size.columns ?? []) this.#columns.set(name, columnBytes(name))
    this.#rows++
    this.#cells += size.columns?.length ?? 0
    this.#taken = { structured: this.#taken.structured + size.structured, text: this.#taken.text + size.text }
  }

  left(head: string): number {
    return this.#most - Math.max(this.#taken.structured, this.#taken.text) - writtenBytes(head)
  }

  /** Names over the columns, and the bars of rows that have no such field. */
  #tableWith({ columns = [] }: RowSize): number {
    if (columns.length === 0 && this.#columns.size === 0) return 0
    const fresh = columns.filter((name) => !this.#columns.has(name))
    const names = [...this.#columns.values(), ...fresh.map(columnBytes)].reduce((sum, bytes) => sum + bytes, 0)
    const cells = (this.#rows + 1) * (this.#columns.size + fresh.length)
    return names + BARS * (cells - this.#cells - columns.length)
  }

  #size(row: string): RowSize | undefined {
    if (this.#last?.row === row) return this.#last.size
    const size = Buffer.byteLength(row) > FAR_LARGER * this.#most ? undefined : this.#measured(row)
    this.#last = { row, size }
    return size
  }

  /** As the adapter writes it. */
  #measured(row: string): RowSize {
    const written = escapeStrings(parseJson(row)) as Record<string, unknown>
    return this.#shape.sizeOf(written, Buffer.byteLength(JSON.stringify(written)))
  }
}

const writtenBytes = (json: string): number => Buffer.byteLength(JSON.stringify(escapeStrings(parseJson(json))))

const columnBytes = (name: string): number => Buffer.byteLength(escapeHidden(name)) + BARS
