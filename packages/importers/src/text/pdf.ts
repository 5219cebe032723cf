import type { ExtractedText, TextSection } from './extract.ts'
import { tidy } from './sections.ts'

/** Max. pages, characters and milliseconds for one PDF. The rest is not imported, and a problem is reported. */
const LIMITS = { maxPages: 5000, maxChars: 10_000_000, maxMilliseconds: 120_000 }

/** The text of a PDF, page by page. Undefined if no page has text, as in a scan. */
export async function pdfText(bytes: Buffer, limits = LIMITS): Promise<ExtractedText | undefined> {
  const { getDocumentProxy } = await import('unpdf')
  const pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 })
  try {
    const { sections, problem } = await pagesOf(pdf, limits)
    const { info } = (await pdf.getMetadata()) as unknown as { info: Record<string, unknown> }
    return {
      text: sections.map(({ text }) => text).join('\n\n'),
      sections,
      title: textOf(info['Title']),
      author: textOf(info['Author']),
      createdAt: pdfTime(info['CreationDate']),
      modifiedAt: pdfTime(info['ModDate']),
      problem,
    }
  } finally {
    await pdf.loadingTask.destroy()
  }
}

type Pdf = Awaited<ReturnType<typeof import('unpdf').getDocumentProxy>>

async function pagesOf(
  pdf: Pdf,
  limits: typeof LIMITS,
): Promise<{ sections: TextSection[]; problem: string | undefined }> {
  const { maxPages, maxChars, maxMilliseconds } = limits
  const sections: TextSection[] = []
  const start = performance.now()
  const broken: number[] = []
  let chars = 0
  for (let position = 1; position <= pdf.numPages; position++) {
    if (position > maxPages || chars > maxChars || performance.now() - start > maxMilliseconds) {
      const problem = `has ${pdf.numPages} pages; its text is imported up to page ${position - 1}`
      return { sections, problem }
    }
    try {
      const text = await pageText(pdf, position)
      chars += text.length
      if (text !== '') sections.push({ position, text })
    } catch {
      broken.push(position)
    }
  }
  const problem = broken.length === 0 ? undefined : `has pages that cannot be read: ${broken.slice(0, 10).join(', ')}`
  return {
    sections,
    problem:
      problem ?? (sections.length === 0 ? 'has only pictures of text, so there is nothing to search' : undefined),
  }
}

async function pageText(pdf: Pdf, position: number): Promise<string> {
  const page = await pdf.getPage(position)
  const { items } = await page.getTextContent()
  const pieces = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : ''))
  page.cleanup()
  // Replaces ligatures such as ﬁ with letters, so that searches find the words.
  return tidy(pieces.join('').normalize('NFKC'))
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? tidy(value).slice(0, 500) : undefined

/** Converts `D:20260403101500+02'00'` to RFC 3339. A time without a zone stays local. */
function pdfTime(value: unknown): string | undefined {
  const parts = /^(?:D:)?(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?(?:(Z)|([+-]\d{2})'?(\d{2})?)?/.exec(
    String(value ?? ''),
  )
  if (!parts) return
  const [year, month = '01', day = '01', hour = '00', minute = '00', second = '00', utc, hours, minutes = '00'] =
    parts.slice(1)
  const offset = utc ? 'Z' : hours === undefined ? '' : `${hours}:${minutes}`
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`
}
