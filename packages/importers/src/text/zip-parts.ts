import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'

/** Max. files in a document, and max. bytes of one file. Documents with larger texts are attacks or very rare. */
const MAX_PARTS = 20_000
const MAX_PART_BYTES = 64_000_000
const MAX_ALL_BYTES = 128_000_000

/** The files inside a zipped document. Nothing is unpacked to disk. */
export class ZipParts {
  readonly #zip: ZipFile
  readonly #entries: ReadonlyMap<string, Entry>
  #read = 0

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip
    this.#entries = entries
  }

  static async of(bytes: Buffer): Promise<ZipParts> {
    const zip = await fromBufferPromise(bytes, { autoClose: false })
    const entries = new Map<string, Entry>()
    for await (const entry of zip.eachEntry()) {
      entries.set(entry.fileName.replace(/^\//, ''), entry)
      if (entries.size > MAX_PARTS) throw new Error(`it has more than ${MAX_PARTS} files inside`)
    }
    return new ZipParts(zip, entries)
  }

  get names(): readonly string[] {
    return [...this.#entries.keys()]
  }

  /** The text of a part. Undefined if the document has no such part. */
  async text(name: string): Promise<string | undefined> {
    const entry = this.#entries.get(name)
    if (!entry) return
    if (entry.isEncrypted()) throw new Error('it is protected with a password')
    if (entry.uncompressedSize > MAX_PART_BYTES || this.#read + entry.uncompressedSize > MAX_ALL_BYTES)
      throw new Error(`its part ${name} would grow to ${entry.uncompressedSize} bytes`)
    const chunks: Uint8Array[] = []
    for await (const chunk of (await this.#zip.openReadStreamPromise(entry)) as AsyncIterable<Uint8Array>) {
      this.#read += chunk.length
      if (this.#read > MAX_ALL_BYTES) throw new Error(`its part ${name} makes the document too large`)
      chunks.push(chunk)
    }
    const bytes = Buffer.concat(chunks)
    const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
    return new TextDecoder(isWide ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8').decode(bytes)
  }
}
