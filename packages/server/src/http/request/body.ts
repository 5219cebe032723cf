import { PdppError } from '@pdpp/protocol'
import type { Transport } from '../environment.ts'

/** Reads the whole body as text. Throws if it is larger than `maxBytes`. */
export async function bodyText(c: Transport, maxBytes: number): Promise<string> {
  // Node's parser enforces Content-Length, so no counting is needed; reading without a stream is much faster.
  const declared = Number(c.req.header('content-length') ?? Number.NaN)
  if (declared <= maxBytes) return c.req.text()
  if (declared > maxBytes) throw tooLarge(maxBytes)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (c.req.raw.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function tooLarge(maxBytes: number): PdppError {
  return new PdppError('resource_limit', `The body may have at most ${maxBytes} bytes.`)
}
