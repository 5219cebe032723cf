import { PdppError } from '@pdpp/protocol'
import type { FoundBlob } from '../../blobs/blob-service.ts'
import { byteRange, matchesTag } from '../../blobs/byte-range.ts'
import { contentDisposition } from '../../blobs/file-name.ts'
import { isShownInline } from '../../blobs/media-type.ts'
import { abortOnError } from '../../http/response/abort-on-error.ts'
import type { Http } from '../environment.ts'
import { disclosureOf } from '../guards/read-receipts.ts'

interface SendBlob {
  readonly idleMs: number
  /** Forces a download. By default, only harmless types are shown inline. */
  readonly disposition?: 'attachment'
}

/**
 * Streams a blob: all of it or one range (RFC 9110 section 14); no bytes for HEAD, or if the client already has this
 * version. The headers prevent a browser from executing any of it.
 */
export async function sendBlob(c: Http, found: FoundBlob, { idleMs, disposition }: SendBlob): Promise<Response> {
  const { scope, referred, mimeType, fileName } = found
  const { sha256, sizeBytes: size } = referred.blob
  const tag = `"${sha256}"`
  c.set('disclosures', [disclosureOf(scope, [referred.record.number])])
  c.set('bytes', 0)
  c.header('ETag', tag)
  c.header('Accept-Ranges', 'bytes')
  protect(c)
  if (matchesTag(c.req.header('if-none-match'), tag)) return c.body(null, 304)
  const range = rangeApplies(c, tag) ? byteRange(c.req.header('range'), size) : undefined
  if (range === 'unsatisfiable') {
    c.header('Content-Range', `bytes */${size}`)
    throw new PdppError('range_not_satisfiable', `The range is outside the blob, which has ${size} bytes.`, {
      param: 'Range',
    })
  }
  const { from, to } = range ?? { from: 0, to: size - 1 }
  if (range) c.header('Content-Range', `bytes ${from}-${to}/${size}`)
  c.header('Content-Type', mimeType)
  c.header('Content-Length', String(to + 1 - from))
  c.header(
    'Content-Disposition',
    contentDisposition(disposition ?? (isShownInline(mimeType) ? 'inline' : 'attachment'), fileName),
  )
  const status = range ? 206 : 200
  if (c.req.method === 'HEAD' || size === 0) return c.body(null, status)
  const stream = await referred.open({ from, to }, idleMs)
  if (!stream)
    throw new PdppError('api_error', 'The bytes of this blob are missing from the disk of the server.', {
      nextStep: 'Ask the owner of the server to import the file again: that restores the bytes.',
    })
  c.set('bytes', to + 1 - from)
  return c.body(abortOnError(c, stream), status)
}

/**
 * True if a range applies: If-Range must be absent or name this version (RFC 9110 section 13.1.5). Dates never match.
 */
function rangeApplies(c: Http, tag: string): boolean {
  const expected = c.req.header('if-range')
  return expected === undefined || expected.trim() === tag
}

function protect(c: Http): void {
  c.header('X-Content-Type-Options', 'nosniff')
  c.header('Content-Security-Policy', "default-src 'none'; sandbox; frame-ancestors 'none'")
  c.header('Cross-Origin-Resource-Policy', 'same-origin')
  c.header('Referrer-Policy', 'no-referrer')
}
