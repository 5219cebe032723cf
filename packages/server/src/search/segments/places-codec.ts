import { ByteReader } from './bytes.ts'
import { MAX_COUNT, type Postings } from './postings-codec.ts'

/**
 * Entries per block. After the places of a term come the offsets of all blocks except the first, four bytes each, so
 * that a reader can skip blocks.
 */
export const PLACES_BLOCK = 64
const OFFSET_BYTES = 4

/** The position after the places of an entry. `count` is the count in its postings. */
export function skipPlaces(bytes: Uint8Array, from: number, count: number): number {
  let at = from
  let left = count
  if (count === MAX_COUNT) {
    const reader = new ByteReader(bytes, from)
    left = reader.varint()
    at = reader.at
  }
  // If the bytes end too early, undefined is not above 127, so the loop ends as well.
  while (left > 0) if (!(bytes[at++]! > 127)) left--
  return at
}

/**
 * Reads the places of one term. A place is the position of an occurrence in its field, counted in words from 0. Each
 * place is stored as the distance from the previous one. Reading entries in ascending order is the fastest.
 */
export class PlacesReader {
  readonly #bytes: Uint8Array
  readonly #counts: Uint8Array
  /** The position of the list's first entry in its arrays. */
  readonly #from: number
  readonly #offsets: number
  /** The next entry, counted from the first of the list, and the position of its places. */
  #entry = 0
  #at = 0
  /**
   * The places of the entry that was last read, in ascending order. Values beyond its count are remains of other
   * entries.
   */
  places: Uint32Array = new Uint32Array(8)

  constructor(bytes: Uint8Array, { counts, from, to }: Postings) {
    this.#bytes = bytes
    this.#counts = counts
    this.#from = from
    // The first block has no offset, so this position is where its offset would be.
    this.#offsets = bytes.length - Math.ceil((to - from) / PLACES_BLOCK) * OFFSET_BYTES
  }

  /** Reads the places of an entry. Returns their number. */
  read(entry: number): number {
    this.#seek(entry - this.#from)
    const bytes = this.#bytes
    let [at, place, count] = [this.#at, 0, this.#counts[entry]!]
    if (count === MAX_COUNT) {
      const reader = new ByteReader(bytes, at)
      count = reader.varint()
      at = reader.at
    }
    if (count > this.places.length) this.places = new Uint32Array(count)
    const places = this.places
    for (let index = 0; index < count; index++) {
      let byte = bytes[at++]!
      let step = byte & 127
      for (let shift = 7; byte > 127; shift += 7) {
        byte = bytes[at++]!
        step |= (byte & 127) << shift
      }
      place += step
      places[index] = place
    }
    this.#entry++
    this.#at = at
    return count
  }

  /** `entry` is counted from the first of the list. */
  #seek(entry: number): void {
    if (entry < this.#entry || entry >= this.#entry + PLACES_BLOCK) {
      const block = Math.floor(entry / PLACES_BLOCK)
      this.#at = block === 0 ? 0 : this.#offset(block)
      this.#entry = block * PLACES_BLOCK
    }
    const [bytes, counts, from] = [this.#bytes, this.#counts, this.#from]
    let [next, at] = [this.#entry, this.#at]
    for (; next < entry; next++) {
      if (counts[from + next] === 1 && bytes[at]! < 128) at++
      else at = skipPlaces(bytes, at, counts[from + next]!)
    }
    this.#entry = next
    this.#at = at
  }

  #offset(block: number): number {
    const [bytes, at] = [this.#bytes, this.#offsets + block * OFFSET_BYTES]
    return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0
  }
}
