import { hash } from 'node:crypto'
import { RecentCache } from '../../lib/caches/recent-cache.ts'
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

/** Sorts the numbers and stores differences as varints: a page of neighbouring records takes about a byte each. */
export function encodeNumbers(numbers: readonly number[]): Buffer {
  const sorted = numbers.length < 2 ? numbers : [...new Set(numbers)].sort((a, b) => a - b)
  const bytes: number[] = []
  let last = 0
  for (const number of sorted) {
    let rest = number - last
    last = number
    while (rest >= 0x80) {
      bytes.push((rest % 0x80) | 0x80)
      rest = Math.floor(rest / 0x80)
    }
    bytes.push(rest)
  }
  return Buffer.from(bytes)
}

export function decodeNumbers(bytes: Uint8Array): number[] {
  const numbers: number[] = []
  let last = 0
  let value = 0
  let scale = 1
  for (const byte of bytes) {
    value += (byte & 0x7f) * scale
    scale *= 0x80
    if (byte & 0x80) continue
    last += value
    numbers.push(last)
    value = 0
    scale = 1
  }
  return numbers
}
