import { declaredFields, PdppError, WINDOW_CHARS } from '@pdpp/protocol'
import type { Handler } from 'hono'
import { blobText } from '../../blobs/blob-text.ts'
import type { Context } from '../../context.ts'
import type { ReadAuthority } from '../../grants/authority.ts'
import { requireUsable } from '../../grants/enforce.ts'
import { includesField, type ReadScope } from '../../grants/read-scope.ts'
import { type ReadFile, readField, textFieldOf } from '../../records/field-window/field-window-service.ts'
import { fittingWindow, windowRoom } from '../../records/field-window/fitting-window.ts'
import { recordRoute } from '../../records/render.ts'
import type { HttpEnvironment } from '../environment.ts'
import { disclosureOf } from '../guards/read-receipts.ts'
import { Query } from '../request/query.ts'
import { sendJson, withMeta } from '../response/json-response.ts'
import { streamAuthority } from './stream-read.ts'

const PARAMETERS = [
  'field',
  'offset_chars',
  'limit_chars',
  'q',
  'before_chars',
  'after_chars',
  'result_bytes',
  'connection_id',
  'connector_id',
]

/** GET /v1/streams/{stream}/records/{id}/field-window */
export function readFieldWindow(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const query = new Query(c.req.url, PARAMETERS)
    const field = query.required('field')
    const target = {
      stream: c.req.param('stream')!,
      connectionId: query.connectionId,
      connectorKey: query.text('connector_id'),
    }
    const authority = await streamAuthority(context, c, target)
    const granted = await context.records.scope(authority, target)
    requireUsable(granted, field, 'field')
    const scope = await context.records.scope(authority, { ...target, fields: [field, ...textField(granted, field)] })
    const window = readWindow(query)
    const record = await context.records.find(scope, c.req.param('id')!)
    const file =
      declaredFields(scope.stream).get(field) === 'blob'
        ? await readFile(context, authority, { scope, key: record.key, field })
        : undefined
    const measure = query.resultBytes === undefined ? undefined : windowRoom(query.resultBytes, scope, record, field)
    const read = fittingWindow(window.limitChars, measure, (limitChars) =>
      readField(scope, record, field, { ...window, limitChars }, file),
    )
    const body = withMeta(query, {
      object: 'field_window',
      url: query.path,
      stream: scope.stream.name,
      record_id: record.key,
      connection_id: record.connectionId,
      connector_key: scope.connectorKey,
      field: read.field,
      ...(read.window === null
        ? {
            read_with: {
              method: 'GET',
              route: recordRoute(scope, record.key),
              fields: [field],
              connection_id: record.connectionId,
            },
          }
        : {}),
      window: read.window,
    })
    return sendJson(c, JSON.stringify(body), disclosureOf(scope, [record.number]))
  }
}

/** The file that the field refers to, through the one connection that the record was found in. */
async function readFile(
  context: Context,
  authority: ReadAuthority,
  { scope, key, field }: { readonly scope: ReadScope; readonly key: string; readonly field: string },
): Promise<ReadFile | undefined> {
  try {
    const pointer = `/${field.replaceAll('~', '~0').replaceAll('/', '~1')}`
    const found = await context.blobs.ofRecord(authority, scope, key, pointer)
    return {
      mediaType: found.mimeType,
      sizeBytes: found.referred.blob.sizeBytes,
      text: await blobText(found, context.requestMs),
    }
  } catch (error) {
    // If the bytes are missing, the field still shows the reference itself.
    if (error instanceof PdppError && error.code === 'blob_not_found') return
    throw error
  }
}

/** The field with the extracted text of a file, if it is granted. Used if the file itself cannot be shown as text. */
function textField(scope: ReadScope, field: string): string[] {
  const name = textFieldOf(scope, field)
  return name !== undefined && includesField(scope.usable, name) ? [name] : []
}

function readWindow(query: Query) {
  const q = query.text('q')
  const offsetChars = query.integer('offset_chars', { min: 0 })
  const context = { min: 0, max: WINDOW_CHARS.context }
  const [beforeChars, afterChars] = [query.integer('before_chars', context), query.integer('after_chars', context)]
  if (q !== undefined && offsetChars !== undefined) throw invalidWindow('Give q or offset_chars, not both.', 'q')
  if (q === undefined && (beforeChars ?? afterChars) !== undefined)
    throw invalidWindow('before_chars and after_chars need q.', 'before_chars')
  const limitChars =
    query.text('limit_chars') === undefined ? undefined : query.clamped('limit_chars', { min: 1, ...WINDOW_CHARS })
  return { q, offsetChars, beforeChars, afterChars, limitChars }
}

function invalidWindow(message: string, param: string): PdppError {
  return new PdppError('invalid_window', message, { param })
}
