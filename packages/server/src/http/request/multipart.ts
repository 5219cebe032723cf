import { PdppError } from '@pdpp/protocol'

const HEADER_BYTES = 16_384
const HEADER_END = Buffer.from('\r\n\r\n')

export interface FormPart {
  readonly name: string
  /** Undefined for a field of text. */
  readonly fileName: string | undefined
  /** Must be read before the next part; the unread rest is skipped. */
  readonly body: AsyncIterable<Uint8Array>
}

/** The parts of a multipart/form-data body (RFC 7578) as they arrive. Keeps only one chunk in memory. */
export function formParts(contentType: string, body: AsyncIterable<Uint8Array>): AsyncIterable<FormPart> {
  const boundary = /^multipart\/form-data\s*;.*?\bboundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType)
  if (!boundary) throw new PdppError('unsupported_media_type', 'Files must be sent as multipart/form-data.')
  return new PartReader(body, boundary[1] ?? boundary[2]!).parts()
}

/** Reads the whole text of a field. Throws if it is larger than `maxBytes`. */
export async function partText({ name, body }: FormPart, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) throw new PdppError('resource_limit', `The field "${name.slice(0, 60)}" is too long.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

class PartReader {
  readonly #source: AsyncIterator<Uint8Array>
  readonly #delimiter: Buffer
  /** Bytes that were read but not yet returned. Begins with a line break, so that the first delimiter matches too. */
  #held: Buffer = Buffer.from('\r\n')
  #atDelimiter = false

  constructor(body: AsyncIterable<Uint8Array>, boundary: string) {
    this.#source = body[Symbol.asyncIterator]()
    this.#delimiter = Buffer.from(`\r\n--${boundary}`)
  }

  async *parts(): AsyncIterable<FormPart> {
    for await (const _preamble of this.#body());
    while (await this.#hasPart()) {
      yield { ...disposition(await this.#headers()), body: this.#body() }
      // Skip the unread rest of this part.
      for await (const _rest of this.#body());
    }
  }

  /** Yields the bytes before the next delimiter, then consumes the delimiter. */
  async *#body(): AsyncIterable<Uint8Array> {
    while (!this.#atDelimiter) {
      const at = this.#held.indexOf(this.#delimiter)
      // Without a match, the last bytes may be the beginning of a delimiter, so keep them.
      const safeBytes = at === -1 ? this.#held.length - this.#delimiter.length + 1 : at
      if (safeBytes > 0) yield this.#take(safeBytes)
      if (at === -1) await this.#fill()
      else {
        this.#take(this.#delimiter.length)
        this.#atDelimiter = true
      }
    }
  }

  async #hasPart(): Promise<boolean> {
    while (this.#held.length < 2) await this.#fill()
    const end = this.#take(2).toString('latin1')
    if (end === '--') return false
    if (end !== '\r\n') throw broken()
    return true
  }

  async #headers(): Promise<string> {
    let at = this.#held.indexOf(HEADER_END)
    while (at === -1) {
      if (this.#held.length > HEADER_BYTES) throw broken()
      await this.#fill()
      at = this.#held.indexOf(HEADER_END)
    }
    this.#atDelimiter = false
    const headers = this.#take(at).toString('utf8')
    this.#take(HEADER_END.length)
    return headers
  }

  #take(bytes: number): Buffer {
    const bytesTaken = this.#held.subarray(0, bytes)
    this.#held = this.#held.subarray(bytes)
    return bytesTaken
  }

  async #fill(): Promise<void> {
    const { value, done } = await this.#source.next()
    if (done) throw broken()
    this.#held = this.#held.length === 0 ? Buffer.from(value) : Buffer.concat([this.#held, value])
  }
}

const broken = (): PdppError =>
  new PdppError('invalid_request', 'The upload ended early.', { nextStep: 'Send the files again.' })

function disposition(headers: string): { name: string; fileName: string | undefined } {
  const line = /^content-disposition:\s*form-data\s*;(.*)$/im.exec(headers)?.[1]
  const value = (parameter: string) =>
    new RegExp(`(?:^|;)\\s*${parameter}="([^"]*)"`, 'i')
      .exec(line ?? '')?.[1]
      ?.replace(/%(22|0D|0A)/gi, decodeURIComponent)
  const name = value('name')
  if (name === undefined) throw broken()
  return { name, fileName: value('filename') }
}
