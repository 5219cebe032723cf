/** The record numbers of one feed that match some limits. */
export class RecordSet {
  readonly #numbers: Uint32Array | Float64Array

  constructor(numbers: readonly number[]) {
    const isSmall = numbers.every((number) => number < 2 ** 32)
    this.#numbers = (isSmall ? Uint32Array : Float64Array).from(numbers).sort()
  }

  get size(): number {
    return this.#numbers.length
  }

  has(number: number): boolean {
    let [low, high] = [0, this.size]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#numbers[middle]! < number) low = middle + 1
      else high = middle
    }
    return this.#numbers[low] === number
  }
}
