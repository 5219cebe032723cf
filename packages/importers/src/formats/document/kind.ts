/** The media types of documents that have text. */
export type DocumentType = keyof typeof FORMATS

export const FORMATS = {
  'application/pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/epub+zip': 'epub',
  'text/html': 'html',
} as const

const ZIP = Buffer.from('PK\u0003\u0004')
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

/** Recognises a document by its first bytes and ignores its name. */
export function documentType(bytes: Buffer, text: string | undefined): DocumentType | undefined {
  if (bytes.subarray(0, 1024).includes('%PDF-')) return 'application/pdf'
  if (bytes.subarray(0, ZIP.length).equals(ZIP)) return zipType(bytes)
  return text !== undefined && isHtml(text) ? 'text/html' : undefined
}

/**
 * OpenDocument and EPUB files begin with an entry that names their type. A Word document has its text in a folder named
 * `word`.
 */
function zipType(bytes: Buffer): DocumentType | undefined {
  const start = bytes.subarray(0, 200).toString('latin1')
  if (/mimetype.{0,40}application\/epub\+zip/s.test(start)) return 'application/epub+zip'
  // Spreadsheets and templates have longer types.
  if (/mimetype.{0,40}application\/vnd\.oasis\.opendocument\.text(?![-.])/s.test(start))
    return 'application/vnd.oasis.opendocument.text'
  return /word\/(?:document\d*|styles|_rels\/document\d*)\.xml/.test(bytes.toString('latin1')) ? DOCX : undefined
}

function isHtml(text: string): boolean {
  const start = text
    .slice(0, 4096)
    .replace(/^\uFEFF/, '')
    .replace(/^(?:\s|<!--[\s\S]*?-->|<\?xml[^>]*>)+/, '')
  if (/^<(?:!doctype\s+html|html[\s>])/i.test(start)) return true
  return (
    /^<(?:head|body|title|meta|h[1-6]|div|p|table|article|section|main)[\s>]/i.test(start) && /<\/\w+\s*>/.test(start)
  )
}
