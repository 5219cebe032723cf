/** One message of an mbox file, without its separator. Escaped From-lines are restored. */
interface MboxMessage {
  readonly bytes: Buffer
  /** The time of delivery, as the separator has it. */
  readonly delivered: string | undefined
  readonly line: number
}

export type MboxItem = MboxMessage | { readonly tooLarge: number; readonly line: number }

const NEWLINE = 10
const [F, GREATER] = [70, 62]
/** `From a@b Tue Mar 04 03:33:20 2003`, with any zone and address. */
const SEPARATOR = /^From (?:\S+ +|- +)?(\w{3},? +(?:\w{3} +\d{1,2}|\d{1,2} +\w{3})\b.*\d{1,2}:\d{2}.*)$/
const HEADER = /^(?:[!-9;-~]+\s*:|>?From )/
/** Longer lines are passed on in pieces, because no separator or header that matters is that long. */
const LONGEST_LINE = 65_536

/**
 * Cuts an mbox of any size into messages, with one in memory at a time. A separator is between an empty line and a header,
 * which a sentence that begins with "From" is not. `>From` loses the mark that the mail program added.
 */
export async function* splitMbox(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncIterable<MboxItem> {
  const cutter = new Cutter(maxBytes)
  for await (const line of byteLines(chunks)) yield* cutter.add(line)
  yield* cutter.end()
}

interface LinePiece {
  readonly bytes: Buffer
  /** True for the first piece of a line. */
  readonly starts: boolean
}

class Cutter {
  readonly #maxBytes: number
  #parts: Buffer[] = []
  #size = 0
  #open: { delivered: string | undefined; line: number } | undefined
  #afterEmpty = true
  #line = 0
  /** A line that may be a separator. The next line decides. */
  #candidate: { bytes: Buffer; delivered: string | undefined; line: number } | undefined

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  *add({ bytes, starts }: LinePiece): Iterable<MboxItem> {
    if (starts) this.#line++
    if (this.#candidate) yield* this.#decide(bytes)
    const delivered = starts && this.#afterEmpty ? separator(bytes) : undefined
    if (delivered !== undefined) {
      this.#candidate = { bytes, delivered: delivered === '' ? undefined : delivered, line: this.#line }
      this.#afterEmpty = false
      return
    }
    this.#keep(starts ? unescaped(bytes) : bytes)
    this.#afterEmpty = starts && isEmpty(bytes)
  }

  *#decide(next: Buffer): Iterable<MboxItem> {
    const candidate = this.#candidate!
    this.#candidate = undefined
    if (!HEADER.test(next.subarray(0, 200).toString('latin1')) && this.#open) return this.#keep(candidate.bytes)
    yield* this.#finish()
    this.#open = { delivered: candidate.delivered, line: candidate.line }
  }

  *end(): Iterable<MboxItem> {
    if (this.#candidate) this.#keep(this.#candidate.bytes)
    yield* this.#finish()
  }

  #keep(bytes: Buffer): void {
    if (!this.#open) {
      if (isEmpty(bytes)) return
      this.#open = { delivered: undefined, line: this.#line }
    }
    this.#size += bytes.length
    if (this.#size <= this.#maxBytes) this.#parts.push(bytes)
    else this.#parts = []
  }

  *#finish(): Iterable<MboxItem> {
    const open = this.#open
    if (open && this.#size > this.#maxBytes) yield { tooLarge: this.#size, line: open.line }
    else if (open && this.#size > 0) yield { bytes: withoutLastEmptyLine(Buffer.concat(this.#parts)), ...open }
    this.#parts = []
    this.#size = 0
    this.#open = undefined
  }
}

function separator(bytes: Buffer): string | undefined {
  if (bytes[0] !== F || bytes.length > 1000 || bytes.toString('latin1', 0, 5) !== 'From ') return
  return SEPARATOR.exec(bytes.toString('latin1').trimEnd())?.[1]
}

function unescaped(bytes: Buffer): Buffer {
  if (bytes[0] !== GREATER) return bytes
  let at = 1
  while (bytes[at] === GREATER) at++
  return bytes.toString('latin1', at, at + 5) === 'From ' ? bytes.subarray(1) : bytes
}

const isEmpty = (bytes: Buffer): boolean =>
  bytes.length === 0 || (bytes.length === 1 && bytes[0] === NEWLINE) || (bytes.length === 2 && bytes[0] === 13)

/** Removes the empty line that belongs to the separator. */
function withoutLastEmptyLine(bytes: Buffer): Buffer {
  if (bytes.subarray(-4).toString('latin1') === '\r\n\r\n') return bytes.subarray(0, -2)
  return bytes.subarray(-2).toString('latin1') === '\n\n' ? bytes.subarray(0, -1) : bytes
}

/** Splits bytes into lines and keeps the line breaks. */
async function* byteLines(chunks: AsyncIterable<Uint8Array>): AsyncIterable<LinePiece> {
  let held: Buffer = Buffer.alloc(0)
  let starts = true
  for await (const chunk of chunks) {
    const bytes = held.length === 0 ? Buffer.from(chunk) : Buffer.concat([held, chunk])
    let from = 0
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, from)) {
      yield { bytes: bytes.subarray(from, end + 1), starts }
      starts = true
      from = end + 1
    }
    held = bytes.subarray(from)
    if (held.length <= LONGEST_LINE) continue
    yield { bytes: held, starts }
    starts = false
    held = Buffer.alloc(0)
  }
  if (held.length > 0) yield { bytes: held, starts }
}
