import { createHash } from 'node:crypto'
import { decodeNumbers, encodeNumbers } from '../../lib/delta-code.ts'
import type { Receipt, StoredReceipt } from '../../receipts/receipt-store.ts'
import type { Words } from './words.ts'

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

/** What the chain protects: the receipt in full, with names instead of their numbers in this file. */
export function receiptHash(previous: Uint8Array, receipt: Receipt): Buffer {
  const {
    at,
    subjectId,
    clientId,
    grantId,
    surface,
    operation,
    connectorKey,
    stream,
    connections,
    fields,
    bytes,
    outcome,
    requestId,
  } = receipt
  const records = encodeNumbers(receipt.records).toString('base64')
  const body = [
    at,
    subjectId,
    clientId,
    grantId,
    surface,
    operation,
    connectorKey,
    stream,
    connections,
    fields,
    records,
    bytes,
    outcome,
    requestId,
    // Only where it is so: receipts of earlier versions keep their hashes.
    ...(receipt.continues ? ['continues'] : []),
  ]
  return createHash('sha256').update(previous).update(JSON.stringify(body)).digest()
}

export function toValues(receipt: Receipt, words: Words, hash: Uint8Array): unknown[] {
  const optional = (text: string | undefined) => (text === undefined ? null : words.id(text))
  const records = encodeNumbers(receipt.records)
  const [first, last] =
    receipt.records.length === 0 ? [null, null] : [Math.min(...receipt.records), Math.max(...receipt.records)]
  return [
    receipt.subjectId,
    receipt.at,
    optional(receipt.clientId),
    receipt.grantId ?? null,
    words.id(receipt.surface),
    words.id(receipt.operation),
    optional(receipt.connectorKey),
    optional(receipt.stream),
    words.id(JSON.stringify(receipt.connections)),
    words.id(JSON.stringify(receipt.fields)),
    records,
    first,
    last,
    receipt.bytes,
    words.id(receipt.outcome),
    receipt.requestId,
    hash,
    receipt.continues ? 1 : 0,
  ]
}

export function fromRow(row: ReceiptRow, words: Words): StoredReceipt {
  const optional = (id: number | null) => (id === null ? undefined : words.text(id))
  return {
    sequence: row.sequence,
    at: row.at,
    subjectId: row.subject_id,
    clientId: optional(row.client),
    grantId: row.grant_id ?? undefined,
    surface: words.text(row.surface),
    operation: words.text(row.operation),
    connectorKey: optional(row.connector),
    stream: optional(row.stream),
    connections: JSON.parse(words.text(row.connections)),
    fields: JSON.parse(words.text(row.fields)),
    records: decodeNumbers(row.records),
    bytes: row.bytes,
    outcome: words.text(row.outcome),
    requestId: row.request_id,
    ...(row.continues === 1 ? { continues: true } : {}),
    hash: Buffer.from(row.hash).toString('hex'),
  }
}
