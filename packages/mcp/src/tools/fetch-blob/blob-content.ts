import type { Media } from '../../calling/result.ts'
import { type BlobFacts, UNKNOWN } from './blob-facts.ts'

const TEXTUAL =
  /^(text\/.+|message\/rfc822|application\/(json|xml|yaml|toml|x-ndjson|javascript|sql)|.+\+(json|xml|yaml))$/
/** Image types that models accept, with their first bytes. Another type or a fake image breaks the conversation. */
const PICTURES: Readonly<Record<string, RegExp>> = {
  'image/png': /^\x89PNG\r\n/,
  'image/jpeg': /^\xff\xd8\xff/,
  'image/gif': /^GIF8[79]a/,
  'image/webp': /^RIFF.{4}WEBP/s,
}

export interface TextPart {
  readonly text: string
  /** The first and last byte of the part in the blob, after dropping incomplete characters. */
  readonly start: number
  readonly end: number
}

/** The part as text. Undefined if it is not text. A blob without a type is text if it has no control characters. */
export function textPart({ mediaType, size }: BlobFacts, bytes: Uint8Array, from: number): TextPart | undefined {
  const declared = TEXTUAL.test(mediaType)
  if (!declared && mediaType !== UNKNOWN) return
  const skipped = from === 0 ? 0 : wholeFrom(bytes)
  const last = size !== undefined && from + bytes.length >= size
  const whole = bytes.subarray(skipped, last ? bytes.length : wholeTo(bytes))
  const text = decoded(whole)
  if (text === undefined || (declared ? text.includes('\0') : /\p{Cc}/u.test(text.replace(/[\t\n\f\r]/g, '')))) return
  return { text, start: from + skipped, end: from + skipped + whole.length }
}

/** The first bytes of a part: at most `max`, and only whole characters. */
export function shortened(bytes: Uint8Array, max: number): Uint8Array {
  return bytes.length <= max ? bytes : bytes.subarray(0, wholeTo(bytes.subarray(0, max)))
}

/** The whole blob as image, audio or resource content. */
export function mediaOf({ mediaType }: BlobFacts, bytes: Uint8Array, url: string): Media {
  const data = Buffer.from(bytes).toString('base64')
  const head = Buffer.from(bytes.subarray(0, 16)).toString('latin1')
  if (PICTURES[mediaType]?.test(head)) return { type: 'image', data, mimeType: mediaType }
  if (mediaType.startsWith('audio/')) return { type: 'audio', data, mimeType: mediaType }
  // Send an image type that models do not accept without its type, so that no host treats it as an image.
  const mimeType = mediaType.startsWith('image/') ? UNKNOWN : mediaType
  return { type: 'resource', resource: { uri: url, mimeType, blob: data } }
}

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80

function wholeFrom(bytes: Uint8Array): number {
  let start = 0
  while (start < 3 && isContinuation(bytes[start])) start++
  return start
}

function wholeTo(bytes: Uint8Array): number {
  let lead = bytes.length - 1
  while (lead > bytes.length - 4 && isContinuation(bytes[lead])) lead--
  const byte = bytes[lead] ?? 0
  const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
  return lead + length > bytes.length ? lead : bytes.length
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return
  }
}
