import { storedJson } from '../../../lib/stored-json.ts'
import type { Receipt, StoredReceipt } from '../../../receipts/receipt-store.ts'
import { decodeNumbers } from '../../rows/receipt-encoding.ts'

export interface ReceiptRow {
  sequence: number
  at: number
  client: string | null
  grant_id: string | null
  surface: string
  operation: string
  connector: string | null
  stream: string | null
  connections: string
  fields: string
  records: Uint8Array
  bytes: number
  outcome: string
  request_id: string
  hash: Uint8Array
  continues: number
}

export function toValues(receipt: Receipt, hash: Uint8Array, records: Uint8Array): unknown[] {
  const [first, last] =
    receipt.records.length === 0 ? [null, null] : [Math.min(...receipt.records), Math.max(...receipt.records)]
  return [
    receipt.at,
    receipt.clientId ?? null,
    receipt.grantId ?? null,
    receipt.surface,
    receipt.operation,
    receipt.connectorKey ?? null,
    receipt.stream ?? null,
    JSON.stringify(receipt.connections),
    JSON.stringify(receipt.fields),
    records,
    first,
    last,
    receipt.bytes,
    receipt.outcome,
    receipt.requestId,
    hash,
    receipt.continues ? 1 : 0,
  ]
}

export function fromRow(row: ReceiptRow, subjectId: string): StoredReceipt {
  return {
    sequence: row.sequence,
    at: row.at,
    subjectId,
    clientId: row.client ?? undefined,
    grantId: row.grant_id ?? undefined,
    surface: row.surface,
    operation: row.operation,
    connectorKey: row.connector ?? undefined,
    stream: row.stream ?? undefined,
    connections: storedJson(row.connections),
    fields: storedJson(row.fields),
    records: decodeNumbers(row.records),
    bytes: row.bytes,
    outcome: row.outcome,
    requestId: row.request_id,
    ...(row.continues === 1 ? { continues: true } : {}),
    hash: Buffer.from(row.hash).toString('hex'),
  }
}
