/** Writes a whole number below 2^31 as a varint. Returns the position after it. There must be room. */
export function putVarint(bytes: Uint8Array, at: number, value: number): number {
  let to = at
  let rest = value
  for (; rest > 127; rest >>>= 7) bytes[to++] = (rest & 127) | 128
  bytes[to++] = rest
  return to
}

/** Appends numbers and bytes to a buffer that grows. */
export class ByteWriter {
  bytes: Uint8Array
  length = 0

  constructor(capacity = 1024) {
    this.bytes = new Uint8Array(capacity)
  }

  reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return
    const grown = new Uint8Array(Math.max(this.bytes.length * 2, this.length + more))
    grown.set(this.bytes.subarray(0, this.length))
    this.bytes = grown
  }

  byte(value: number): void {
    if (this.length === this.bytes.length) this.reserve(1)
    this.bytes[this.length++] = value
  }

  /**
   * A whole number from 0 to 2^53 in groups of seven bits, the lowest first. The high bit of a byte tells that more
   * bytes follow.
   */
  varint(value: number): void {
    if (this.length + 8 > this.bytes.length) this.reserve(8)
    let rest = value
    for (; rest >= 2 ** 31; rest = Math.floor(rest / 128)) this.bytes[this.length++] = (rest % 128) | 128
    this.length = putVarint(this.bytes, this.length, rest)
  }

  /** A whole number of either sign: 0, -1, 1, -2, 2 become 0, 1, 2, 3, 4. */
  signed(value: number): void {
    this.varint(value < 0 ? -value * 2 - 1 : value * 2)
  }

  /** Four bytes, the lowest first. */
  fourBytes(value: number): void {
    this.reserve(4)
    for (let shift = 0; shift < 32; shift += 8) this.bytes[this.length++] = (value >>> shift) & 255
  }

  append(bytes: Uint8Array, from = 0, to = bytes.length): void {
    this.reserve(to - from)
    const own = this.bytes
    const { length } = this
    // For a few bytes, which is the usual case, a loop is faster than `set`.
    if (to - from < 32) for (let at = from; at < to; at++) own[length + at - from] = bytes[at]!
    else own.set(bytes.subarray(from, to), length)
    this.length = length + to - from
  }

  /** Returns a copy of the written bytes. */
  finish(): Uint8Array {
    return this.bytes.slice(0, this.length)
  }
}

export class ByteReader {
  readonly bytes: Uint8Array
  at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes
    this.at = at
  }

  varint(): number {
    let byte = this.bytes[this.at++]!
    if (byte < 128) return byte
    let value = byte & 127
    for (let shift = 7; shift < 28; shift += 7) {
      byte = this.bytes[this.at++]!
      value |= (byte & 127) << shift
      if (byte < 128) return value
    }
    for (let scale = 2 ** 28; byte > 127; scale *= 128) {
      byte = this.bytes[this.at++]!
      value += (byte & 127) * scale
    }
    return value
  }

  /**
   * Reads signed numbers and stores their running sums until `sums` is full. Uses local variables, because there are
   * millions of numbers.
   */
  differences(sums: Float64Array): void {
    const { bytes } = this
    let { at } = this
    let sum = 0
    for (let next = 0; next < sums.length; next++) {
      let byte = bytes[at++]!
      let value = byte & 127
      for (let shift = 7; byte > 127 && shift < 28; shift += 7) {
        byte = bytes[at++]!
        value |= (byte & 127) << shift
      }
      for (let scale = 2 ** 28; byte > 127; scale *= 128) {
        byte = bytes[at++]!
        value += (byte & 127) * scale
      }
      sum += (value & 1) === 1 ? -(value + 1) / 2 : value / 2
      sums[next] = sum
    }
    this.at = at
  }

  take(length: number): Uint8Array {
    this.at += length
    return this.bytes.subarray(this.at - length, this.at)
  }
}
