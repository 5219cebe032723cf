import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { isCanonicalKey } from '@pdpp/protocol'
import PostalMime, { type Address, decodeWords } from 'postal-mime'
import type { ImportedBlob } from '../../importer.ts'
import { blobOf, blobReference } from '../../reading/blob.ts'
import { readTime } from '../../reading/times.ts'
import { htmlText } from '../../text/html-text.ts'
import { withReadableLetters } from './eight-bit.ts'
import { type MailContent, usualMail } from './usual-mail.ts'

/** Facts about a message that the mailbox stores outside of it. */
export interface MailboxInfo {
  readonly folder: string | undefined
  readonly isRead?: boolean | undefined
  readonly isFlagged?: boolean | undefined
  /** The delivery time in the mbox separator. */
  readonly delivered?: string | undefined
}

export interface ReadMessage {
  readonly id: string
  readonly message: Readonly<Record<string, unknown>>
  readonly attachments: readonly Attachment[]
  /** The number of files in the mail. Not all of them may be imported. */
  readonly fileCount: number
  /** Text that identifies the message in any file. */
  readonly content: string
  readonly faults: readonly string[]
}

interface Attachment {
  readonly data: Readonly<Record<string, unknown>>
  readonly blob: ImportedBlob
}

/** Max. characters of a text. Nobody writes more; longer ones are mailed logs. */
const MAX_TEXT_CHARS = 4_000_000
const MAX_RAW_BYTES = 1_000_000
const MAX_FILE_TEXT_BYTES = 200_000
const MAX_RECIPIENTS = 2000
const MAX_ATTACHMENTS = 1000

export async function readMessage(bytes: Buffer, around: MailboxInfo): Promise<ReadMessage> {
  const readable = withReadableLetters(bytes)
  const email = usualMail(readable) ?? (await PostalMime.parse(readable))
  const faults: string[] = []
  const sentAt = sentTime(email, around.delivered, faults)
  const text = bodyText(email, bytes, faults)
  const files = email.attachments.slice(0, MAX_ATTACHMENTS).map(describeFile)
  const from = mailboxes(email.from ? [email.from] : email.sender ? [email.sender] : [])[0]
  const content = JSON.stringify([
    from?.address,
    header(email, 'date'),
    email.subject,
    text,
    files.map(({ data }) => data.sha256),
  ])
  const id = messageKey(email.messageId) ?? `sha256-${bytesHash(bytes)}`
  const attachments = files.map(({ data, blob }, at) => ({
    data: { id: `${id}/${at + 1}`, message_id: id, ...data, sent_at: sentAt },
    blob,
  }))
  return {
    id,
    content,
    faults,
    attachments,
    fileCount: email.attachments.length,
    message: {
      id,
      thread_id: threadOf(email) ?? id,
      in_reply_to: messageKey(email.inReplyTo) ?? null,
      subject: cleaned(email.subject),
      from_name: cleaned(from?.name),
      from_address: cleaned(from?.address),
      to: people(email.to),
      cc: people(email.cc),
      bcc: people(email.bcc),
      sent_at: sentAt,
      folder: around.folder ?? null,
      labels: labelsOf(email),
      text,
      is_read: around.isRead ?? statusHas(email, 'status', 'R'),
      is_flagged: around.isFlagged ?? statusHas(email, 'x-status', 'F'),
      has_attachments: files.some(({ data }) => !data.is_inline),
      attachment_count: files.filter(({ data }) => !data.is_inline).length,
      size_bytes: bytes.length,
    },
  }
}

/** Ignores line breaks and the empty lines at the end, because they differ between files with the same mail. */
function bytesHash(bytes: Buffer): string {
  const text = bytes.toString('latin1').replaceAll('\r\n', '\n').replace(/\n+$/, '')
  return createHash('sha256').update(text, 'latin1').digest('hex')
}

const header = (email: MailContent, name: string): string | undefined =>
  email.headers.find(({ key }) => key === name)?.value

/** The time in the Date header, otherwise the time of arrival, otherwise the time of delivery to the file. */
function sentTime(email: MailContent, delivered: string | undefined, faults: string[]): string | null {
  const written = header(email, 'date')
  const own = written === undefined ? undefined : mailTime(written)
  if (own) return own
  if (written !== undefined && written.trim() !== '')
    faults.push(`has the date "${written.trim().slice(0, 60)}", which cannot be read`)
  const received = header(email, 'received')?.split(';').at(-1)
  return mailTime(received) ?? mailTime(delivered) ?? null
}

function mailTime(text: string | undefined): string | undefined {
  if (text === undefined) return
  // A date may contain comments and doubled spaces (RFC 5322 section 3.2.2).
  const plain = text
    .slice(0, 200)
    .replace(/\([^()]*\)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const time = readTime('named', plain) ?? readTime('iso', plain) ?? readTime('ymd', plain)
  return time && !time.isDate ? time.text : undefined
}

function bodyText(email: MailContent, bytes: Buffer, faults: string[]): string | null {
  const plain = email.text?.trim()
  const readable = cleaned(plain ? plain : email.html === undefined ? undefined : htmlText(email.html))
  const text = readable ?? (email.attachments.length === 0 ? rawText(email, bytes, faults) : null)
  if (text === null || text.length <= MAX_TEXT_CHARS) return text
  faults.push(`has a text of ${text.length} characters; it was cut after ${MAX_TEXT_CHARS}`)
  return text.slice(0, MAX_TEXT_CHARS).toWellFormed()
}

/** The raw text of a mail in which the parser found nothing, because headers or announced boundaries are missing. */
function rawText(email: MailContent, bytes: Buffer, faults: string[]): string | null {
  const raw = decoded(bytes.subarray(0, MAX_RAW_BYTES))
  const named = email.headers.some(({ key }) => /^[a-z][a-z0-9-]*$/.test(key) && raw.toLowerCase().includes(`${key}:`))
  const gap = /\r?\n\s*\r?\n/.exec(raw)
  const text = cleaned(!named ? raw : gap ? raw.slice(gap.index) : '')
  if (text !== null) faults.push('is not built as a mail should be; its text is kept as it came')
  return text
}

/** Decodes as UTF-8 if the bytes are valid, otherwise as windows-1252, in which every byte is a letter. */
const decoded = (bytes: Buffer): string => new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252').decode(bytes)

function cleaned(text: string | undefined): string | null {
  if (text === undefined) return null
  const clean = text.replaceAll('\u0000', '').replaceAll('\r\n', '\n').toWellFormed().trim()
  return clean === '' ? null : clean
}

/** A message id is in angle brackets, which old programs omit. */
function messageKey(text: string | undefined): string | undefined {
  const id = (/<([^<>]+)>/.exec(text ?? '')?.[1] ?? text ?? '').trim()
  return id !== '' && !/[\p{Cc}]/u.test(id) && Buffer.byteLength(id) <= 400 && isCanonicalKey(id) ? id : undefined
}

/** The first message that the replies refer to begins the conversation (RFC 5322 section 3.6.4). */
function threadOf(email: MailContent): string | undefined {
  const first = /<[^<>]+>|\S+/.exec(email.references ?? '')?.[0]
  return messageKey(first) ?? messageKey(email.inReplyTo)
}

function mailboxes(addresses: readonly Address[] | undefined): { name: string; address: string }[] {
  return (addresses ?? []).flatMap((entry) =>
    entry.group ? entry.group : [{ name: entry.name, address: entry.address }],
  )
}

function people(addresses: readonly Address[] | undefined): string[] {
  return mailboxes(addresses)
    .map(({ name, address }) => (name && address ? `${name} <${address}>` : name || address))
    .map((text) => cleaned(text))
    .filter((text) => text !== null)
    .slice(0, MAX_RECIPIENTS)
}

function describeFile({ filename, mimeType, content, disposition, related }: MailContent['attachments'][number]) {
  const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content as Uint8Array)
  const blob = blobOf('/blob_ref', bytes, mimeType || 'application/octet-stream')
  const data = {
    filename: cleaned(filename ?? undefined),
    media_type: blob.mimeType,
    size_bytes: bytes.length,
    sha256: blob.sha256,
    is_inline: disposition === 'inline' || related === true,
    extracted_text: fileText(mimeType, bytes),
    blob_ref: blobReference(blob),
  }
  return { data, blob }
}

/** The text of an attachment that is text, so that it can be searched like the mail. */
function fileText(mimeType: string, bytes: Buffer): string | null {
  if (!/^text\/|^application\/(json|xml)$/i.test(mimeType) || bytes.length > MAX_FILE_TEXT_BYTES) return null
  const text = decoded(bytes)
  return cleaned(/html/i.test(mimeType) ? htmlText(text) : text)
}

function labelsOf(email: MailContent): string[] {
  const lists = ['x-gmail-labels', 'keywords', 'x-keywords'].map((name) => header(email, name))
  const labels = lists.flatMap((list) => (list === undefined ? [] : decodeWords(list).split(',')))
  return [...new Set(labels.map((label) => cleaned(label)).filter((label) => label !== null))].slice(0, 100)
}

function statusHas(email: MailContent, name: string, letter: string): boolean | null {
  const status = header(email, name)
  return status === undefined ? null : status.toUpperCase().includes(letter)
}
