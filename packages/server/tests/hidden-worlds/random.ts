/** Numbers that are the same on every machine for one seed (mulberry32). */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }

  chance(share: number): boolean {
    return this.below(1_000) < share * 1_000
  }

  of<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!
  }

  some<T>(choices: readonly T[]): T[] {
    return choices.filter(() => this.chance(0.5))
  }
}
