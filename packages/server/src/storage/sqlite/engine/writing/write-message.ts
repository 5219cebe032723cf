import { parseJson, rawNumber } from '@pdpp/protocol'
import { fromCloneable, toCloneable } from '../../../../lib/threads/cloneable.ts'
import type { ThreadError } from '../../../../lib/threads/thread-error.ts'
import type { BlobUse, RecordWrite, WriteOutcome } from '../../../../records/record-store.ts'
import type { WrittenFiles } from '../database.ts'
import type { StoreName } from './written-stores.ts'

/** The settings that the thread gets at its start. */
export interface WriterStart {
  readonly directory: string
}

/** One call of a method that writes. */
export interface WriteCall {
  readonly store: StoreName
  readonly method: string
  readonly values: readonly unknown[]
}

export type ToWriter = (WriteCall & { readonly id: number; readonly isLong: boolean }) | 'close'

export interface WriteAnswer {
  readonly id: number
  readonly result?: unknown
  readonly error?: ThreadError
}

export type FromWriter =
  | 'ready'
  | WriteAnswer
  /** Sent before the answer of the call that wrote. */
  | { readonly written: WrittenFiles }
  | { readonly removedBlob: string }

/** Records cross as one JSON text: less work than cloning their members, and long numbers keep their digits. */
interface PackedRecords {
  readonly keys: readonly string[]
  readonly emittedAt: Float64Array
  /** The members of each record; null deletes it. */
  readonly json: string
  /** Whether any number is kept as its digits. Otherwise the text is parsed faster. */
  readonly hasDigits: boolean
  /** Undefined if no record refers to a blob. */
  readonly blobs: readonly (readonly BlobUse[] | undefined)[] | undefined
}

const hasRecords = ({ store, method }: WriteCall): boolean => store === 'records' && method === 'write'

export function packCall(call: WriteCall): WriteCall {
  const { store, method, values } = call
  if (!hasRecords(call)) return { store, method, values: values.map(toCloneable) }
  const [target, records, ...others] = values
  return { store, method, values: [target, packRecords(records as RecordWrite[]), ...others] }
}

export function unpackCall(call: WriteCall): WriteCall {
  if (!hasRecords(call)) return { ...call, values: call.values.map(fromCloneable) }
  const [target, records, ...others] = call.values
  return { ...call, values: [target, unpackRecords(records as PackedRecords), ...others] }
}

function packRecords(records: readonly RecordWrite[]): PackedRecords {
  return {
    keys: records.map(({ key }) => key),
    emittedAt: Float64Array.from(records, ({ emittedAt }) => emittedAt),
    json: JSON.stringify(records.map(({ data }) => data?.members ?? null)),
    hasDigits: records.some(({ data }) => data !== undefined && hasRawNumbers(data.members)),
    blobs: records.some(({ data }) => data?.blobs) ? records.map(({ data }) => data?.blobs) : undefined,
  }
}

function hasRawNumbers(value: object): boolean {
  if (rawNumber(value) !== undefined) return true
  for (const name in value) {
    const member = (value as Record<string, unknown>)[name]
    if (typeof member === 'object' && member !== null && hasRawNumbers(member)) return true
  }
  return false
}

function unpackRecords({ keys, emittedAt, json, hasDigits, blobs }: PackedRecords): RecordWrite[] {
  const members = (hasDigits ? parseJson(json) : JSON.parse(json)) as (Record<string, unknown> | null)[]
  return keys.map((key, at) => {
    const own = members[at]
    const data = own ? { members: own, blobs: blobs?.[at] } : undefined
    return { key, emittedAt: emittedAt[at]!, data }
  })
}

const OUTCOMES: readonly WriteOutcome[] = ['accepted', 'unchanged', 'append_only_conflict', 'blob_not_found']

/** Outcomes of many records cross as a byte each. */
export function packResult(call: WriteCall, result: unknown): unknown {
  return hasRecords(call)
    ? Uint8Array.from(result as WriteOutcome[], (one) => OUTCOMES.indexOf(one))
    : toCloneable(result)
}

export function unpackResult(call: WriteCall, result: unknown): unknown {
  return hasRecords(call) ? Array.from(result as Uint8Array, (code) => OUTCOMES[code]) : fromCloneable(result)
}
