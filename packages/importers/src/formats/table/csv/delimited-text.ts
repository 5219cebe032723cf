import { MAX_ROW_CHARS } from '../../../table/row.ts'

/** One record of delimited text: its cells, its first line, and its fault, if any. */
export interface DelimitedRecord {
  readonly cells: string[]
  readonly line: number
  readonly fault?: string | undefined
  /** True if the record exceeds the limit. Its cells are not kept. */
  readonly tooLong?: true | undefined
}

const QUOTE = '"'
/** Max. characters of a quoted cell. A quote that is not closed within them is a plain character. */
const MAX_QUOTED_CHARS = 4_000_000
/** After this many unclosed quotes, quotes only count within a line, to keep the cost linear. */
const MAX_UNCLOSED = 5
/** Re-parse a record of this length only after it has grown by half, to keep the cost linear. */
const LONG_CHARS = 65_536
/** Max. characters shown of a line that is too long. */
const SHOWN_CHARS = 1000
const UNCLOSED = 'a quotation mark is opened and never closed'
const UNDOUBLED = 'a quotation mark inside a quoted cell is not doubled; the cell is kept as it is written'

/**
 * Reads RFC 4180 and the variants that spreadsheets write: quoted cells with line breaks, doubled quotes, quotes in the
 * middle of a cell, and any line break. An unclosed quote spoils only its own line, not the rest of the file.
 */
export class DelimitedReader {
  readonly #delimiter: string
  #held = ''
  #line = 1
  #unclosed = 0
  /** True inside a line that is too long, while its rest is skipped. */
  #passing = false
  /** Pieces that wait until a long record has grown enough to be parsed again. */
  #pieces: string[] = []
  #waiting = 0
  #enough = 0

  constructor(delimiter: string) {
    this.#delimiter = delimiter
  }

  *add(text: string): Iterable<DelimitedRecord> {
    this.#pieces.push(text)
    this.#waiting += text.length
    if (this.#waiting < this.#enough) return
    this.#gather()
    yield* this.#records(false)
    this.#enough = this.#held.length > LONG_CHARS ? this.#held.length / 2 : 0
  }

  *end(): Iterable<DelimitedRecord> {
    this.#gather()
    yield* this.#records(true)
  }

  #gather(): void {
    this.#held += this.#pieces.join('')
    this.#pieces = []
    this.#waiting = 0
  }

  *#records(atEnd: boolean): Iterable<DelimitedRecord> {
    let start = this.#passed(atEnd)
    while (start < this.#held.length) {
      const found = this.#record(start, atEnd)
      if (!found) break
      const { next, ...record } = found
      const line = this.#line
      this.#line += countBreaks(this.#held, start, next)
      start = next
      if (record.cells.length > 1 || record.cells[0] !== '') yield { ...record, line }
    }
    this.#held = this.#held.slice(start)
  }

  /** Skips the rest of a line that was too long, and returns the position to continue from. */
  #passed(atEnd: boolean): number {
    if (!this.#passing) return 0
    const end = lineEnd(this.#held, 0, atEnd)
    // A "\r" at the end may belong to the line break.
    if (end === undefined) return this.#held.length - (this.#held.endsWith('\r') ? 1 : 0)
    this.#passing = false
    this.#line++
    return end.next
  }

  #record(start: number, atEnd: boolean): (Omit<DelimitedRecord, 'line'> & { next: number }) | undefined {
    const held = this.#held
    const end = lineEnd(held, start, atEnd)
    if (end === undefined) return held.length - start > MAX_ROW_CHARS ? this.#giveUp(start) : undefined
    const { at, next } = end
    if (at - start > MAX_ROW_CHARS) return { ...this.#beginning(start), next }
    const plain = held.slice(start, at)
    if (!plain.includes(QUOTE)) return { cells: plain.split(this.#delimiter), next }
    const quoted = this.#quoted(start, atEnd)
    if (quoted === 'more') return
    if (quoted !== 'unclosed') return quoted
    this.#unclosed++
    return { cells: plain.split(this.#delimiter), next, fault: UNCLOSED }
  }

  /** Gives up on a line that is too long. Its rest is skipped as it arrives. */
  #giveUp(start: number): Omit<DelimitedRecord, 'line'> & { next: number } {
    this.#passing = true
    return { ...this.#beginning(start), next: this.#held.length }
  }

  #beginning(start: number): { cells: string[]; tooLong: true } {
    return { cells: [this.#held.slice(start, start + SHOWN_CHARS)], tooLong: true }
  }

  /** Reads a record that has quotes. `more`: it may continue in the next piece. */
  #quoted(
    start: number,
    atEnd: boolean,
  ): { cells: string[]; next: number; fault?: string | undefined } | 'more' | 'unclosed' {
    const held = this.#held
    const cells: string[] = []
    let fault: string | undefined
    for (let at = start; ; ) {
      if (held[at] !== QUOTE) {
        const cell = bareCell(held, at, this.#delimiter)
        if (cell.end === held.length && !atEnd) return 'more'
        cells.push(held.slice(at, cell.end))
        if (held[cell.end] === this.#delimiter) at = cell.end + 1
        else return { cells, next: afterBreak(held, cell.end), fault }
        continue
      }
      const close = closingQuote(held, at + 1)
      if (close === undefined || this.#tooFar(start, close)) return this.#openEnded(start, atEnd)
      if (close + 1 === held.length && !atEnd) return 'more'
      const rest = bareCell(held, close + 1, this.#delimiter)
      if (rest.end === held.length && !atEnd) return 'more'
      const cell = quotedCell(held.slice(at, rest.end), close - at)
      cells.push(cell.text)
      if (cell.isOdd) fault = UNDOUBLED
      if (held[rest.end] === this.#delimiter) at = rest.end + 1
      else return { cells, next: afterBreak(held, rest.end), fault }
    }
  }

  #tooFar(start: number, close: number): boolean {
    return this.#unclosed >= MAX_UNCLOSED && countBreaks(this.#held, start, close) > 0
  }

  #openEnded(start: number, atEnd: boolean): 'more' | 'unclosed' {
    const patient = this.#unclosed < MAX_UNCLOSED && this.#held.length - start < MAX_QUOTED_CHARS
    return patient && !atEnd ? 'more' : 'unclosed'
  }
}

/**
 * A cell that begins with a quote, up to the delimiter. `close` is the first quote that is not doubled. If text follows
 * it and the cell ends with a quote, the inner quotes are part of the text: `"say "hi" now"`. Otherwise the meaning is
 * unclear, and every character is kept.
 */
function quotedCell(cell: string, close: number): { text: string; isOdd: boolean } {
  const rest = cell.slice(close + 1)
  if (rest.trim() === '') return { text: cell.slice(1, close).replaceAll('""', QUOTE) + rest, isOdd: false }
  const end = cell.trimEnd()
  if (end.endsWith(QUOTE)) return { text: end.slice(1, -1).replaceAll('""', QUOTE), isOdd: false }
  return { text: cell, isOdd: true }
}

function closingQuote(text: string, from: number): number | undefined {
  for (let at = text.indexOf(QUOTE, from); at !== -1; at = text.indexOf(QUOTE, at + 2)) {
    if (text[at + 1] !== QUOTE) return at
  }
  return
}

function bareCell(text: string, from: number, delimiter: string): { end: number } {
  let end = from
  while (end < text.length) {
    const char = text[end]
    if (char === delimiter || char === '\n' || char === '\r') break
    end++
  }
  return { end }
}

/** The positions at which a line ends and the next one begins. Undefined if that depends on the next piece. */
function lineEnd(text: string, from: number, atEnd: boolean): { at: number; next: number } | undefined {
  const feed = text.indexOf('\n', from)
  const limit = feed === -1 ? text.length : feed
  const carriage = text.slice(from, limit).indexOf('\r')
  if (carriage !== -1 && (from + carriage + 1 < text.length || atEnd))
    return { at: from + carriage, next: afterBreak(text, from + carriage) }
  if (carriage !== -1) return // a "\n" may follow
  if (feed !== -1) return { at: feed, next: feed + 1 }
  return atEnd ? { at: text.length, next: text.length } : undefined
}

function afterBreak(text: string, at: number): number {
  if (text[at] === '\r') return text[at + 1] === '\n' ? at + 2 : at + 1
  return text[at] === '\n' ? at + 1 : at
}

function countBreaks(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count++
  const part = text.slice(from, to)
  for (let at = part.indexOf('\r'); at !== -1; at = part.indexOf('\r', at + 1)) if (part[at + 1] !== '\n') count++
  return count
}
