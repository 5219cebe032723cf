import { blobId, isCanonicalKey, PdppError } from '@pdpp/protocol'
import type { Handler } from 'hono'
import { mediaType, UNKNOWN_TYPE } from '../../blobs/media-type.ts'
import type { Context } from '../../context.ts'
import { withIdleTimeout } from '../../lib/timeouts.ts'
import type { HttpEnvironment } from '../environment.ts'
import { Query } from '../request/query.ts'
import { writeTarget } from './ingest.ts'

const PARAMETERS = ['connector_id', 'connection_id', 'stream', 'record_key', 'mime_type', 'json_path']
const POINTER = /^(?:\/(?:[^~/]|~[01])*)+$/
const POINTER_CHARS = 1000

/** POST /v1/blobs: stores the body as a blob. Upload it before the record that refers to it. */
export function uploadBlob(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const query = new Query(c.req.url, PARAMETERS)
    const stream = query.required('stream')
    const key = query.required('record_key')
    if (!isCanonicalKey(key))
      throw new PdppError('invalid_record_identity', 'record_key is not the key of a record.', { param: 'record_key' })
    const path = query.text('json_path') ?? '@record'
    if (path !== '@record' && (path.length > POINTER_CHARS || !POINTER.test(path)))
      throw new PdppError('invalid_argument', 'json_path must be @record or a JSON pointer such as /content.', {
        param: 'json_path',
      })
    const target = await writeTarget(context, c.get('authority').subjectId, stream, query)
    const type = mediaType(query.text('mime_type') ?? sentType(c.req.header('content-type')))
    const length = c.req.header('content-length')
    const blob = await context.blobs.put(
      { ...target, key, path },
      {
        bytes: withIdleTimeout((c.req.raw.body ?? []) as AsyncIterable<Uint8Array>, context.requestMs, stalled),
        mimeType: type === UNKNOWN_TYPE ? undefined : type,
        declaredBytes: length === undefined ? undefined : Number(length),
      },
    )
    return c.json({
      object: 'blob',
      blob_id: blobId(blob.sha256),
      sha256: blob.sha256,
      size_bytes: blob.sizeBytes,
      mime_type: type === UNKNOWN_TYPE ? (blob.mimeType ?? type) : type,
    })
  }
}

/** Ignores the form type, which tools such as curl send by default for any bytes. */
const sentType = (header: string | undefined): string | undefined =>
  mediaType(header) === 'application/x-www-form-urlencoded' ? undefined : header

function stalled(): PdppError {
  return new PdppError('request_timeout', 'The upload stalled, so nothing was saved.', {
    nextStep: 'Send the whole blob again. Repeating it is safe.',
  })
}
