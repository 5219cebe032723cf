/** What makes a read stand out to its owner. */
export type Highlight = 'first' | 'burst' | 'refused'

/** So many reads of one client within a minute are a burst. */
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
 * The remarks on each receipt of a page, by sequence. `firsts` has the first read of every grant, `around` what their
 * clients did just before and after: a page ends anywhere, and shows only some of it where it is filtered.
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
          ...(outcome === 'ok' ? [] : (['refused'] as const)),
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
