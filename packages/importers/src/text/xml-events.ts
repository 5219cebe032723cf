import type { QualifiedTag, SAXParser, Tag } from 'sax'

/** Callbacks for the parts of an XML text. Texts come in pieces. */
export interface XmlHandlers {
  open?(name: string, attributes: Readonly<Record<string, string>>): void
  close?(name: string): void
  text?(text: string): void
}

/** Max. nesting levels. Real files have a few dozen. */
const MAX_LEVELS = 1000

/**
 * Reads XML piece by piece. It never opens anything that the text refers to. It refuses texts that declare entities,
 * because entities can make a small file grow without end. An error names the line; everything before it was passed on.
 */
export class XmlReader {
  readonly #parser: SAXParser
  #error: Error | undefined
  #levels = 0

  /** The library is loaded when the first such file comes. */
  static async for(handlers: XmlHandlers): Promise<XmlReader> {
    const loaded = await import('sax')
    // Node puts the exports of a CommonJS module into its default export.
    const { parser } = 'default' in loaded ? (loaded.default as typeof loaded) : loaded
    return new XmlReader(parser(true, { position: true }), handlers)
  }

  private constructor(parser: SAXParser, handlers: XmlHandlers) {
    this.#parser = parser
    const fail = (reason: string) => {
      this.#error ??= new Error(`${reason} (line ${this.#parser.line + 1})`)
    }
    this.#parser.onerror = (error) => {
      fail(error.message.split('\n', 1)[0]!)
      this.#parser.error = null as unknown as Error
    }
    this.#parser.ondoctype = (doctype) => {
      if (/<!ENTITY/i.test(doctype)) fail('it declares entities, which is refused')
    }
    this.#parser.onopentag = (tag) => {
      if (++this.#levels > MAX_LEVELS) fail(`it has more than ${MAX_LEVELS} levels`)
      if (!this.#error) handlers.open?.(tag.name, attributesOf(tag))
    }
    this.#parser.onclosetag = (name) => {
      this.#levels--
      if (!this.#error) handlers.close?.(name)
    }
    const text = (piece: string) => {
      if (!this.#error) handlers.text?.(piece)
    }
    this.#parser.ontext = text
    this.#parser.oncdata = text
  }

  write(piece: string): void {
    this.#parser.write(piece)
    if (this.#error) throw this.#error
  }

  end(): void {
    this.#parser.close()
    if (this.#error) throw this.#error
  }
}

/** Reads an XML text that is in memory. */
export async function readXml(text: string, handlers: XmlHandlers): Promise<void> {
  const reader = await XmlReader.for(handlers)
  reader.write(text.replace(/^\uFEFF/, ''))
  reader.end()
}

const attributesOf = ({ attributes }: Tag | QualifiedTag): Record<string, string> =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, typeof value === 'string' ? value : value.value]),
  )
