import { BYTES_PER_ARRAY, CACHE_BYTES } from '../../cache-limits.ts'

/** Caches encoded places by term and segment. The oldest are dropped first. */
export class PlacesCache {
  readonly #known = new Map<string, Uint8Array>()
  #bytes = 0

  get(term: string, segment: number, read: () => Uint8Array): Uint8Array {
    const name = `${segment} ${term}`
    const known = this.#known.get(name)
    if (known) return known
    const places = read()
    this.#known.set(name, places)
    this.#bytes += BYTES_PER_ARRAY + places.length
    for (const [oldest, { length }] of this.#known) {
      if (this.#bytes <= CACHE_BYTES.places || oldest === name) break
      this.#known.delete(oldest)
      this.#bytes -= BYTES_PER_ARRAY + length
    }
    return places
  }
}
