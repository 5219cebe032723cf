import { objectOf, textOf } from '../resource-server/envelope.ts'
import { grouped, shortLine } from './safe-text.ts'

/** A reference to a blob in a record. */
export interface BlobValue {
  readonly id: string
  readonly mediaType: string
  readonly bytes: number | undefined
}

/** Names that need no quotes in a shell command. */
const PLAIN = /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,199}$/

/** Recognises a blob reference by its members, under any field name. */
export function blobOf(value: unknown): BlobValue | undefined {
  const { blob_id: id, sha256, size_bytes: size, mime_type: type } = objectOf(value)
  if (typeof id !== 'string' || (sha256 === undefined && size === undefined)) return
  return {
    id,
    // Use a neutral word if the record names no type, because the file itself may have a better one.
    mediaType: shortLine(textOf(type) ?? 'file', 100),
    bytes: typeof size === 'number' ? size : undefined,
  }
}

/** The blob references of a value: one, or a list that contains only references. */
export function blobsOf(value: unknown): BlobValue[] {
  if (!Array.isArray(value)) return [blobOf(value)].filter((blob) => blob !== undefined)
  const blobs = value.map(blobOf).filter((blob) => blob !== undefined)
  return blobs.length === value.length ? blobs : []
}

const MAX_LISTED = 5

/** For example `2 files: image/png, 70 bytes; image/gif, 9 bytes`. */
export function blobsText(blobs: readonly BlobValue[]): string {
  if (blobs.length === 1) return blobText(blobs[0]!)
  const more = blobs.length > MAX_LISTED ? '; …' : ''
  return `${grouped(blobs.length)} files: ${blobs.slice(0, MAX_LISTED).map(blobText).join('; ')}${more}`
}

/** For example `application/pdf, 5,018 bytes`. */
export function blobText({ mediaType, bytes }: BlobValue): string {
  return bytes === undefined ? mediaType : `${mediaType}, ${grouped(bytes)} bytes`
}

/** Ids that need no quotes in a shell command. */
const PLAIN_ID = /^[A-Za-z0-9][A-Za-z0-9_.:/@%=,+-]{0,700}$/

/** The command that prints bytes that the record itself contains as base64. Undefined if a name would need quotes. */
export function fieldCommand(id: string, field: string, providerUrl: string): string | undefined {
  if (!PLAIN_ID.test(id) || !PLAIN.test(field)) return
  return `pdpp read record ${providerUrl} ${id} --fields ${field} --json`
}

/** The command that saves a blob (001.4.1), for a person with a terminal. Undefined if a name would need quotes. */
export function blobCommand(id: string, connectionId: string | undefined, providerUrl: string): string | undefined {
  if (!PLAIN.test(id) || (connectionId !== undefined && !PLAIN.test(connectionId))) return
  const connection = connectionId === undefined ? '' : ` --connection ${connectionId}`
  return `pdpp read blob ${providerUrl} ${id}${connection} --output <file>`
}

const BASE64 = /^(?:data:([\w.+-]+\/[\w.+-]+);base64,)?([A-Za-z0-9+/_-]{256,})={0,2}$/

/** Type and size of bytes that are encoded as base64 text. Undefined for other texts. */
export function binaryOf(text: string): { mediaType: string; bytes: number } | undefined {
  const match = BASE64.exec(text)
  if (!match) return
  return { mediaType: match[1] ?? 'application/octet-stream', bytes: Math.floor((match[2]!.length * 3) / 4) }
}
