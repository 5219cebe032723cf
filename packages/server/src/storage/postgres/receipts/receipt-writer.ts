import { encodeNumbers } from '../../../lib/delta-encoding.ts'
import type { Receipt } from '../../../receipts/receipt-store.ts'
import { GENESIS, receiptHash } from '../../rows/receipt-hash.ts'
import type { Database } from '../engine/database.ts'
import type { Session } from '../engine/session.ts'
import type { Owners } from '../installation/owners.ts'
import { toValues } from './receipt-row.ts'

interface Waiting {
  readonly receipt: Receipt
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

const COLUMNS = `at, client, grant_id, surface, operation, connector, stream, connections, fields, records, first_record,
  last_record, bytes, outcome, request_id, hash, continues`
const COLUMN_COUNT = COLUMNS.split(',').length
const MAX_AT_ONCE = 500

/** While one commit is under way, the receipts that come meanwhile wait and share the next one. */
export class ReceiptWriter {
  readonly #database: Database
  readonly #owners: Owners
  #waiting: Waiting[] = []
  #running: Promise<void> | undefined

  constructor(database: Database, owners: Owners) {
    this.#database = database
    this.#owners = owners
  }

  append(receipt: Receipt): Promise<void> {
    return new Promise((done, failed) => {
      this.#waiting.push({ receipt, done, failed })
      this.#running ??= new Promise<void>((begun) => setImmediate(begun)).then(() => this.#commitAll())
    })
  }

  async close(): Promise<void> {
    await this.#running
  }

  async #commitAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MAX_AT_ONCE)
      try {
        await this.#commit(batch.map(({ receipt }) => receipt))
        for (const { done } of batch) done()
      } catch (error) {
        for (const { failed } of batch) failed(error)
      }
    }
    this.#running = undefined
  }

  async #commit(receipts: readonly Receipt[]): Promise<void> {
    const bySubject = new Map<number, Receipt[]>()
    for (const receipt of receipts) {
      const subject = await this.#owners.require(receipt.subjectId)
      bySubject.set(subject, [...(bySubject.get(subject) ?? []), receipt])
    }
    // In the order of owners, so that two processes do not wait for each other.
    const groups = [...bySubject].sort(([a], [b]) => a - b)
    await this.#database.quiet(async (session) => {
      for (const [subject, list] of groups) await append(session, subject, list)
    })
  }
}

/** The lock of the head makes one chain of the receipts of all processes. */
async function append(session: Session, subject: number, receipts: readonly Receipt[]): Promise<void> {
  const lock = 'select sequence, hash from receipt_head where subject = ? for update'
  let head = await session.get<{ sequence: number; hash: Uint8Array }>(lock, subject)
  if (!head) {
    const first = 'insert into receipt_head values (?, 0, ?) on conflict do nothing'
    await session.run(first, subject, GENESIS)
    head = (await session.get<{ sequence: number; hash: Uint8Array }>(lock, subject))!
  }
  const values: unknown[] = []
  let { sequence, hash } = head
  for (const receipt of receipts) {
    const records = encodeNumbers(receipt.records)
    hash = receiptHash(hash, receipt, records)
    values.push(subject, ++sequence, ...toValues(receipt, hash, records))
  }
  const row = `(${Array.from({ length: COLUMN_COUNT + 2 }, () => '?').join(', ')})`
  const sql = `insert into receipt (subject, sequence, ${COLUMNS}) values ${receipts.map(() => row).join(', ')}`
  await session.run(sql, ...values)
  await session.run('update receipt_head set sequence = ?, hash = ? where subject = ?', sequence, hash, subject)
}
