import { createHash } from 'node:crypto'
import mime from 'mime'
import type { ImportedBlob, ImportInput } from '../importer.ts'
import { type ExtractedText, textOf } from '../text/extract.ts'

/** Max. bytes of a file that becomes a blob, and max. bytes of a file that is held in memory to extract its text. */
const MAX_BLOB_BYTES = 2_000_000_000
const MAX_TEXT_BYTES = 32_000_000

const UNKNOWN_TYPE = 'application/octet-stream'

export const mediaTypeOf = (name: string): string => mime.getType(name) ?? UNKNOWN_TYPE

export interface ReadFile {
  readonly blob: ImportedBlob
  readonly text?: ExtractedText | undefined
  /** The reason why the text, or a part of it, is missing. */
  readonly textProblem?: string | undefined
}

/** Makes a blob of a file of the export, and extracts its text. Sending the blob reads the bytes a second time. */
export async function fileBlob(
  input: ImportInput,
  { path = '/blob_ref', mediaType = mediaTypeOf(input.name) } = {},
): Promise<ReadFile | { tooLarge: number }> {
  const hash = createHash('sha256')
  const held: Uint8Array[] = []
  let size = 0
  for await (const chunk of input.open()) {
    hash.update(chunk)
    size += chunk.length
    if (size <= MAX_TEXT_BYTES) held.push(chunk)
    else held.length = 0
    if (size > MAX_BLOB_BYTES) return { tooLarge: size }
  }
  const open = () => input.open()
  const blob = { path, sha256: hash.digest('hex'), sizeBytes: size, mimeType: mediaType, open }
  if (size > MAX_TEXT_BYTES)
    return { blob, textProblem: `has more than ${MAX_TEXT_BYTES} bytes, so its text is not read` }
  const { found, problem } = await textOf(Buffer.concat(held), { mediaType, name: input.name })
  return { blob, text: found, textProblem: problem }
}
