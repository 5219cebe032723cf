/** One message of an mbox file, without its separator. Escaped From-lines are restored. */
interface MboxMessage {
  readonly bytes: Buffer
  /** The delivery time in the separator. */
  readonly delivered: string | undefined
  readonly line: number
}

export type MboxItem = MboxMessage | { readonly tooLarge: number; readonly line: number }

const NEWLINE = 10
const [F, GREATER] = [70, 62]
/** `From a@b Tue Mar 04 03:33:20 2003`, with any zone and address. */
const SEPARATOR = /^From (?:\S+ +|- +)?(\w{3},? +(?:\w{3} +\d{1,2}|\d{1,2} +\w{3})\b.*\d{1,2}:\d{2}.*)$/
const HEADER = /^(?:[!-9;-~]+\s*:|>?From )/
/** Longer lines are passed on in pieces, because no separator or relevant header is that long. */
const LONGEST_LINE = 65_536

/**
 * Splits an mbox of any size into messages, with one message in memory at a time. A line is a separator only if an
 * empty line is before it and a header after it, because a sentence may also begin with "From". `>From` loses the mark
 * that the mail program added.
 */
export async function* splitMbox(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncIterable<MboxItem> {
  const cutter = new Cutter(maxBytes)
  let held: Buffer = Buffer.alloc(0)
  let starts = true
  for await (const chunk of chunks) {
    const bytes = held.length === 0 ? Buffer.from(chunk) : Buffer.concat([held, chunk])
    let from = 0
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, from)) {
      cutter.add(bytes, from, end + 1, starts)
      starts = true
      from = end + 1
    }
    if (bytes.length - from > LONGEST_LINE) {
      cutter.add(bytes, from, bytes.length, starts)
      starts = false
      from = bytes.length
    }
    held = bytes.subarray(from)
    yield* cutter.taken()
  }
  if (held.length > 0) cutter.add(held, 0, held.length, starts)
  cutter.end()
  yield* cutter.taken()
}

/** Passes lines as positions in a buffer, because creating an object for each line would cost more than reading it. */
class Cutter {
  readonly #maxBytes: number
  #items: MboxItem[] = []
  #parts: Buffer[] = []
  #size = 0
  #open: { delivered: string | undefined; line: number } | undefined
  #afterEmpty = true
  #line = 0
  /** Consecutive lines of one buffer that are kept unchanged. */
  #run: { bytes: Buffer; from: number; to: number } | undefined
  /** A line that may be a separator. The next line decides it. */
  #candidate: { bytes: Buffer; delivered: string | undefined; line: number } | undefined

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  taken(): MboxItem[] {
    this.#flush()
    const items = this.#items
    this.#items = []
    return items
  }

  add(bytes: Buffer, from: number, to: number, starts: boolean): void {
    if (starts) this.#line++
    if (this.#candidate) this.#decide(bytes.subarray(from, Math.min(to, from + 200)))
    const delivered = starts && this.#afterEmpty && bytes[from] === F ? separator(bytes.subarray(from, to)) : undefined
    if (delivered !== undefined) {
      const line = Buffer.from(bytes.subarray(from, to))
      this.#candidate = { bytes: line, delivered: delivered === '' ? undefined : delivered, line: this.#line }
      this.#afterEmpty = false
      return
    }
    const isEscaped = starts && bytes[from] === GREATER && isEscapedFrom(bytes, from)
    this.#keep(bytes, isEscaped ? from + 1 : from, to)
    this.#afterEmpty = starts && isEmpty(bytes, from, to)
  }

  #decide(next: Buffer): void {
    const { bytes, delivered, line } = this.#candidate!
    this.#candidate = undefined
    if (!HEADER.test(next.toString('latin1')) && this.#open) this.#keep(bytes, 0, bytes.length)
    else {
      this.#finish()
      this.#open = { delivered, line }
    }
  }

  end(): void {
    if (this.#candidate) this.#keep(this.#candidate.bytes, 0, this.#candidate.bytes.length)
    this.#finish()
  }

  #keep(bytes: Buffer, from: number, to: number): void {
    if (!this.#open) {
      if (isEmpty(bytes, from, to)) return
      this.#open = { delivered: undefined, line: this.#line }
    }
    this.#size += to - from
    if (this.#run?.bytes === bytes && this.#run.to === from) this.#run.to = to
    else {
      this.#flush()
      this.#run = { bytes, from, to }
    }
  }

  #flush(): void {
    const run = this.#run
    this.#run = undefined
    if (run && this.#size <= this.#maxBytes) this.#parts.push(run.bytes.subarray(run.from, run.to))
    else if (run) this.#parts = []
  }

  #finish(): void {
    this.#flush()
    const open = this.#open
    if (open && this.#size > this.#maxBytes) this.#items.push({ tooLarge: this.#size, line: open.line })
    else if (open && this.#size > 0)
      this.#items.push({ bytes: withoutLastEmptyLine(Buffer.concat(this.#parts)), ...open })
    this.#parts = []
    this.#size = 0
    this.#open = undefined
  }
}

function separator(bytes: Buffer): string | undefined {
  if (bytes[0] !== F || bytes.length > 1000 || bytes.toString('latin1', 0, 5) !== 'From ') return
  return SEPARATOR.exec(bytes.toString('latin1').trimEnd())?.[1]
}

/** `>From `, with any number of marks. */
function isEscapedFrom(bytes: Buffer, from: number): boolean {
  let at = from + 1
  while (bytes[at] === GREATER) at++
  return bytes.toString('latin1', at, at + 5) === 'From '
}

const isEmpty = (bytes: Buffer, from: number, to: number): boolean =>
  to === from || (to - from === 1 && bytes[from] === NEWLINE) || (to - from === 2 && bytes[from] === 13)

/** Removes the empty line that belongs to the separator. */
function withoutLastEmptyLine(bytes: Buffer): Buffer {
  if (bytes.subarray(-4).toString('latin1') === '\r\n\r\n') return bytes.subarray(0, -2)
  return bytes.subarray(-2).toString('latin1') === '\n\n' ? bytes.subarray(0, -1) : bytes
}
