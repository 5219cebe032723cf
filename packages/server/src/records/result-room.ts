import { escapeHidden, escapeStrings, isPlainJson, parseJson } from '@pdpp/protocol'
import type { PageRoom, RowText } from './paging/page-room.ts'

/** Bytes that one row adds to the structured output and to the text of a tool result. */
export interface RowSize {
  readonly structured: number
  readonly text: number
  /** Table columns of the row. Each column is named once, and rows without the field still need its separators. */
  readonly columns?: readonly string[]
}

export interface ResultShape {
  /** Bytes in addition to head and rows: the envelope with cursors and count, and the adapter's own text. */
  readonly overhead: RowSize
  /** `written` is the row as the adapter writes it, and `bytes` its size. */
  sizeOf(row: Readonly<Record<string, unknown>>, written: string, bytes: number): RowSize
}

/** Rows larger than this many times the limit are not measured, because rendering never shrinks a row that much. */
const MAX_SHRINK_FACTOR = 8
const BARS = 3

/**
 * Byte budget of a page that an adapter turns into a tool result (`result_bytes`). The result contains each row twice,
 * as structured output and as text, and escapes hidden characters. The estimate is never below the real size, so the
 * adapter never has to request a shorter page.
 */
export class ResultRoom implements PageRoom {
  readonly #maxBytes: number
  readonly #shape: ResultShape
  readonly #columns = new Map<string, number>()
  #used: RowSize
  #rows = 0
  #cells = 0
  #last: { readonly row: string; readonly size: RowSize | undefined } | undefined
  /** Most heads of a page are the same. */
  #head: { readonly json: string; readonly bytes: number } = { json: '', bytes: 0 }
  #isPlain = true

  constructor(resultBytes: number, shape: ResultShape) {
    this.#maxBytes = resultBytes
    this.#shape = shape
    this.#used = shape.overhead
  }

  fits(row: RowText, head: string): boolean {
    const size = this.#size(row)
    if (size === undefined) return false
    const all = { structured: this.#used.structured + size.structured, text: this.#used.text + size.text }
    const headBytes = this.#headBytes(head)
    return Math.max(all.structured, all.text + this.#tableWith(size)) + headBytes <= this.#maxBytes
  }

  take(row: RowText): void {
    const size = this.#size(row)!
    for (const name of size.columns ?? []) this.#columns.set(name, columnBytes(name))
    this.#rows++
    this.#cells += size.columns?.length ?? 0
    this.#used = { structured: this.#used.structured + size.structured, text: this.#used.text + size.text }
  }

  left(head: string): number {
    return this.#maxBytes - Math.max(this.#used.structured, this.#used.text) - this.#headBytes(head)
  }

  /** True if the adapter escapes nothing in any measured row. */
  get isPlain(): boolean {
    return this.#isPlain
  }

  #headBytes(json: string): number {
    if (this.#head.json !== json) this.#head = { json, bytes: writtenBytes(json) }
    return this.#head.bytes
  }

  /** Bytes of the column names, and of the separators in rows without such a field. */
  #tableWith({ columns = [] }: RowSize): number {
    if (columns.length === 0 && this.#columns.size === 0) return 0
    const fresh = columns.filter((name) => !this.#columns.has(name))
    const names = [...this.#columns.values(), ...fresh.map(columnBytes)].reduce((sum, bytes) => sum + bytes, 0)
    const cells = (this.#rows + 1) * (this.#columns.size + fresh.length)
    return names + BARS * (cells - this.#cells - columns.length)
  }

  #size(text: RowText): RowSize | undefined {
    const { row } = text
    if (this.#last?.row === row) return this.#last.size
    const bytes = Buffer.byteLength(row)
    const size = bytes > MAX_SHRINK_FACTOR * this.#maxBytes ? undefined : this.#measured(text, bytes)
    this.#last = { row, size }
    return size
  }

  /** Measures the row as the adapter writes it. */
  #measured({ row, value }: RowText, bytes: number): RowSize {
    if (isPlainJson(row, bytes)) {
      const { sizeOf } = this.#shape
      return sizeOf(value ?? (parseJson(row) as Record<string, unknown>), row, bytes)
    }
    this.#isPlain = false
    const escaped = escapeStrings(parseJson(row)) as Record<string, unknown>
    const written = JSON.stringify(escaped)
    return this.#shape.sizeOf(escaped, written, Buffer.byteLength(written))
  }
}

function writtenBytes(json: string): number {
  const bytes = Buffer.byteLength(json)
  return isPlainJson(json, bytes) ? bytes : Buffer.byteLength(JSON.stringify(escapeStrings(parseJson(json))))
}

const columnBytes = (name: string): number => Buffer.byteLength(escapeHidden(name)) + BARS
