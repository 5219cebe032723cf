import { PdppError } from '@pdpp/protocol'
import type { Transport } from '../environment.ts'

/** A body of bounded size, whole. */
export async function bodyText(c: Transport, maxBytes: number): Promise<string> {
  // The length that a request declares is kept by the parser, and without a stream the text is there much sooner.
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
