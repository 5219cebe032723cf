import { hash } from 'node:crypto'
import { RecentCache } from '../../lib/caches/recent-cache.ts'
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

/** The names in receipts as JSON. Most receipts repeat the same few. */
const names = new RecentCache<string, string>(2000)

function quoted(name: string | undefined): string {
  if (name === undefined) return 'null'
  return names.get(name) ?? names.set(name, JSON.stringify(name))
}

/** Buffer for the hashed bytes. Nearly every receipt fits into it. */
const hashed = Buffer.allocUnsafe(8192)
const HASH_BYTES = 32
const MAX_UTF8_BYTES = 3

/**
 * Hashes the previous hash and all members of the receipt as a JSON list. The list has texts instead of their ids,
 * because ids differ between files.
 */
export function receiptHash(previous: Uint8Array, receipt: Receipt, numbers?: Buffer): Buffer {
  return Buffer.from(receiptHex(Buffer.from(previous).toString('hex'), receipt, numbers), 'hex')
}

/** The same in hexadecimal, which costs less than a new buffer for each hash. */
export function receiptHex(previous: string, receipt: Receipt, numbers = encodeNumbers(receipt.records)): string {
  const { at, subjectId, clientId, grantId, surface, operation, connectorKey, stream, bytes, outcome } = receipt
  // Added only if true, so that receipts of earlier versions keep their hashes.
  const continues = receipt.continues ? ',"continues"' : ''
  const json =
    `[${at},${quoted(subjectId)},${quoted(clientId)},${quoted(grantId)},${quoted(surface)},${quoted(operation)},` +
    `${quoted(connectorKey)},${quoted(stream)},${listJson(receipt.connections)},${listJson(receipt.fields)},` +
    `"${numbers.toString('base64')}",${bytes},${quoted(outcome)},${JSON.stringify(receipt.requestId)}${continues}]`
  if (HASH_BYTES + json.length * MAX_UTF8_BYTES > hashed.length)
    return hash('sha256', Buffer.concat([Buffer.from(previous, 'hex'), Buffer.from(json)]), 'hex')
  hashed.write(previous, 'hex')
  const end = HASH_BYTES + hashed.write(json, HASH_BYTES)
  return hash('sha256', hashed.subarray(0, end), 'hex')
}
