import { isUtf8 } from 'node:buffer'
import { htmlText } from './html-text.ts'

/** A part of a text with its place in the file: a page of a PDF, a chapter of a book. */
export interface TextSection {
  readonly position: number
  readonly title?: string | undefined
  readonly text: string
}

export interface ExtractedText {
  readonly text: string
  /** Only if the format has pages, chapters or the like. */
  readonly sections?: readonly TextSection[] | undefined
  readonly title?: string | undefined
}

/** Gets the text of one format of files. */
export interface TextExtractor {
  accepts(mediaType: string, name: string): boolean
  /** Undefined if the file has no text, such as a scan. A file that is broken may throw; nobody else suffers. */
  extract(bytes: Buffer): Promise<ExtractedText | undefined>
}

/** Max. bytes of a file whose text is extracted, and max. characters that are kept of it. */
const MAX_FILE_BYTES = 32_000_000
const MAX_TEXT_CHARS = 1_000_000

const html: TextExtractor = {
  accepts: (mediaType) => /^(text\/html|application\/xhtml\+xml)$/i.test(mediaType),
  extract: async (bytes) => ({ text: htmlText(decoded(bytes)) }),
}

const plain: TextExtractor = {
  accepts: (mediaType) => /^text\/|^application\/(json|xml)$/i.test(mediaType),
  extract: async (bytes) => ({ text: decoded(bytes) }),
}

/** The first that accepts a file gets it. A library for a format is loaded when the first such file comes. */
const EXTRACTORS: readonly TextExtractor[] = [html, plain]

/** The text of a file that came with a record. Undefined if there is none, or nobody can read it. */
export async function extractText(
  bytes: Buffer,
  { mediaType, name = '' }: { mediaType: string; name?: string | undefined },
): Promise<ExtractedText | undefined> {
  const extractor = EXTRACTORS.find((each) => each.accepts(mediaType, name))
  if (!extractor || bytes.length > MAX_FILE_BYTES) return
  try {
    const found = await extractor.extract(bytes)
    const text = found && tidied(found.text)
    return text === undefined || text === '' ? undefined : { ...found, text }
  } catch {
    return
  }
}

const tidied = (text: string): string =>
  text.replaceAll('\u0000', '').replaceAll('\r\n', '\n').slice(0, MAX_TEXT_CHARS).toWellFormed().trim()

/** Decodes as UTF-8 if the bytes are valid, otherwise as windows-1252, in which every byte is a letter. */
const decoded = (bytes: Buffer): string => new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252').decode(bytes)
