import { formatInstant, PdppError, type WireReceipt } from '@pdpp/protocol'
import type { SettingStore } from '../lib/setting-store.ts'
import { type FaultReader, faultError } from '../lib/store-fault.ts'
import { ReceiptChain } from './receipt-chain.ts'
import type { Receipt, ReceiptQuery, ReceiptStore, ReceiptTally, StoredReceipt } from './receipt-store.ts'
import { ReceiptTallies } from './receipt-tallies.ts'

export interface ReceiptStores extends SettingStore, FaultReader {
  readonly receipts: ReceiptStore
}

const RETENTION = 'receipt_retention_days'
const PRUNE_EVERY_MS = 3_600_000
/** A query for receipts that names a record by its key. */
export type ReceiptSearch = Omit<ReceiptQuery, 'record'> & {
  record?: { connectorKey: string; stream: string; key: string; connectionId?: string | undefined } | undefined
}

export class ReceiptService {
  readonly #stores: ReceiptStores
  readonly #subjects = new Set<string>()
  readonly #timer: NodeJS.Timeout
  /** Checks that the receipts are complete and unchanged. */
  readonly chain: ReceiptChain
  readonly #tallies: ReceiptTallies

  constructor(storage: ReceiptStores) {
    this.#stores = storage
    this.chain = new ReceiptChain(storage.receipts)
    this.#tallies = new ReceiptTallies(storage.receipts)
    this.#timer = setInterval(() => this.#pruneAll(), PRUNE_EVERY_MS).unref()
  }

  /** Throws if the receipt cannot be written, because a read without a receipt must not be answered. */
  async append(receipt: Receipt, maxWaitMs = 0): Promise<void> {
    this.#subjects.add(receipt.subjectId)
    this.#tallies.note(receipt.subjectId, receipt.at)
    try {
      await this.#stores.receipts.append(receipt, maxWaitMs)
    } catch (error) {
      const fault = this.#stores.fault(error)
      if (fault === 'damaged' || fault === 'unavailable') throw faultError(fault)
      throw new PdppError('server_busy', 'The read was refused because its receipt could not be saved.', {
        retryAfterSeconds: 5,
      })
    }
  }

  async list(subjectId: string, query: ReceiptSearch) {
    const { record, ...rest } = query
    const numbers =
      record &&
      (await this.#stores.receipts.numbersOf(
        subjectId,
        record.connectorKey,
        record.stream,
        record.key,
        record.connectionId,
      ))
    if (numbers?.length === 0) return { receipts: [], next: undefined }
    const page = await this.#stores.receipts.list(subjectId, {
      ...rest,
      record: record && { ...record, numbers: numbers! },
    })
    return {
      receipts: await Promise.all(wholeReceipts(page.receipts).map((lines) => this.#toWire(lines))),
      next: page.next,
    }
  }

  /** Reads by day, client and stream, newest day first. `firstDay` is the first millisecond of a day. */
  tally(subjectId: string, firstDay: number): Promise<ReceiptTally[]> {
    return this.#tallies.since(subjectId, firstDay)
  }

  /** Null, the default, keeps receipts for ever. */
  async retentionDays(subjectId: string): Promise<number | null> {
    const text = await this.#stores.setting(subjectId, RETENTION)
    return text === undefined ? null : Number(text)
  }

  async setRetention(subjectId: string, days: number | null): Promise<void> {
    if (days !== null && (!Number.isInteger(days) || days < 1 || days > 36_500)) {
      throw new PdppError(
        'invalid_argument',
        'receipt_retention_days must be a whole number from 1 to 36500, or null to keep receipts for ever.',
        { param: RETENTION },
      )
    }
    await this.#stores.saveSetting(subjectId, RETENTION, days === null ? undefined : String(days))
    await this.prune(subjectId)
  }

  async prune(subjectId: string): Promise<number> {
    const days = await this.retentionDays(subjectId)
    if (days === null) return 0
    this.#tallies.forget(subjectId)
    return this.#stores.receipts.prune(subjectId, Date.now() - days * 86_400_000)
  }

  stop(): void {
    clearInterval(this.#timer)
    this.chain.stop()
  }

  #pruneAll(): void {
    // If this fails, the next run tries again. It must not crash the server.
    for (const subjectId of this.#subjects) this.prune(subjectId).catch(() => undefined)
  }

  async #toWire([first, ...further]: readonly StoredReceipt[]): Promise<WireReceipt> {
    const receipt = first!
    const also = await Promise.all(further.map((line) => this.#lineOf(line)))
    return {
      object: 'receipt',
      receipt_id: `rcp_${receipt.sequence}`,
      at: formatInstant(receipt.at * 1000),
      client_id: receipt.clientId ?? null,
      grant_id: receipt.grantId ?? null,
      surface: receipt.surface,
      operation: receipt.operation,
      connector_key: receipt.connectorKey ?? null,
      ...(await this.#lineOf(receipt)),
      ...(also.length === 0 ? {} : { also }),
      bytes: receipt.bytes,
      outcome: receipt.outcome,
      request_id: receipt.requestId,
    }
  }

  /** The part of a receipt about one stream. */
  async #lineOf({ subjectId, connectorKey, stream, connections, fields, records }: StoredReceipt) {
    const known =
      connectorKey === undefined || stream === undefined || records.length === 0
        ? new Map()
        : await this.#stores.receipts.resolve(subjectId, connectorKey, stream, records)
    const named = records.flatMap((number) => known.get(number) ?? [])
    return {
      stream: stream ?? null,
      connection_ids: [...connections],
      fields: [...fields],
      records: named.map(({ connectionId, key }) => ({ connection_id: connectionId, record_id: key })),
      record_count: records.length,
      records_erased: records.length - named.length,
    }
  }
}

/** Groups stored lines (newest first) into receipts. Inside a receipt the first line comes first. */
function wholeReceipts(lines: readonly StoredReceipt[]): StoredReceipt[][] {
  const receipts: StoredReceipt[][] = []
  let newer: StoredReceipt | undefined
  for (const line of lines) {
    const isSameReceipt = newer?.continues && newer.requestId === line.requestId && newer.grantId === line.grantId
    if (isSameReceipt) receipts.at(-1)!.unshift(line)
    else receipts.push([line])
    newer = line
  }
  return receipts
}
