import type { FoundBlob } from './blob-service.ts'
import { isTextual } from './media-type.ts'

/** Max. bytes of a file that is returned as text. Longer files are described and can be read in parts. */
const MAX_TEXT_BYTES = 4_194_304

/** The content of a text file. Undefined if the file is not text or is too long. */
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
