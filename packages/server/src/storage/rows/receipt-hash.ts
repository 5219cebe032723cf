import { hash } from 'node:crypto'
import { encodeNumbers } from '../../lib/delta-encoding.ts'
import type { Receipt } from '../../receipts/receipt-store.ts'

/** The hash before the first receipt. */
export const GENESIS = Buffer.alloc(32)

/** Covers the whole receipt, with texts instead of their ids, which differ between files. */
export function receiptHash(previous: Uint8Array, receipt: Receipt, numbers = encodeNumbers(receipt.records)): Buffer {
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
  const records = numbers.toString('base64')
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
    // Added only if true, so that receipts of earlier versions keep their hashes.
    ...(receipt.continues ? ['continues'] : []),
  ]
  return hash('sha256', Buffer.concat([previous, Buffer.from(JSON.stringify(body))]), 'buffer')
}
