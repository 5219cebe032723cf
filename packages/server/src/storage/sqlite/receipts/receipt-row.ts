import { hash } from 'node:crypto'
import { decodeNumbers, encodeNumbers } from '../../../lib/delta-encoding.ts'
import type { Receipt, StoredReceipt } from '../../../receipts/receipt-store.ts'
import type { TextIds } from '../engine/text-ids.ts'

export interface ReceiptRow {
  sequence: number
  subject_id: string
  at: number
  client: number | null
  grant_id: string | null
  surface: number
  operation: number
  connector: number | null
  stream: number | null
  connections: number
  fields: number
  records: Uint8Array
  bytes: number
  outcome: number
  request_id: string
  hash: Uint8Array
  continues: number
}

/** Lists of names as JSON. Reads of one scope share their lists. */
const LISTS = new WeakMap<readonly string[], string>()

function listJson(list: readonly string[]): string {
  const known = LISTS.get(list)
  if (known !== undefined) return known
  const json = JSON.stringify(list)
  LISTS.set(list, json)
  return json
}

const quoted = (text: string | undefined): string => (text === undefined ? 'null' : JSON.stringify(text))

/** The bytes that are hashed, if they are as few as nearly always. */
const hashed = Buffer.allocUnsafe(8192)
const MAX_UTF8_BYTES = 3

/**
 * Covers the whole receipt, with texts instead of their ids, which differ between files: the previous hash, and the
 * members as a list in JSON.
 */
export function receiptHash(previous: Uint8Array, receipt: Receipt, numbers = encodeNumbers(receipt.records)): Buffer {
  const { at, subjectId, clientId, grantId, surface, operation, connectorKey, stream, bytes, outcome } = receipt
  // Added only if true, so that receipts of earlier versions keep their hashes.
  const continues = receipt.continues ? ',"continues"' : ''
  const json =
    `[${at},${quoted(subjectId)},${quoted(clientId)},${quoted(grantId)},${quoted(surface)},${quoted(operation)},` +
    `${quoted(connectorKey)},${quoted(stream)},${listJson(receipt.connections)},${listJson(receipt.fields)},` +
    `"${numbers.toString('base64')}",${bytes},${quoted(outcome)},${quoted(receipt.requestId)}${continues}]`
  if (previous.length + json.length * MAX_UTF8_BYTES > hashed.length)
    return hash('sha256', Buffer.concat([previous, Buffer.from(json)]), 'buffer')
  hashed.set(previous)
  const end = previous.length + hashed.write(json, previous.length)
  return hash('sha256', hashed.subarray(0, end), 'buffer')
}

export function toValues(receipt: Receipt, textIds: TextIds, hash: Uint8Array, records: Uint8Array): unknown[] {
  const optional = (text: string | undefined) => (text === undefined ? null : textIds.id(text))
  const [first, last] =
    receipt.records.length === 0 ? [null, null] : [Math.min(...receipt.records), Math.max(...receipt.records)]
  return [
    receipt.subjectId,
    receipt.at,
    optional(receipt.clientId),
    receipt.grantId ?? null,
    textIds.id(receipt.surface),
    textIds.id(receipt.operation),
    optional(receipt.connectorKey),
    optional(receipt.stream),
    textIds.id(listJson(receipt.connections)),
    textIds.id(listJson(receipt.fields)),
    records,
    first,
    last,
    receipt.bytes,
    textIds.id(receipt.outcome),
    receipt.requestId,
    hash,
    receipt.continues ? 1 : 0,
  ]
}

export function fromRow(row: ReceiptRow, textIds: TextIds): StoredReceipt {
  const optional = (id: number | null) => (id === null ? undefined : textIds.text(id))
  return {
    sequence: row.sequence,
    at: row.at,
    subjectId: row.subject_id,
    clientId: optional(row.client),
    grantId: row.grant_id ?? undefined,
    surface: textIds.text(row.surface),
    operation: textIds.text(row.operation),
    connectorKey: optional(row.connector),
    stream: optional(row.stream),
    connections: JSON.parse(textIds.text(row.connections)),
    fields: JSON.parse(textIds.text(row.fields)),
    records: decodeNumbers(row.records),
    bytes: row.bytes,
    outcome: textIds.text(row.outcome),
    requestId: row.request_id,
    ...(row.continues === 1 ? { continues: true } : {}),
    hash: Buffer.from(row.hash).toString('hex'),
  }
}
