import { blobCommand } from '../../rendering/blob.ts'
import { grouped, shortLine } from '../../rendering/safe-text.ts'
import type { Part } from '../../resource-server/answer-body.ts'
import type { BytesReply } from '../../resource-server/resource-server.ts'
import type { BlobHandle } from './blob-handle.ts'

/** Facts from the headers of `/v1/blobs`. The name is untrusted and is put on one line. */
export interface BlobFacts {
  readonly mediaType: string
  readonly fileName: string | undefined
  readonly sha256: string | undefined
  /** Undefined if the server does not report it. */
  readonly size: number | undefined
}

/** A reply that is not an error. */
export type ReceivedBlob = BytesReply & { readonly part: Part }

export function blobFacts({ header, part }: ReceivedBlob): BlobFacts {
  return {
    mediaType:
      /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}/.exec(header('content-type') ?? '')?.[0].toLowerCase() ?? UNKNOWN,
    fileName: fileName(header('content-disposition') ?? ''),
    sha256: /^"([0-9a-f]{64})"$/.exec(header('etag') ?? '')?.[1],
    size: part.total,
  }
}

export const UNKNOWN = 'application/octet-stream'

/** RFC 6266: the UTF-8 name takes precedence over the ASCII name. */
function fileName(disposition: string): string | undefined {
  const full = /filename\*=UTF-8''([\w%.~!#$&+^`|-]+)/i.exec(disposition)?.[1]
  const plain = /filename="([^"]*)"/i.exec(disposition)?.[1]
  const name = (full === undefined ? undefined : decodedName(full)) ?? plain
  return name === undefined || name === '' ? undefined : shortLine(name, 150)
}

function decodedName(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return
  }
}

/** For example `blob_…: plan.pdf, application/pdf, 5,018 bytes`. */
export function factsText({ blob_id }: BlobHandle, { mediaType, fileName, sha256, size }: BlobFacts): string {
  const parts = [
    fileName,
    mediaType,
    size === undefined ? 'size unknown' : `${grouped(size)} bytes`,
    // Our own ids contain the hash.
    sha256 === undefined || blob_id.includes(sha256) ? undefined : `sha256 ${sha256}`,
  ]
  return `${blob_id}: ${parts.filter((part) => part !== undefined).join(', ')}.`
}

/** The same facts as structured output, with the address of the bytes. */
export function factsMembers(handle: BlobHandle, { mediaType, fileName, sha256, size }: BlobFacts, url: string) {
  return {
    ...handle,
    media_type: mediaType,
    ...(size === undefined ? {} : { size_bytes: size }),
    ...(fileName === undefined ? {} : { file_name: fileName }),
    ...(sha256 === undefined ? {} : { sha256 }),
    url,
  }
}

export function exportOf({ blob_id, connection_id }: BlobHandle, url: string, providerUrl: string) {
  const command = blobCommand(blob_id, connection_id, providerUrl)
  return { ...(command === undefined ? {} : { command }), url }
}
