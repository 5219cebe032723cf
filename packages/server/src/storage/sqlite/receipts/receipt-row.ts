import { RecentCache } from '../../../lib/caches/recent-cache.ts'
import type { Receipt, StoredReceipt } from '../../../receipts/receipt-store.ts'
import { decodeNumbers, listJson } from '../../rows/receipt-encoding.ts'
import type { Handle } from '../engine/database.ts'

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

/** Stores each text once and names it by a number, because receipts repeat the same texts. */
export class TextIds {
  readonly #db: Handle
  readonly #ids = new RecentCache<string, number>(5000)
  readonly #texts = new RecentCache<number, string>(5000)

  constructor(db: Handle) {
    this.#db = db
  }

  /** If the surrounding transaction is rolled back, call `forget`. */
  id(text: string): number {
    const known = this.#ids.get(text)
    if (known !== undefined) return known
    const stored = this.find(text)
    if (stored !== undefined) return this.#ids.set(text, stored)
    const { id } = this.#db.get<{ id: number }>('insert into text_id (text) values (?) returning id', text)!
    return this.#ids.set(text, id)
  }

  find(text: string): number | undefined {
    return this.#db.get<{ id: number }>('select id from text_id where text = ?', text)?.id
  }

  text(id: number): string {
    const known = this.#texts.get(id)
    if (known !== undefined) return known
    const found = this.#db.get<{ text: string }>('select text from text_id where id = ?', id)?.text
    if (found === undefined) return ''
    this.#ids.set(found, id)
    return this.#texts.set(id, found)
  }

  forget(): void {
    this.#ids.clear()
    this.#texts.clear()
  }
}
