import { PdppError } from '@pdpp/protocol/reading'
import type { BytesRead } from './resource-server.ts'

const MAX_ANSWER_BYTES = 8 * 1_048_576

export async function takeText(response: Response): Promise<string> {
  return Buffer.from((await readUpTo(response, Number.POSITIVE_INFINITY)).bytes).toString('utf8')
}

/** Returns the requested range, even if the server sends everything. Does not wait for bytes after the range. */
export async function takePart(response: Response, { range }: BytesRead): Promise<Part> {
  const skipped = range === undefined || response.status === 206 ? 0 : range.from
  const end = range === undefined ? Number.POSITIVE_INFINITY : skipped + range.count
  // Read one more byte, to see whether the file continues.
  const { bytes, ended } = await readUpTo(response, end + 1)
  const [length, span] = [response.headers.get('content-length'), response.headers.get('content-range')]
  const total = response.status === 206 ? numberIn(/\/(\d{1,15})$/, span) : numberIn(/^(\d{1,15})$/, length)
  return { bytes: bytes.subarray(skipped, end), total: response.status !== 206 && ended ? bytes.length : total }
}

export interface Part {
  readonly bytes: Uint8Array
  /** Size of the whole file, if known. */
  readonly total: number | undefined
}

function numberIn(pattern: RegExp, text: string | null): number | undefined {
  const found = pattern.exec(text ?? '')?.[1]
  return found === undefined ? undefined : Number(found)
}

/** Reads until there are `enough` bytes or the body ends. Throws above 8 MB, to bound memory. */
async function readUpTo(response: Response, enough: number): Promise<{ bytes: Uint8Array; ended: boolean }> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > MAX_ANSWER_BYTES) throw new PdppError('resource_limit', 'The server answered with more than 8 MB.')
    chunks.push(chunk)
    if (size >= enough) return { bytes: Buffer.concat(chunks), ended: false }
  }
  return { bytes: Buffer.concat(chunks), ended: true }
}
