/** Bytes that arrive in pieces, taken in the pieces that are wanted. */
export class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>
  #held: Buffer = Buffer.alloc(0)
  #ended = false

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** This many, or what is left. */
  async upTo(count: number): Promise<Buffer> {
    const pieces = [this.#held]
    let have = this.#held.length
    while (have < count && !this.#ended) {
      const piece = await this.#next()
      if (!piece) break
      pieces.push(piece)
      have += piece.length
    }
    const all = pieces.length === 1 ? this.#held : Buffer.concat(pieces)
    this.#held = all.subarray(count)
    return all.subarray(0, count)
  }

  /** Whatever is at hand, at most this many; empty at the end. */
  async some(most: number): Promise<Buffer> {
    while (this.#held.length === 0) {
      const piece = await this.#next()
      if (!piece) return this.#held
      this.#held = piece
    }
    const taken = this.#held.subarray(0, most)
    this.#held = this.#held.subarray(taken.length)
    return taken
  }

  async atEnd(): Promise<boolean> {
    while (this.#held.length === 0) {
      const piece = await this.#next()
      if (!piece) return true
      this.#held = piece
    }
    return false
  }

  async #next(): Promise<Buffer | undefined> {
    if (this.#ended) return
    const { done, value } = await this.#source.next()
    if (!done) return Buffer.from(value.buffer, value.byteOffset, value.length)
    this.#ended = true
    return
  }
}
