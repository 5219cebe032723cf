import { hash } from 'node:crypto'
import { encodeNumbers } from '../../lib/delta-encoding.ts'
import type { Receipt } from '../../receipts/receipt-store.ts'

/** The hash before the first receipt. */
export const GENESIS = Buffer.alloc(32)

/** Caches lists of names as JSON, because reads of one scope share their lists. */
const LISTS = new WeakMap<readonly string[], string>()

export function listJson(list: readonly string[]): string {
  const known = LISTS.get(list)
  if (known !== undefined) return known
  const json = JSON.stringify(list)
  LISTS.set(list, json)
  return json
}

const quoted = (text: string | undefined): string => (text === undefined ? 'null' : JSON.stringify(text))

/** Buffer for the hashed bytes. Nearly every receipt fits into it. */
const hashed = Buffer.allocUnsafe(8192)
const MAX_UTF8_BYTES = 3

/**
 * Hashes the previous hash and all members of the receipt as a JSON list. The list has texts instead of their ids,
 * because ids differ between files.
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
