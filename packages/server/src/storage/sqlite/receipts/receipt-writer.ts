import type { Receipt } from '../../../receipts/receipt-store.ts'
import { encodeNumbers, receiptHex } from '../../rows/receipt-encoding.ts'
import type { Handle } from '../engine/database.ts'
import type { ChainEnd } from '../installation/installation.ts'
import { Checkpoints } from './checkpoints.ts'
import { lastHash } from './receipt-chain.ts'
import { type TextIds, toValues } from './receipt-row.ts'

/** How often the last receipt is noted in the main file. */
const NOTE_EVERY_MS = 60_000

/** A batch of this size is committed at once. */
const MAX_WAITING = 64

interface Waiting {
  readonly receipt: Receipt
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

const INSERT = `insert into receipt (sequence, subject_id, at, client, grant_id, surface, operation, connector, stream,
  connections, fields, records, first_record, last_record, bytes, outcome, request_id, hash, continues)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

/** Stores the last receipts in the main file. */
export type SaveLastReceipts = (chainEnds: ReadonlyMap<string, ChainEnd>) => Promise<void>

/**
 * The receipts of one turn of the event loop, or of a few milliseconds, share one commit. Each `append` resolves after
 * the commit.
 */
export class ReceiptWriter {
  readonly #db: Handle
  readonly #saveLast: SaveLastReceipts
  readonly #textIds: TextIds
  /** The hashes of the last receipts in hexadecimal, by owner. */
  readonly #lastHash = new Map<string, string>()
  /** The bytes of the hash that is being stored. SQLite copies them. */
  readonly #hash = Buffer.alloc(32)
  #lastSequence: number | undefined
  /** The last receipt of each owner, if it is not in the main file yet. */
  readonly #chainEnds = new Map<string, ChainEnd>()
  #noteTimer: NodeJS.Timeout | undefined
  #waiting: Waiting[] = []
  #isDue = false
  #timer: NodeJS.Timeout | undefined
  /** Receipts of the last commit. */
  #lastSize = 0
  readonly #checkpoints: Checkpoints

  /** `copyLog` copies the log of the receipts into their file. */
  constructor(receipts: Handle, textIds: TextIds, saveLast: SaveLastReceipts, copyLog: () => Promise<void>) {
    this.#db = receipts
    this.#textIds = textIds
    this.#saveLast = saveLast
    this.#checkpoints = new Checkpoints(copyLog)
  }

  /** Waits up to `maxWaitMs` for other receipts, because a commit costs more than a receipt. */
  append(receipt: Receipt, maxWaitMs: number): Promise<void> {
    return new Promise((done, failed) => {
      this.#waiting.push({ receipt, done, failed })
      if (maxWaitMs < 1 || this.#waiting.length >= MAX_WAITING) this.#commitSoon()
      else this.#timer ??= setTimeout(() => this.#commit(), maxWaitMs)
    })
  }

  /** Reads what the first receipt of this owner needs, and prepares its statement. */
  makeReady(subjectId: string): void {
    // In a transaction that writes nothing, because the first receipt needs one, too.
    this.#db.transaction(() => {
      this.#lastHash.set(subjectId, this.#previous(subjectId))
      this.#lastSequence ??= this.#findLastSequence()
      this.#db.prepare(INSERT)
    })
  }

  /** Under load, the requests of one more turn share the commit. */
  #commitSoon(): void {
    if (this.#isDue) return
    this.#isDue = true
    if (this.#lastSize > 1) setImmediate(() => setImmediate(() => this.#commit()))
    else setImmediate(() => this.#commit())
  }

  async close(): Promise<void> {
    clearTimeout(this.#noteTimer)
    await this.#saveLastReceipts()
  }

  #commit(): void {
    const batch = this.#waiting
    this.#waiting = []
    this.#isDue = false
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (batch.length === 0) return
    this.#lastSize = batch.length
    try {
      this.#db.transaction(() => {
        for (const { receipt } of batch) this.#insert(receipt)
      })
    } catch (error) {
      this.#textIds.forget()
      this.#lastHash.clear()
      this.#lastSequence = undefined
      this.#chainEnds.clear()
      for (const { failed } of batch) failed(error)
      return
    }
    this.#noteTimer ??= setTimeout(() => void this.#saveLastReceipts(), NOTE_EVERY_MS).unref()
    for (const { done } of batch) done()
    this.#checkpoints.note(batch.length)
  }

  #insert(receipt: Receipt): void {
    const previous = this.#previous(receipt.subjectId)
    const records = encodeNumbers(receipt.records)
    const hash = receiptHex(previous, receipt, records)
    this.#hash.write(hash, 'hex')
    const sequence = (this.#lastSequence ?? this.#findLastSequence()) + 1
    this.#db.prepare(INSERT).run(sequence, ...toValues(receipt, this.#textIds, this.#hash, records))
    this.#lastSequence = sequence
    this.#lastHash.set(receipt.subjectId, hash)
    this.#chainEnds.set(receipt.subjectId, { sequence, hash })
  }

  #previous(subjectId: string): string {
    return this.#lastHash.get(subjectId) ?? lastHash(this.#db, subjectId).toString('hex')
  }

  /** Includes the anchor, so that a sequence is never used again after retention has deleted all receipts. */
  #findLastSequence(): number {
    const sql = `select max(coalesce((select max(sequence) from receipt), 0),
      coalesce((select max(sequence) from anchor), 0)) n`
    return this.#db.get<{ n: number }>(sql)!.n
  }

  async #saveLastReceipts(): Promise<void> {
    this.#noteTimer = undefined
    if (this.#chainEnds.size === 0) return
    const saved = [...this.#chainEnds]
    try {
      // Flush the receipts first: after a power cut they must not be behind the note in the main file.
      this.#db.db.pragma('wal_checkpoint(passive)')
      await this.#saveLast(new Map(saved))
      for (const [subjectId, chainEnd] of saved)
        if (this.#chainEnds.get(subjectId) === chainEnd) this.#chainEnds.delete(subjectId)
    } catch {
      // The main file is busy or the disk is full. The next receipt sets the timer again.
    }
  }
}
