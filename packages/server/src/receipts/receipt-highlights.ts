/** A reason why a read is interesting to the owner. */
export type Highlight = 'first' | 'burst' | 'refused'

/** From this many reads of one client within a minute, they count as a burst. */
export const BURST = { reads: 20, withinMs: 60_000 }

export interface HighlightedReceipt {
  readonly sequence: number
  readonly at: number
  readonly clientId: string | undefined
  readonly grantId: string | undefined
  readonly outcome: string
}

type Timed = Pick<HighlightedReceipt, 'sequence' | 'at' | 'clientId'>

/**
 * The highlights of each receipt on a page, by sequence. `firsts` has the first read of every grant. `around` has the
 * reads of the same clients just before and after, because a burst may cross the page's end or be partly filtered out.
 */
export function highlights(
  receipts: readonly HighlightedReceipt[],
  firsts: ReadonlyMap<string, number>,
  around: readonly Timed[] = [],
): ReadonlyMap<number, readonly Highlight[]> {
  const inBurst = bursts([...new Map([...receipts, ...around].map((one) => [one.sequence, one])).values()])
  return new Map(
    receipts.map((receipt) => {
      const { sequence, grantId, outcome } = receipt
      const first = grantId !== undefined && firsts.get(grantId) === sequence
      return [
        sequence,
        [
          // A failed delivery of an event is not a refusal.
          ...(outcome === 'ok' || outcome === 'delivery_failed' ? [] : (['refused'] as const)),
          ...(first ? (['first'] as const) : []),
          ...(inBurst.has(sequence) ? (['burst'] as const) : []),
        ],
      ]
    }),
  )
}

function bursts(receipts: readonly Timed[]): ReadonlySet<number> {
  const found = new Set<number>()
  for (const group of Map.groupBy(receipts, ({ clientId }) => clientId).values()) {
    const sorted = group.toSorted((a, b) => a.at - b.at)
    let start = 0
    for (const [end, { at }] of sorted.entries()) {
      while (at - sorted[start]!.at >= BURST.withinMs) start++
      if (end - start + 1 < BURST.reads) continue
      for (const { sequence } of sorted.slice(start, end + 1)) found.add(sequence)
    }
  }
  return found
}
