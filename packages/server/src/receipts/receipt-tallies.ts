import type { ReceiptStore, ReceiptTally } from './receipt-store.ts'

const DAY_MS = 86_400_000
/** Max. rows per query. If there are more, the oldest days are left out. */
const MAX_ROWS = 20_000
/** Max. days in memory per owner. */
const MAX_DAYS = 400

/** Counts reads by day, client and stream. Past days do not change, so they are counted once. */
export class ReceiptTallies {
  readonly #receipts: Pick<ReceiptStore, 'tally'>
  readonly #pastDays = new Map<string, Map<number, readonly ReceiptTally[]>>()

  constructor(receipts: Pick<ReceiptStore, 'tally'>) {
    this.#receipts = receipts
  }

  /** Tallies from `first` (the first millisecond of a day) until now, newest day first. */
  async since(subjectId: string, first: number, now = Date.now()): Promise<ReceiptTally[]> {
    const today = now - (now % DAY_MS)
    const known = this.#pastDays.get(subjectId) ?? new Map<number, readonly ReceiptTally[]>()
    this.#pastDays.set(subjectId, known)
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

  /** Call when receipts of a past day were added or deleted. */
  forget(subjectId: string): void {
    this.#pastDays.delete(subjectId)
  }

  /** Call for every new receipt. After the clock was set back, a receipt may belong to a past day. */
  note(subjectId: string, at: number): void {
    if (this.#pastDays.has(subjectId) && at < Date.now() - (Date.now() % DAY_MS)) this.forget(subjectId)
  }
}
