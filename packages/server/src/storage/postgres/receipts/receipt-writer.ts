import type { Receipt } from '../../../receipts/receipt-store.ts'
import { encodeNumbers, GENESIS, receiptHash } from '../../rows/receipt-encoding.ts'
import type { Database } from '../engine/database.ts'
import type { Owners } from '../installation/owners.ts'
import { toValues } from './receipt-row.ts'

interface Waiting {
  readonly receipt: Receipt
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

interface Head {
  readonly sequence: number
  readonly hash: Uint8Array
}

const COLUMNS = {
  ...{ sequence: 'bigint', at: 'bigint', client: 'text', grant_id: 'text', surface: 'text', operation: 'text' },
  ...{ connector: 'text', stream: 'text', connections: 'text', fields: 'text', records: 'bytea' },
  ...{ first_record: 'bigint', last_record: 'bigint', bytes: 'bigint', outcome: 'text', request_id: 'text' },
  ...{ hash: 'bytea', continues: 'smallint' },
}
const NAMES = Object.keys(COLUMNS).join(', ')
const LISTS = Object.values(COLUMNS)
  .map((type) => `?::${type}[]`)
  .join(', ')

/**
 * Appends to the chain if its end is still the expected one. It is one statement, so that no other process can append
 * in between.
 */
const APPEND = `with head as (update receipt_head set sequence = ?, hash = ?
    where subject = ? and sequence = ? and hash = ? returning subject)
  insert into receipt (subject, ${NAMES}) select head.subject, x.* from head, unnest(${LISTS}) x(${NAMES})`
const MAX_AT_ONCE = 500
const MAX_HEADS = 1000
/** Max. attempts, because another process may append between reading the end of the chain and the statement. */
const MAX_TRIES = 20

/** While one commit is running, new receipts wait and share the next commit. */
export class ReceiptWriter {
  readonly #database: Database
  readonly #owners: Owners
  /** The ends of the chains after the last commit of this process. */
  readonly #heads = new Map<number, Head>()
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
      for (const [subjectId, list] of Map.groupBy(batch, ({ receipt }) => receipt.subjectId)) {
        try {
          await this.#commit(
            subjectId,
            list.map(({ receipt }) => receipt),
          )
          for (const { done } of list) done()
        } catch (error) {
          for (const { failed } of list) failed(error)
        }
      }
    }
    this.#running = undefined
  }

  async #commit(subjectId: string, receipts: readonly Receipt[]): Promise<void> {
    const subject = await this.#owners.require(subjectId)
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const before = this.#heads.get(subject) ?? (await this.#head(subject))
      // Forgotten before the attempt, because after an error nobody knows whether the receipts are stored.
      this.#heads.delete(subject)
      const { rows, after } = chained(before, receipts)
      const lists = Object.keys(COLUMNS).map((_, at) => rows.map((row) => row[at]))
      const values = [after.sequence, after.hash, subject, before.sequence, before.hash, ...lists]
      if ((await this.#database.run(APPEND, ...values)) === 0) continue
      if (this.#heads.size >= MAX_HEADS) this.#heads.clear()
      this.#heads.set(subject, after)
      return
    }
    throw new Error('Other processes append to the same chain of receipts all the time.')
  }

  async #head(subject: number): Promise<Head> {
    const read = 'select sequence, hash from receipt_head where subject = ?'
    const found = await this.#database.get<Head>(read, subject)
    if (found) return found
    await this.#database.run('insert into receipt_head values (?, 0, ?) on conflict do nothing', subject, GENESIS)
    return (await this.#database.get<Head>(read, subject))!
  }
}

/** The rows of these receipts, chained to the last stored one. */
function chained(before: Head, receipts: readonly Receipt[]): { rows: unknown[][]; after: Head } {
  let { sequence, hash } = before
  const rows = receipts.map((receipt) => {
    const records = encodeNumbers(receipt.records)
    hash = receiptHash(hash, receipt, records)
    return [++sequence, ...toValues(receipt, hash, records)]
  })
  return { rows, after: { sequence, hash } }
}
