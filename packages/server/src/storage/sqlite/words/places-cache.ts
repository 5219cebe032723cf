/** Max. bytes of places that one thread caches. */
const MAX_BYTES = 12 * 1024 * 1024

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
    this.#bytes += places.length
    for (const [oldest, { length }] of this.#known) {
      if (this.#bytes <= MAX_BYTES || oldest === name) break
      this.#known.delete(oldest)
      this.#bytes -= length
    }
    return places
  }
}
