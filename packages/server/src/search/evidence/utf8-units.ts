const HIGH_BITS = 0x80808080 | 0

/** True for a byte that begins no character. */
const isInside = (byte: number): boolean => (byte & 0xc0) === 0x80

/** Counts UTF-16 units of a text that is given as UTF-8. Its answers must be asked for in ascending order. */
export class UnitCounter {
  readonly #bytes: Buffer
  readonly #view: DataView
  #byte: number
  #unit: number

  /** The byte `from` is at the unit `unit`. */
  constructor(bytes: Buffer, from: number, unit: number) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.#byte = from
    this.#unit = unit
  }

  /** The unit at a byte that begins a character. */
  at(byte: number): number {
    const [bytes, view] = [this.#bytes, this.#view]
    let [at, unit] = [this.#byte, this.#unit]
    while (at < byte) {
      // Most texts are ASCII for the most part, which is counted four bytes at a time.
      if (at + 4 <= byte && (view.getUint32(at, true) & HIGH_BITS) === 0) {
        at += 4
        unit += 4
        continue
      }
      const code = bytes[at++]!
      if (!isInside(code)) unit += code >= 0xf0 ? 2 : 1
    }
    this.#byte = byte
    this.#unit = unit
    return unit
  }
}
