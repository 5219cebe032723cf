import { isUtf8 } from 'node:buffer'
import {
  type BlobPath,
  beyondDouble,
  blobPaths,
  canonicalKey,
  type ErrorCode,
  isDeeper,
  type JsonMeasure,
  MAX_RECORD_DEPTH,
  mayHoldLongNumbers,
  PdppError,
  parseInstant,
  parseJson,
  RECORD_BYTES,
  type RecordCheck,
  rawNumber,
  type StreamDeclaration,
  withPlainNumbers,
} from '@pdpp/protocol'
import { blobUses } from '../blobs/blob-uses.ts'
import type { RecordWrite } from '../records/record-store.ts'

/** A refusal is a value and not thrown, so that one bad row does not stop the others. */
export interface Refusal {
  readonly code: ErrorCode
  readonly message: string
  readonly key?: string | undefined
}

export type ReadLine = { readonly write: RecordWrite } | { readonly refusal: Refusal } | 'blank'

/** Max. bytes of JSON per measured character. */
const MAX_BYTES_PER_CHAR = 6

/** Reads one NDJSON line `{key, data, emitted_at, op}` into a write, checking it against its stream. */
export class RecordLineReader {
  readonly #stream: StreamDeclaration
  readonly #check: RecordCheck
  readonly #blobPaths: readonly BlobPath[]
  readonly #now = Date.now()

  constructor(stream: StreamDeclaration, check: RecordCheck) {
    this.#stream = stream
    this.#check = check
    this.#blobPaths = blobPaths(stream)
  }

  read(bytes: Buffer): ReadLine {
    if (!isUtf8(bytes)) return refuse('invalid_utf8', 'The line is not UTF-8.')
    const text = bytes.toString('utf8')
    if (text.trim() === '') return 'blank'
    // Checked before parsing, because a line full of brackets takes long to parse.
    if (text.length > MAX_RECORD_DEPTH && isDeeper(text, MAX_RECORD_DEPTH)) return tooDeep()
    const longNumbers = mayHoldLongNumbers(text)
    let row: unknown
    try {
      row = longNumbers ? parseJson(text) : JSON.parse(text)
    } catch {
      return refuse('malformed_ndjson', 'The line is not valid JSON.')
    }
    if (!isObject(row)) return refuse('malformed_ndjson', 'The line is not a JSON object.')
    return this.#readRow(row, longNumbers, text.length)
  }

  /** Reads a row that was never a line. The same limits apply. */
  readObject(row: Readonly<Record<string, unknown>>, { chars, depth, hasRawNumbers }: JsonMeasure): ReadLine {
    if (depth > MAX_RECORD_DEPTH) return tooDeep()
    if (chars * MAX_BYTES_PER_CHAR > RECORD_BYTES) {
      const bytes = Buffer.byteLength(JSON.stringify(row))
      if (bytes > RECORD_BYTES) return lineTooLong(bytes)
    }
    return this.#readRow(row, hasRawNumbers, chars)
  }

  #readRow(row: Readonly<Record<string, unknown>>, longNumbers: boolean, size: number): ReadLine {
    const { op = 'upsert', data } = row
    const emittedAt = this.#emittedAt(row['emitted_at'])
    if (emittedAt === undefined) return refuse('invalid_record', 'emitted_at must be an RFC 3339 date-time.')
    if (op !== 'upsert' && op !== 'delete') return refuse('invalid_record', 'op must be "upsert" or "delete".')
    if (op === 'upsert' && !isObject(data)) return refuse('invalid_record', 'data must be an object.')
    let key: string
    try {
      key = this.#key(row['key'], isObject(data) ? data : {})
    } catch (error) {
      return refuse('invalid_record_identity', (error as PdppError).message)
    }
    if (op === 'delete') return { write: { key, emittedAt, data: undefined } }
    const tooLarge = longNumbers ? beyondDouble(data) : undefined
    if (tooLarge !== undefined) {
      const message = `${tooLarge.slice(0, 120)} is a number that is too large (the limit is about 1.8e308).`
      return refuse('invalid_record', message, key)
    }
    const problem = this.#check(longNumbers ? withPlainNumbers(data) : data, size)
    if (problem !== undefined) return refuse('invalid_record', problem, key)
    const members = data as Record<string, unknown>
    if (this.#blobPaths.length === 0) return { write: { key, emittedAt, data: { members } } }
    const blobs = blobUses(this.#blobPaths, members)
    if (typeof blobs === 'string') return refuse('invalid_record', blobs, key)
    return { write: { key, emittedAt, data: { members, blobs } } }
  }

  #emittedAt(value: unknown): number | undefined {
    if (value === undefined || value === null) return this.#now
    const micros = typeof value === 'string' ? parseInstant(value) : undefined
    return micros === undefined ? undefined : Math.floor(micros / 1000)
  }

  /** The given key must equal the record's primary key. One of the two may be missing. */
  #key(given: unknown, data: Record<string, unknown>): string {
    const names = this.#stream.primary_key
    // The usual case: one field, and the same text in both places.
    if (names.length === 1 && typeof given === 'string' && given === data[names[0]!]) return canonicalKey([given])
    const own = names.map((name) => data[name])
    const hasOwn = own.every((part) => part !== undefined && part !== null)
    const fromData = hasOwn ? canonicalKey(own.map(keyPart)) : undefined
    if (given === undefined || given === null) {
      if (fromData === undefined) throw identity(`The record has no key and no ${names.join(', ')}.`)
      return fromData
    }
    const parts = Array.isArray(given) ? given : names.length === 1 ? [given] : parseCompound(given)
    if (parts.length !== names.length) throw identity(`The key must have ${names.length} part(s): ${names.join(', ')}.`)
    const key = canonicalKey(parts.map(keyPart))
    if (fromData !== undefined && fromData !== key)
      throw identity(`The key differs from ${names.join(', ')} of the record.`)
    return key
  }
}

function parseCompound(given: unknown): unknown[] {
  try {
    const parts = typeof given === 'string' ? JSON.parse(given) : undefined
    if (Array.isArray(parts)) return parts
  } catch {}
  throw identity('The key of this stream must be an array with one value per primary key field.')
}

function keyPart(part: unknown): string | number | boolean {
  const digits = rawNumber(part)
  if (digits !== undefined) return digits
  if (typeof part === 'string' || typeof part === 'number' || typeof part === 'boolean') return part
  throw identity('A key must consist of strings, numbers or booleans.')
}

const tooDeep = () => refuse('invalid_record', `The record is nested deeper than ${MAX_RECORD_DEPTH} levels.`)

export const lineTooLong = (bytes: number): ReadLine =>
  refuse('resource_limit', `The line has ${bytes} bytes; the limit is ${RECORD_BYTES}.`)

const identity = (message: string): PdppError => new PdppError('invalid_record_identity', message)

function refuse(code: ErrorCode, message: string, key?: string): { refusal: Refusal } {
  return { refusal: { code, message, key } }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
