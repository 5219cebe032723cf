import { ByteReader, ByteWriter } from './bytes.ts'

/**
 * A run is a sequence of neighbouring documents of one edition. `slots` is the number of search fields of each
 * document.
 */
export interface Run {
  readonly edition: number
  readonly start: number
  readonly end: number
  readonly slots: number
  /** Position in `lengths` of the first document's first length. */
  readonly lengthsAt: number
}

/**
 * The documents of a segment, column by column. A document's number in the segment is its position in the columns.
 * Documents are ordered by edition, group, time and record number, so that the messages of a conversation are next to
 * each other. Threads share these arrays.
 */
export interface DocumentColumns {
  readonly count: number
  readonly runs: readonly Run[]
  /** The record's number in its stream. Segments that were read need four bytes for it, if no number is larger. */
  readonly numbers: Float64Array | Uint32Array
  /** Microseconds; `NO_TIME` if the record has none. The first is the consent time, the second the cursor field's. */
  readonly times: readonly [Float64Array, Float64Array]
  /** The length code of each search field, document by document. */
  readonly lengths: Uint8Array
  /**
   * The groups (conversations) as hashes, in the order of the documents, and the first document of each. The hash 0
   * means no group.
   */
  readonly groups: Float64Array
  readonly groupStarts: Uint32Array
}

export const NO_TIME: number = Number.NEGATIVE_INFINITY
/** Up to this number, times and their differences are exact whole numbers. */
const MAX_EXACT = 2 ** 51

/** Allocates the columns in memory that threads can share. */
export function columnsOf(count: number, runs: readonly Run[], groups: number): DocumentColumns {
  const lengths = runs.reduce((sum, { start, end, slots }) => sum + (end - start) * slots, 0)
  const floats = (length: number) => new Float64Array(new SharedArrayBuffer(length * 8))
  const first = floats(count)
  return {
    count,
    runs,
    numbers: floats(count),
    times: [first, floats(count)],
    lengths: new Uint8Array(new SharedArrayBuffer(lengths)),
    groups: floats(groups),
    groupStarts: new Uint32Array(new SharedArrayBuffer((groups + 1) * 4)),
  }
}

/** Finds the runs of documents that are added in order. */
export class RunBuilder {
  readonly #runs: { edition: number; start: number; end: number; slots: number; lengthsAt: number }[] = []
  #count = 0
  #lengths = 0

  add(edition: number, slots: number): void {
    const last = this.#runs[this.#runs.length - 1]
    const start = this.#count++
    if (last?.edition === edition) last.end = start + 1
    else this.#runs.push({ edition, start, end: start + 1, slots, lengthsAt: this.#lengths })
    this.#lengths += slots
  }

  finish(): readonly Run[] {
    return this.#runs
  }
}

export function encodeColumns({
  count,
  runs,
  numbers,
  times,
  lengths,
  groups,
  groupStarts,
}: DocumentColumns): Uint8Array {
  const writer = new ByteWriter(count * 8 + 64)
  writer.varint(count)
  writer.varint(runs.length)
  for (const { edition, start, end, slots } of runs) {
    writer.varint(edition)
    writer.varint(end - start)
    writer.varint(slots)
  }
  let last = 0
  for (let doc = 0; doc < count; doc++) {
    writer.signed(numbers[doc]! - last)
    last = numbers[doc]!
  }
  encodeTimes(writer, times[0])
  const isSame = hasSame(times[0], times[1])
  writer.byte(isSame ? 1 : 0)
  if (!isSame) encodeTimes(writer, times[1])
  writer.append(lengths)
  writer.varint(groups.length)
  for (let at = 0; at < groups.length; at++) {
    writer.varint(groups[at]!)
    writer.varint(groupStarts[at + 1]! - groupStarts[at]!)
  }
  return writer.finish()
}

export function decodeColumns(bytes: Uint8Array): DocumentColumns {
  const reader = new ByteReader(bytes)
  const [count, runCount] = [reader.varint(), reader.varint()]
  const runs: Run[] = []
  for (let [at, lengthsAt] = [0, 0]; runs.length < runCount; ) {
    const [edition, length, slots] = [reader.varint(), reader.varint(), reader.varint()]
    runs.push({ edition, start: at, end: at + length, slots, lengthsAt })
    at += length
    lengthsAt += length * slots
  }
  const numbers = decodeNumbers(reader, count)
  const first = decodeTimes(reader, count)
  const second = reader.bytes[reader.at++] === 1 ? first : decodeTimes(reader, count)
  const codes = runs.reduce((sum, { start, end, slots }) => sum + (end - start) * slots, 0)
  const lengths = new Uint8Array(new SharedArrayBuffer(codes))
  lengths.set(reader.take(codes))
  const groupCount = reader.varint()
  const groups = new Float64Array(new SharedArrayBuffer(groupCount * 8))
  const groupStarts = new Uint32Array(new SharedArrayBuffer((groupCount + 1) * 4))
  for (let at = 0; at < groupCount; at++) {
    groups[at] = reader.varint()
    groupStarts[at + 1] = groupStarts[at]! + reader.varint()
  }
  return { count, runs, numbers, times: [first, second], lengths, groups, groupStarts }
}

const MAX_SHORT_NUMBER = 2 ** 32 - 1

function decodeNumbers(reader: ByteReader, count: number): DocumentColumns['numbers'] {
  const read = new Float64Array(count)
  reader.differences(read)
  let largest = 0
  for (let doc = 0; doc < count; doc++) if (read[doc]! > largest) largest = read[doc]!
  const isShort = largest <= MAX_SHORT_NUMBER
  const numbers = isShort
    ? new Uint32Array(new SharedArrayBuffer(count * 4))
    : new Float64Array(new SharedArrayBuffer(count * 8))
  numbers.set(read)
  return numbers
}

const [DIFFERENCES, RAW] = [0, 1]

/**
 * Writes times as differences of whole numbers, with one reserved number for "no time". If a time is not exact, writes
 * all eight bytes of each.
 */
function encodeTimes(writer: ByteWriter, times: Float64Array): void {
  const isExact = areExact(times)
  writer.byte(isExact ? DIFFERENCES : RAW)
  if (isExact) {
    let last = 0
    for (let doc = 0; doc < times.length; doc++) {
      const whole = times[doc] === NO_TIME ? -MAX_EXACT : times[doc]!
      writer.signed(whole - last)
      last = whole
    }
    return
  }
  const bytes = new Uint8Array(times.length * 8)
  const view = new DataView(bytes.buffer)
  for (const [doc, time] of times.entries()) view.setFloat64(doc * 8, time, true)
  writer.append(bytes)
}

function decodeTimes(reader: ByteReader, count: number): Float64Array {
  const times = new Float64Array(new SharedArrayBuffer(count * 8))
  if (reader.bytes[reader.at++] === DIFFERENCES) {
    reader.differences(times)
    for (let doc = 0; doc < count; doc++) if (times[doc] === -MAX_EXACT) times[doc] = NO_TIME
    return times
  }
  const bytes = reader.take(count * 8)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let doc = 0; doc < count; doc++) times[doc] = view.getFloat64(doc * 8, true)
  return times
}

function areExact(times: Float64Array): boolean {
  for (let doc = 0; doc < times.length; doc++) {
    const time = times[doc]!
    if (time !== NO_TIME && !(Number.isInteger(time) && Math.abs(time) < MAX_EXACT)) return false
  }
  return true
}

function hasSame(first: Float64Array, second: Float64Array): boolean {
  for (let doc = 0; doc < first.length; doc++) if (first[doc] !== second[doc]) return false
  return true
}
