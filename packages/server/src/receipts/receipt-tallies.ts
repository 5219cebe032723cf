import type { ReceiptStore, ReceiptTally } from './receipt-store.ts'

const DAY_MS = 86_400_000
/** Rows of one question to the store: days, clients and streams beyond it are left out, oldest first. */
const MAX_ROWS = 20_000
/** Days that are remembered of one owner. */
const MAX_DAYS = 400

/** Reads by day, client and stream. Days that are over do not change, so they are counted once. */
export class ReceiptTallies {
  readonly #receipts: Pick<ReceiptStore, 'tally'>
  readonly #over = new Map<string, Map<number, readonly ReceiptTally[]>>()

  constructor(receipts: Pick<ReceiptStore, 'tally'>) {
    this.#receipts = receipts
  }

  /** From the first millisecond of a day to now, newest day first. */
  async since(subjectId: string, first: number, now = Date.now()): Promise<ReceiptTally[]> {
    const today = now - (now % DAY_MS)
    const known = this.#over.get(subjectId) ?? new Map<number, readonly ReceiptTally[]>()
    this.#over.set(subjectId, known)
    const days = Array.from({ length: Math.max(0, (today - first) / DAY_MS) }, (_, index) => first + index * DAY_MS)
    const missing = days.filter((day) => !known.has(day))
    if (missing.length > 0) {
      const range = { since: missing[0]!, until: missing.at(-1)! + DAY_MS, limit: MAX_ROWS }
      const counted = Map.groupBy(await this.#receipts.tally(subjectId, range), ({ day }) => day)
      if (known.size + missing.length > MAX_DAYS) known.clear()
      for (const day of missing) known.set(day, counted.get(day) ?? [])
    }
    const fresh = await this.#receipts.tally(subjectId, { since: Math.max(today, first), limit: MAX_ROWS })
    return [...fresh, ...days.toReversed().flatMap((day) => known.get(day) ?? [])]
  }

  /** Called when receipts of a day that is over come or go. */
  forget(subjectId: string): void {
    this.#over.delete(subjectId)
  }

  /** A clock that was set back writes into the past. */
  noted(subjectId: string, at: number): void {
    if (this.#over.has(subjectId) && at < Date.now() - (Date.now() % DAY_MS)) this.forget(subjectId)
  }
}
