import { isCanonicalKey, isFieldName, isName, PdppError, parseResultId, type ResultId } from '@pdpp/protocol/reading'
import type { Arguments } from './arguments.ts'

/** Names a record. Parsed from an id, a URI, or stream, key and connection. */
export interface RecordHandle {
  readonly stream: string
  readonly recordKey: string
  readonly connectionId: string | undefined
}

const RECORD = 'pdpp://record/'
const WINDOW = 'pdpp://field-window/'

/** Parses both forms of ids and record URIs. Throws if the id is malformed or contradicts `connectionId`. */
export function recordHandle(id: string, connectionId: unknown): RecordHandle {
  const parsed = id.startsWith(RECORD) ? uriRecord(id) : parseResultId(id)
  if (parsed.connectionId !== undefined && connectionId !== undefined && parsed.connectionId !== connectionId) {
    throw new PdppError('conflicting_connection_id', 'The id and connection_id name different sources.', {
      param: 'connection_id',
    })
  }
  return {
    stream: parsed.stream,
    recordKey: parsed.recordKey,
    connectionId: parsed.connectionId ?? (connectionId as string | undefined),
  }
}

export interface WindowHandle extends RecordHandle {
  readonly fieldPath: string
  readonly offsetChars?: number
  readonly limitChars?: number
}

/** The field that `read_record_field` reads, from an id and a field, from stream, key and field, or a window URI. */
export function windowHandle(args: Arguments): WindowHandle {
  const id = args['id'] as string | undefined
  if (id?.startsWith(WINDOW)) return uriWindow(id, args)
  const fieldPath = String(args['field_path'])
  if (!isFieldName(fieldPath)) throw notAField()
  if (id !== undefined) return { ...recordHandle(id, args['connection_id']), fieldPath }
  const stream = String(args['stream'] ?? '')
  const recordKey = String(args['record_id'] ?? '')
  if (!isName(stream) || !isCanonicalKey(recordKey)) throw bad('id', 'Name the record: id as a result showed it.')
  return { stream, recordKey, connectionId: args['connection_id'] as string | undefined, fieldPath }
}

const notAField = (): PdppError =>
  new PdppError('invalid_argument', 'That is not a field name.', {
    param: 'field_path',
    nextStep: 'Name a whole field of the record. An object or a list is read as its JSON.',
  })

/** Parses a percent-encoded id, or the base64url JSON of other implementations. */
function uriRecord(uri: string): ResultId {
  const handle = uri.slice(RECORD.length)
  const json = decoded(handle)
  if (json === undefined) return parseResultId(percentDecoded(handle, uri))
  const { connection_id, stream, record_id } = json
  const parts = [stream, record_id]
  if (!parts.every((part) => typeof part === 'string') || !isName(String(stream)) || !isCanonicalKey(String(record_id)))
    throw bad('id', 'That record URI names no record.')
  return {
    stream: String(stream),
    recordKey: String(record_id),
    ...(typeof connection_id === 'string' && isName(connection_id) ? { connectionId: connection_id } : {}),
  }
}

function uriWindow(uri: string, args: Arguments): WindowHandle {
  const json = decoded(uri.slice(WINDOW.length))
  const record = json && uriRecord(`${RECORD}${Buffer.from(JSON.stringify(json)).toString('base64url')}`)
  const field = json?.['field_path'] ?? json?.['field']
  if (!record || typeof field !== 'string' || !isFieldName(field))
    throw bad('id', 'That field-window URI names no field.')
  const number = (name: string) => (Number.isSafeInteger(json![name]) ? (json![name] as number) : undefined)
  const [offsetChars, limitChars] = [number('offset_chars'), number('limit_chars')]
  return {
    ...recordHandle(`${RECORD}${Buffer.from(JSON.stringify(json)).toString('base64url')}`, args['connection_id']),
    fieldPath: field,
    ...(offsetChars === undefined ? {} : { offsetChars }),
    ...(limitChars === undefined ? {} : { limitChars }),
  }
}

function decoded(handle: string): Record<string, unknown> | undefined {
  if (!/^[A-Za-z0-9_-]{8,4000}$/.test(handle)) return
  try {
    const value: unknown = JSON.parse(Buffer.from(handle, 'base64url').toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return
  }
}

function percentDecoded(text: string, uri: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw bad('id', `"${uri.slice(0, 80)}" is not a record URI.`)
  }
}

function bad(param: string, message: string): PdppError {
  return new PdppError('invalid_argument', message, {
    param,
    nextStep: 'Pass an id exactly as a result showed it: connection_id/stream:record_key.',
  })
}
