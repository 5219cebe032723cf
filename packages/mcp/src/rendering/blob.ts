import { objectOf, textOf } from '../resource-server/envelope.ts'
import { grouped, shortLine } from './preview.ts'

/** A reference to a blob, as records have it. */
export interface BlobValue {
  readonly id: string
  readonly mediaType: string
  readonly bytes: number | undefined
}

/** What can stand in a command as it is. */
const PLAIN = /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,199}$/

/** By its shape: whatever the field is called. */
export function blobOf(value: unknown): BlobValue | undefined {
  const { blob_id: id, sha256, size_bytes: size, mime_type: type } = objectOf(value)
  if (typeof id !== 'string' || (sha256 === undefined && size === undefined)) return
  return {
    id,
    // Nothing is claimed that the record does not say: the file itself may be known better.
    mediaType: shortLine(textOf(type) ?? 'file', 100),
    bytes: typeof size === 'number' ? size : undefined,
  }
}

/** One, or as many as a list has and nothing else. */
export function blobsOf(value: unknown): BlobValue[] {
  if (!Array.isArray(value)) return [blobOf(value)].filter((blob) => blob !== undefined)
  const blobs = value.map(blobOf).filter((blob) => blob !== undefined)
  return blobs.length === value.length ? blobs : []
}

const MAX_SAID = 5

/** `2 files: image/png, 70 bytes; image/gif, 9 bytes` */
export function blobsText(blobs: readonly BlobValue[]): string {
  if (blobs.length === 1) return blobText(blobs[0]!)
  const more = blobs.length > MAX_SAID ? '; …' : ''
  return `${grouped(blobs.length)} files: ${blobs.slice(0, MAX_SAID).map(blobText).join('; ')}${more}`
}

/** `application/pdf, 5,018 bytes` */
export function blobText({ mediaType, bytes }: BlobValue): string {
  return bytes === undefined ? mediaType : `${mediaType}, ${grouped(bytes)} bytes`
}

/** What an id may be made of to stand in a command as it is. */
const PLAIN_ID = /^[A-Za-z0-9][A-Za-z0-9_.:/@%=,+-]{0,700}$/

/** The command that shows bytes which stand in the record itself, encoded as base64. */
export function fieldCommand(id: string, field: string, providerUrl: string): string | undefined {
  if (!PLAIN_ID.test(id) || !PLAIN.test(field)) return
  return `pdpp read record ${providerUrl} ${id} --fields ${field} --json`
}

/** The command that saves it (001.4.1), for whoever has the terminal; undefined where the names could be more than names. */
export function blobCommand(id: string, connectionId: string | undefined, providerUrl: string): string | undefined {
  if (!PLAIN.test(id) || (connectionId !== undefined && !PLAIN.test(connectionId))) return
  const connection = connectionId === undefined ? '' : ` --connection ${connectionId}`
  return `pdpp read blob ${providerUrl} ${id}${connection} --output <file>`
}
