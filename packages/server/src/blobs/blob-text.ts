import type { FoundBlob } from './blob-service.ts'
import { isTextual } from './media-type.ts'

/** A longer file is described: a part of it can be had as bytes. */
const MAX_TEXT_BYTES = 4_194_304

/** What is written in a file, where it is one of text and not too long; undefined for any other. */
export async function blobText({ referred, mimeType }: FoundBlob, idleMs: number): Promise<string | undefined> {
  const { sizeBytes } = referred.blob
  if (!isTextual(mimeType) || sizeBytes > MAX_TEXT_BYTES) return
  if (sizeBytes === 0) return ''
  const stream = await referred.open({ from: 0, to: sizeBytes - 1 }, idleMs)
  if (!stream) return
  const bytes = Buffer.from(await new Response(stream).arrayBuffer())
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    return
  }
}
