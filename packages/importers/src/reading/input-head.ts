import type { Candidate, ImportInput, InputHead, InputTree } from '../importer.ts'
import { readHead } from './input-bytes.ts'
import { FileTree } from './input-tree.ts'
import { detectEncoding, looksLikeText } from './text-encoding.ts'

const HEAD_BYTES = 131_072

/** The beginning of an input. Its text is decoded only when it is used. */
export async function headOf(input: ImportInput): Promise<InputHead> {
  const bytes = await readHead(input, HEAD_BYTES)
  let text: string | undefined
  let isDecoded = false
  return {
    bytes,
    whole: bytes.length < HEAD_BYTES,
    get text() {
      if (!isDecoded && looksLikeText(bytes)) text = new TextDecoder(detectEncoding(bytes)).decode(bytes)
      isDecoded = true
      return text
    },
  }
}

export async function candidate(input: ImportInput, files: InputTree = new FileTree([input])): Promise<Candidate> {
  return { input, head: await headOf(input), files }
}
