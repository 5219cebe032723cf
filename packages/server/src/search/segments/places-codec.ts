import { ByteReader, ByteWriter } from './bytes.ts'
import { MAX_COUNT, type Postings } from './postings-codec.ts'

/** Entries per block. The bytes begin with the offset of each block, four bytes each, so that a reader can skip. */
const BLOCK = 64
const OFFSET_BYTES = 4

/** Places are counted in words from the start of the field. Each is written as the distance to the one before. */
export class PlacesEncoder {
  readonly #writer = new ByteWriter()
  #offsets: number[] = []
  #entries = 0

  /** Begins the next entry. Then come its places. */
  #begin(): void {
    if (this.#entries++ % BLOCK === 0) this.#offsets.push(this.#writer.length)
  }

  add(places: ArrayLike<number>, from: number, to: number): void {
    this.#begin()
    // A count of 255 stands for more, so the number of places comes first.
    if (to - from >= MAX_COUNT) this.#writer.varint(to - from)
    let last = 0
    for (let at = from; at < to; at++) {
      this.#writer.varint(places[at]! - last)
      last = places[at]!
    }
  }

  /** Copies an entry as another encoder wrote it. */
  copy(bytes: Uint8Array, from: number, to: number): void {
    this.#begin()
    this.#writer.append(bytes, from, to)
  }

  finish(): Uint8Array {
    const head = this.#offsets.length * OFFSET_BYTES
    const bytes = new Uint8Array(head + this.#writer.length)
    const view = new DataView(bytes.buffer)
    for (const [block, offset] of this.#offsets.entries()) view.setUint32(block * OFFSET_BYTES, offset, true)
    bytes.set(this.#writer.bytes.subarray(0, this.#writer.length), head)
    this.#writer.length = 0
    this.#offsets = []
    this.#entries = 0
    return bytes
  }
}

/** Position of the first entry's bytes. */
export const placesHead = (entries: number): number => Math.ceil(entries / BLOCK) * OFFSET_BYTES

/** The position after the places of an entry with this count. */
export function skipPlaces(bytes: Uint8Array, from: number, count: number): number {
  let at = from
  let left = count
  if (count === MAX_COUNT) {
    const reader = new ByteReader(bytes, from)
    left = reader.varint()
    at = reader.at
  }
  while (left > 0) if (bytes[at++]! < 128) left--
  return at
}

/**
 * Reads the places of entries of one term. It is fastest if they are asked for in ascending order. The result is valid
 * until the next call.
 */
export class PlacesReader {
  readonly #bytes: Uint8Array
  readonly #counts: Uint8Array
  readonly #head: number
  #places = new Uint32Array(MAX_COUNT)
  #entry = 0
  #at: number

  constructor(bytes: Uint8Array, { counts }: Postings) {
    this.#bytes = bytes
    this.#counts = counts
    this.#head = placesHead(counts.length)
    this.#at = this.#head
  }

  read(entry: number): Uint32Array {
    this.#seek(entry)
    let [at, place, count] = [this.#at, 0, this.#counts[entry]!]
    if (count === MAX_COUNT) {
      const reader = new ByteReader(this.#bytes, at)
      count = reader.varint()
      at = reader.at
      if (count > this.#places.length) this.#places = new Uint32Array(count)
    }
    for (let index = 0; index < count; index++) {
      let byte = this.#bytes[at++]!
      let step = byte & 127
      for (let shift = 7; byte > 127; shift += 7) {
        byte = this.#bytes[at++]!
        step |= (byte & 127) << shift
      }
      place += step
      this.#places[index] = place
    }
    this.#entry = entry + 1
    this.#at = at
    return this.#places.subarray(0, count)
  }

  #seek(entry: number): void {
    const block = Math.floor(entry / BLOCK)
    if (entry < this.#entry || block > Math.floor(this.#entry / BLOCK)) {
      const offset = block * OFFSET_BYTES
      const bytes = this.#bytes
      this.#at =
        this.#head +
        (bytes[offset]! | (bytes[offset + 1]! << 8) | (bytes[offset + 2]! << 16) | (bytes[offset + 3]! << 24))
      this.#entry = block * BLOCK
    }
    for (; this.#entry < entry; this.#entry++) this.#at = skipPlaces(this.#bytes, this.#at, this.#counts[this.#entry]!)
  }
}
