import type { Receipt } from '../../../receipts/receipt-store.ts'
import type { Handle } from '../engine/database.ts'
import type { TextIds } from '../engine/text-ids.ts'
import type { ChainEnd } from '../installation/installation.ts'
import { lastHash } from './receipt-chain.ts'
import { receiptHash, toValues } from './receipt-row.ts'

/** How often the last receipt is noted in the main file. */
const NOTE_EVERY_MS = 60_000

interface Waiting {
  readonly receipt: Receipt
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

/** Stores the last receipts in the main file. */
export type SaveLastReceipts = (chainEnds: ReadonlyMap<string, ChainEnd>) => Promise<void>

/** Receipts of one turn of the event loop share a commit. Each `append` resolves after its commit. */
export class ReceiptWriter {
  readonly #db: Handle
  readonly #saveLast: SaveLastReceipts
  readonly #textIds: TextIds
  readonly #lastHash = new Map<string, Buffer>()
  /** The last receipt of each owner, if it is not in the main file yet. */
  readonly #chainEnds = new Map<string, ChainEnd>()
  #noteTimer: NodeJS.Timeout | undefined
  #waiting: Waiting[] = []

  constructor(receipts: Handle, textIds: TextIds, saveLast: SaveLastReceipts) {
    this.#db = receipts
    this.#textIds = textIds
    this.#saveLast = saveLast
  }

  append(receipt: Receipt): Promise<void> {
    return new Promise((done, failed) => {
      if (this.#waiting.push({ receipt, done, failed }) === 1) setImmediate(() => this.#commit())
    })
  }

  async close(): Promise<void> {
    clearTimeout(this.#noteTimer)
    await this.#saveLastReceipts()
  }

  #commit(): void {
    const batch = this.#waiting
    this.#waiting = []
    try {
      this.#db.transaction(() => {
        for (const { receipt } of batch) this.#insert(receipt)
      })
    } catch (error) {
      this.#textIds.forget()
      this.#lastHash.clear()
      this.#chainEnds.clear()
      for (const { failed } of batch) failed(error)
      return
    }
    this.#noteTimer ??= setTimeout(() => void this.#saveLastReceipts(), NOTE_EVERY_MS).unref()
    for (const { done } of batch) done()
  }

  #insert(receipt: Receipt): void {
    const previous = this.#lastHash.get(receipt.subjectId) ?? lastHash(this.#db, receipt.subjectId)
    const hash = receiptHash(previous, receipt)
    // The anchor counts too, so that a sequence is never used again after retention has deleted all receipts.
    const sql = `insert into receipt (sequence, subject_id, at, client, grant_id, surface, operation, connector, stream, connections, fields,
      records, first_record, last_record, bytes, outcome, request_id, hash, continues) values (
      1 + max(coalesce((select max(sequence) from receipt), 0), coalesce((select max(sequence) from anchor), 0)), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
    const { lastInsertRowid } = this.#db.prepare(sql).run(...toValues(receipt, this.#textIds, hash))
    this.#lastHash.set(receipt.subjectId, hash)
    this.#chainEnds.set(receipt.subjectId, { sequence: Number(lastInsertRowid), hash: hash.toString('hex') })
  }

  async #saveLastReceipts(): Promise<void> {
    this.#noteTimer = undefined
    if (this.#chainEnds.size === 0) return
    const saved = new Map(this.#chainEnds)
    try {
      // Flush the receipts first: after a power cut they must not be behind the note in the main file.
      this.#db.db.pragma('wal_checkpoint(passive)')
      await this.#saveLast(saved)
      for (const [subjectId, chainEnd] of saved)
        if (this.#chainEnds.get(subjectId) === chainEnd) this.#chainEnds.delete(subjectId)
    } catch {
      // The main file is busy or the disk is full. The next receipt sets the timer again.
    }
  }
}
