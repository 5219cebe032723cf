/** Reads a stream of chunks in sizes that the caller chooses. */
export class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>
  #buffered: Buffer = Buffer.alloc(0)
  #ended = false

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** Returns `count` bytes, or fewer at the end of the stream. */
  async upTo(count: number): Promise<Buffer> {
    const pieces = [this.#buffered]
    let have = this.#buffered.length
    while (have < count && !this.#ended) {
      const piece = await this.#next()
      if (!piece) break
      pieces.push(piece)
      have += piece.length
    }
    const all = pieces.length === 1 ? this.#buffered : Buffer.concat(pieces)
    this.#buffered = all.subarray(count)
    return all.subarray(0, count)
  }

  /** Returns the bytes that have arrived, at most `max` of them. The result is empty at the end of the stream. */
  async some(max: number): Promise<Buffer> {
    while (this.#buffered.length === 0) {
      const piece = await this.#next()
      if (!piece) return this.#buffered
      this.#buffered = piece
    }
    const bytes = this.#buffered.subarray(0, max)
    this.#buffered = this.#buffered.subarray(bytes.length)
    return bytes
  }

  async atEnd(): Promise<boolean> {
    while (this.#buffered.length === 0) {
      const piece = await this.#next()
      if (!piece) return true
      this.#buffered = piece
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
