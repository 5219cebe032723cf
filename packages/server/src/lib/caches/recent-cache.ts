/**
 * A map that forgets entries that were not used for a while. It keeps two generations; when the young one is full, the
 * old one is dropped. Unlike in `LruCache`, a look-up changes nothing, so it costs no more than in a map.
 */
export class RecentCache<K, V> {
  #young = new Map<K, V>()
  #old = new Map<K, V>()
  readonly #half: number

  /** Keeps at most `capacity` entries, and always the last half of them. */
  constructor(capacity: number) {
    this.#half = Math.ceil(capacity / 2)
  }

  get size(): number {
    return this.#young.size + this.#old.size
  }

  get(key: K): V | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young
    const old = this.#old.get(key)
    return old === undefined ? undefined : this.set(key, old)
  }

  set(key: K, value: V): V {
    if (this.#young.size >= this.#half && !this.#young.has(key)) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#old.delete(key)
    this.#young.set(key, value)
    return value
  }

  clear(): void {
    this.#young.clear()
    this.#old.clear()
  }
}
