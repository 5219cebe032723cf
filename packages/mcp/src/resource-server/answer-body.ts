import { PdppError } from '@pdpp/protocol/reading'

const ANSWER_BYTES = 8 * 1_048_576

export async function takeText(response: Response): Promise<string> {
  return Buffer.from(await taken(response, Number.POSITIVE_INFINITY)).toString('utf8')
}

/** The asked part, also of a server that answers a range with everything; what comes after it is not waited for. */
export async function takeBytes(
  response: Response,
  range: { readonly from: number; readonly count: number } | undefined,
): Promise<Uint8Array> {
  if (range === undefined) return taken(response, Number.POSITIVE_INFINITY)
  const skipped = response.status === 206 ? 0 : range.from
  return (await taken(response, skipped + range.count)).subarray(skipped, skipped + range.count)
}

/** At least `enough` bytes where there are so many, and never more than a process should hold. */
async function taken(response: Response, enough: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > ANSWER_BYTES) throw new PdppError('resource_limit', 'The server answered with more than 8 MB.')
    chunks.push(chunk)
    if (size >= enough) break
  }
  return Buffer.concat(chunks)
}
