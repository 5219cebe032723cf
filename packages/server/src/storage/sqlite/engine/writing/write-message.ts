import { parseJson } from '@pdpp/protocol'
import { fromCloneable, toCloneable } from '../../../../lib/threads/cloneable.ts'
import type { ThreadError } from '../../../../lib/threads/thread-error.ts'
import type { BlobUse, RecordWrite } from '../../../../records/record-store.ts'
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

/** Records cross as JSON: less work than cloning their members, and long numbers keep their digits. */
interface PackedRecord {
  readonly key: string
  readonly emittedAt: number
  readonly json: string | undefined
  readonly blobs: readonly BlobUse[] | undefined
}

const hasRecords = ({ store, method }: WriteCall): boolean => store === 'records' && method === 'write'

export function packCall(call: WriteCall): WriteCall {
  const { store, method, values } = call
  if (!hasRecords(call)) return { store, method, values: values.map(toCloneable) }
  const [target, records, ...others] = values
  return { store, method, values: [target, (records as RecordWrite[]).map(packRecord), ...others] }
}

export function unpackCall(call: WriteCall): WriteCall {
  if (!hasRecords(call)) return { ...call, values: call.values.map(fromCloneable) }
  const [target, records, ...others] = call.values
  return { ...call, values: [target, (records as PackedRecord[]).map(unpackRecord), ...others] }
}

function packRecord({ key, emittedAt, data }: RecordWrite): PackedRecord {
  return { key, emittedAt, json: data && JSON.stringify(data.members), blobs: data?.blobs }
}

function unpackRecord({ key, emittedAt, json, blobs }: PackedRecord): RecordWrite {
  const data = json === undefined ? undefined : { members: parseJson(json) as Record<string, unknown>, blobs }
  return { key, emittedAt, data }
}
