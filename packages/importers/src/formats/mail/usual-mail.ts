import { isAscii, isUtf8 } from 'node:buffer'
import { type Attachment, addressParser, decodeWords, type Email } from 'postal-mime'

/** The parts of a parsed mail that the importer uses. */
export type MailContent = Pick<
  Email,
  | 'headers'
  | 'from'
  | 'sender'
  | 'to'
  | 'cc'
  | 'bcc'
  | 'subject'
  | 'messageId'
  | 'inReplyTo'
  | 'references'
  | 'text'
  | 'html'
  | 'attachments'
>

type Header = Email['headers'][number]

interface Part {
  readonly headers: readonly Header[]
  readonly body: Buffer
}

interface Structured {
  readonly value: string
  readonly params: ReadonlyMap<string, string>
}

const MAX_HEAD_BYTES = 262_144
const MAX_DEPTH = 4
const MAX_PARTS = 200
const HEADER_LINE = /^[!-9;-~]+:/
const STRUCTURED = /^\s*([\w.+-]+(?:\/[\w.+-]+)?)((?:\s*;\s*[\w-]+=(?:"[^"\\]*"|[^\s;"()<>@,\\/[\]?=]+))*)\s*;?\s*$/
const PARAMETER = /;\s*([\w-]+)=(?:"([^"]*)"|([^\s;"]+))/g
const BASE64 = /^[A-Za-z0-9+/\r\n]*={0,2}\s*$/
const CHARSETS = new Set(['utf-8', 'us-ascii', 'iso-8859-1', 'iso-8859-15', 'windows-1252'])
const NOTHING: Structured = { value: '', params: new Map() }

/** Thrown and caught in this file only. */
class Unusual extends Error {}

/**
 * Parses a mail of the usual structure at once: one text, or alternatives of one text, and attached files. Returns
 * undefined for any other mail; the library then parses it line by line, which costs ten times as much. A test compares
 * the results of both.
 */
export function usualMail(bytes: Buffer): MailContent | undefined {
  try {
    const root = partOf(bytes)
    const collector = new Collector()
    collector.add(root, undefined, false, 0)
    return { ...addressed(root.headers), ...collector.content(), headers: [...root.headers] }
  } catch (error) {
    if (error instanceof Unusual) return
    throw error
  }
}

function partOf(bytes: Buffer): Part {
  const [plain, wide] = [bytes.indexOf('\n\n'), bytes.indexOf('\n\r\n')]
  const end = plain === -1 ? wide : wide === -1 ? plain : Math.min(plain, wide)
  if (end === -1 || end > MAX_HEAD_BYTES) throw new Unusual()
  const head = bytes.subarray(0, end)
  if (!isUtf8(head)) throw new Unusual()
  return { headers: headersOf(head.toString('utf8')), body: bytes.subarray(end + (end === plain ? 2 : 3)) }
}

function headersOf(head: string): Header[] {
  const lines: string[] = []
  for (const line of head.split('\n')) {
    const text = line.endsWith('\r') ? line.slice(0, -1) : line
    if (text.includes('\r')) throw new Unusual()
    if (HEADER_LINE.test(text)) lines.push(text)
    else if (lines.length > 0 && (text.startsWith(' ') || text.startsWith('\t'))) lines[lines.length - 1] += text
    else throw new Unusual()
  }
  return lines.map((line) => {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon)
    return { key: name.toLowerCase(), originalKey: name, value: line.slice(colon + 1).replace(/^[ \t]+|[ \t]+$/g, '') }
  })
}

const headerIn = (headers: readonly Header[], name: string): string | undefined =>
  headers.find(({ key }) => key === name)?.value

function structured(text: string | undefined): Structured {
  if (text === undefined || text === '') return NOTHING
  const match = STRUCTURED.exec(text)
  if (!match) throw new Unusual()
  const params = new Map<string, string>()
  for (const [, name, quoted, bare] of match[2]!.matchAll(PARAMETER)) {
    const key = name!.toLowerCase()
    if (!params.has(key)) params.set(key, quoted ?? bare!)
  }
  return { value: match[1]!.toLowerCase(), params }
}

/** Collects the text and the files of a mail. A second text, or a type that needs special treatment, is unusual. */
class Collector {
  readonly #attachments: Attachment[] = []
  readonly #texts = new Map<'plain' | 'html', string>()
  #group: Part | undefined
  #parts = 0

  add(part: Part, alternative: Part | undefined, isRelated: boolean, depth: number): void {
    if (depth > MAX_DEPTH || ++this.#parts > MAX_PARTS) throw new Unusual()
    const type = structured(headerIn(part.headers, 'content-type') ?? 'text/plain')
    const disposition = structured(headerIn(part.headers, 'content-disposition'))
    if (/^multipart\//.test(type.value)) {
      const inside = type.value === 'multipart/alternative' ? part : alternative
      for (const child of childrenOf(part, type.params.get('boundary')))
        this.add(child, inside, isRelated || type.value === 'multipart/related', depth + 1)
    } else if (/^text\/(plain|html)$/.test(type.value) && disposition.value !== 'attachment')
      this.#addText(part, type, disposition, alternative ?? part)
    else this.#addFile(part, type, disposition, isRelated)
  }

  content(): Pick<MailContent, 'text' | 'html' | 'attachments'> {
    const [text, html] = [this.#texts.get('plain'), this.#texts.get('html')]
    return { ...(text ? { text } : {}), ...(html ? { html } : {}), attachments: this.#attachments }
  }

  #addText(part: Part, { value, params }: Structured, disposition: Structured, group: Part): void {
    const kind = value === 'text/html' ? 'html' : 'plain'
    const isPlainlyText = disposition === NOTHING && !params.has('name') && !params.has('format')
    if (!isPlainlyText || this.#texts.has(kind) || (this.#group ?? group) !== group) throw new Unusual()
    this.#group = group
    const bytes = decodedBody(part)
    const charset = params.get('charset')?.toLowerCase()
    if (charset === undefined ? !isAscii(bytes) : !CHARSETS.has(charset)) throw new Unusual()
    this.#texts.set(kind, new TextDecoder(charset).decode(bytes).replaceAll('\r\n', '\n'))
  }

  #addFile({ headers, body }: Part, type: Structured, disposition: Structured, isRelated: boolean): void {
    // The library changes calendars, mails inside mails, and line breaks of unencoded files.
    const isSimple =
      /^[\w.+-]+\/[\w.+-]+$/.test(type.value) && !/^(message\/|text\/calendar|application\/ics)/.test(type.value)
    if (!isSimple || encodingIn(headers) !== 'base64') throw new Unusual()
    const name = disposition.params.get('filename') ?? type.params.get('name')
    this.#attachments.push({
      filename: name ? decodeWords(name) : null,
      mimeType: type.value,
      disposition: (disposition.value || null) as Attachment['disposition'],
      ...(isRelated && headerIn(headers, 'content-id') ? { related: true } : {}),
      content: fromBase64(body),
    })
  }
}

/** The parts between the boundaries. Every boundary must be there. */
function childrenOf({ body }: Part, boundary: string | undefined): Part[] {
  if (boundary === undefined || boundary === '') throw new Unusual()
  const mark = `--${boundary}`
  const children: Part[] = []
  let start = -1
  for (let at = body.indexOf(mark); at !== -1; at = body.indexOf(mark, at + 1)) {
    if (at > 0 && body[at - 1] !== 10) continue
    const rest = /^(--)?(\r?\n|$)/.exec(body.toString('latin1', at + mark.length, at + mark.length + 4))
    if (!rest) throw new Unusual()
    if (start !== -1) children.push(partOf(withoutLineEnd(body.subarray(start, at))))
    if (children.length > MAX_PARTS) throw new Unusual()
    if (rest[1]) return children
    start = at + mark.length + rest[0].length
  }
  throw new Unusual()
}

function withoutLineEnd(bytes: Buffer): Buffer {
  const end = bytes.length - (bytes.at(-1) !== 10 ? 0 : bytes.at(-2) === 13 ? 2 : 1)
  return bytes.subarray(0, end)
}

const encodingIn = (headers: readonly Header[]): string =>
  (headerIn(headers, 'content-transfer-encoding') ?? '7bit').toLowerCase()

function decodedBody({ headers, body }: Part): Buffer {
  const encoding = encodingIn(headers)
  if (encoding === 'base64') return fromBase64(body)
  if (encoding === 'quoted-printable') return fromQuotedPrintable(body)
  if (!/^(7bit|8bit|binary)$/.test(encoding)) throw new Unusual()
  return body
}

function fromBase64(body: Buffer): Buffer {
  const text = body.toString('latin1')
  if (!BASE64.test(text)) throw new Unusual()
  return Buffer.from(text, 'base64')
}

function fromQuotedPrintable(body: Buffer): Buffer {
  const text = body.toString('latin1')
  if (!text.includes('=')) return body
  const plain = text.replace(/=(?:\r?\n|$|([0-9A-Fa-f]{2}))/g, (_, hex?: string) =>
    hex === undefined ? '' : String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(plain, 'latin1')
}

function addressed(headers: readonly Header[]): Omit<MailContent, 'headers' | 'attachments'> {
  const first = (name: string) => {
    const value = headerIn(headers, name)
    return value ? addressParser(value)[0] : undefined
  }
  const all = (name: string) =>
    headers.filter(({ key, value }) => key === name && value !== '').flatMap(({ value }) => addressParser(value))
  const words = (name: string) => {
    const value = headerIn(headers, name)
    return value ? decodeWords(value) : undefined
  }
  const found = {
    from: first('from'),
    sender: first('sender'),
    to: all('to'),
    cc: all('cc'),
    bcc: all('bcc'),
    subject: words('subject'),
    messageId: words('message-id'),
    inReplyTo: words('in-reply-to'),
    references: words('references'),
  }
  return Object.fromEntries(
    Object.entries(found).filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0)),
  )
}
