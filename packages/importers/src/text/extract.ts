import { isUtf8 } from 'node:buffer'

/** A part of a text with its place in the file, such as a page of a PDF or a chapter of a book. */
export interface TextSection {
  readonly position: number
  readonly title?: string | undefined
  readonly text: string
}

export interface ExtractedText {
  readonly text: string
  /** Only for formats with pages, chapters or headings. */
  readonly sections?: readonly TextSection[] | undefined
  readonly title?: string | undefined
  readonly author?: string | undefined
  readonly language?: string | undefined
  /** Times as the file writes them; in RFC 3339 if the file names a zone. */
  readonly createdAt?: string | undefined
  readonly modifiedAt?: string | undefined
  /** The missing part, if the text is not complete. */
  readonly problem?: string | undefined
}

/** Extracts the text of one file format. */
interface TextExtractor {
  accepts(mediaType: string, name: string): boolean
  /** Undefined if the file has no text, such as a scan. May throw if the file is broken; that affects no other file. */
  extract(bytes: Buffer): Promise<ExtractedText | undefined>
}

/** Max. bytes of a file whose text is extracted, and max. characters that are kept. */
const MAX_FILE_BYTES = 32_000_000
const MAX_TEXT_CHARS = 1_000_000

/** Loads the code of a format and its library when the first such file comes. */
const lazily = (pattern: RegExp, load: () => Promise<TextExtractor['extract']>): TextExtractor => ({
  accepts: (mediaType) => pattern.test(mediaType),
  extract: async (bytes) => (await load())(bytes),
})

const html = lazily(
  /^(text\/html|application\/xhtml\+xml)$/i,
  async () => (await import('./html-document.ts')).htmlDocument,
)
const pdf = lazily(/^application\/pdf$/i, async () => (await import('./pdf.ts')).pdfText)
const docx = lazily(/wordprocessingml\.document$/i, async () => (await import('./docx.ts')).docxText)
const odt = lazily(/opendocument\.text$/i, async () => (await import('./odt.ts')).odtText)
const epub = lazily(/^application\/epub\+zip$/i, async () => (await import('./epub.ts')).epubText)

const plain: TextExtractor = {
  accepts: (mediaType) => /^text\/|^application\/(json|xml)$/i.test(mediaType),
  extract: async (bytes) => ({ text: decoded(bytes) }),
}

/** The first extractor that accepts a file gets it. */
const EXTRACTORS: readonly TextExtractor[] = [html, pdf, docx, odt, epub, plain]

/** The text of a file that came with a record. Undefined if it has none, or if its format is not supported. */
export const extractText = async (...file: Parameters<typeof textOf>): Promise<ExtractedText | undefined> =>
  (await textOf(...file)).found

/** The text of a file, or the reason why it cannot be read. Neither, if the format is not supported or has no text. */
export async function textOf(
  bytes: Buffer,
  { mediaType, name = '' }: { mediaType: string; name?: string | undefined },
): Promise<{ found?: ExtractedText | undefined; problem?: string | undefined }> {
  const extractor = EXTRACTORS.find((each) => each.accepts(mediaType, name))
  if (!extractor) return {}
  if (bytes.length > MAX_FILE_BYTES)
    return { problem: `has more than ${MAX_FILE_BYTES} bytes, so its text is not read` }
  try {
    const found = await extractor.extract(bytes)
    const text = found && tidied(found.text)
    const isEmpty = text === undefined || text === ''
    return { found: isEmpty ? undefined : { ...found, text }, problem: found?.problem }
  } catch (error) {
    return { problem: `has a text that cannot be read: ${(error as Error).message.split('\n', 1)[0]!.slice(0, 160)}` }
  }
}

const tidied = (text: string): string =>
  text.replaceAll('\u0000', '').replaceAll('\r\n', '\n').slice(0, MAX_TEXT_CHARS).toWellFormed().trim()

/** Decodes as UTF-8 if the bytes are valid, otherwise as windows-1252, in which every byte is a letter. */
const decoded = (bytes: Buffer): string => new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252').decode(bytes)
