import { ByteReader } from './bytes.ts'
import { MAX_COUNT, type Postings } from './postings-codec.ts'

/**
 * Entries per block. The bytes of a term end with the offset of each block but the first, four bytes each, so that a
 * reader can skip.
 */
export const PLACES_BLOCK = 64
const OFFSET_BYTES = 4

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

/** The places that were read last, by any reader of the thread. */
let read = new Uint32Array(MAX_COUNT)

/**
 * Reads the places of entries of one term. Places are counted in words from the start of the field, and each is written
 * as the distance to the one before. It is fastest if entries are asked for in ascending order. The result is valid
 * until the next call of any reader.
 */
export class PlacesReader {
  readonly #bytes: Uint8Array
  readonly #counts: Uint8Array
  readonly #offsets: number
  #entry = 0
  #at = 0

  constructor(bytes: Uint8Array, { counts }: Postings) {
    this.#bytes = bytes
    this.#counts = counts
    // The first block has no offset. The position is that of an imagined one for it.
    this.#offsets = bytes.length - Math.ceil(counts.length / PLACES_BLOCK) * OFFSET_BYTES
  }

  read(entry: number): Uint32Array {
    this.#seek(entry)
    let [at, place, count] = [this.#at, 0, this.#counts[entry]!]
    if (count === MAX_COUNT) {
      const reader = new ByteReader(this.#bytes, at)
      count = reader.varint()
      at = reader.at
      if (count > read.length) read = new Uint32Array(count)
    }
    for (let index = 0; index < count; index++) {
      let byte = this.#bytes[at++]!
      let step = byte & 127
      for (let shift = 7; byte > 127; shift += 7) {
        byte = this.#bytes[at++]!
        step |= (byte & 127) << shift
      }
      place += step
      read[index] = place
    }
    this.#entry = entry + 1
    this.#at = at
    return read.subarray(0, count)
  }

  #seek(entry: number): void {
    const block = Math.floor(entry / PLACES_BLOCK)
    if (entry < this.#entry || block > Math.floor(this.#entry / PLACES_BLOCK)) {
      this.#at = block === 0 ? 0 : this.#offset(block)
      this.#entry = block * PLACES_BLOCK
    }
    for (; this.#entry < entry; this.#entry++) this.#at = skipPlaces(this.#bytes, this.#at, this.#counts[this.#entry]!)
  }

  #offset(block: number): number {
    const [bytes, at] = [this.#bytes, this.#offsets + block * OFFSET_BYTES]
    return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0
  }
}
