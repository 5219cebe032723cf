import type { RankedPlace } from './first-pass.ts'
import { CANDIDATE_LIMITS, type CandidateLimits, type CandidateStep } from './tiers.ts'

export interface Candidate {
  readonly feed: number
  readonly id: number
}

/** Asks the index of one feed: the newest ids that match, at most `limit`, among the newest share of the documents. */
export type AskFeed = (feed: number, expression: string | null, limit: number, share?: number) => readonly number[]

export interface Candidates {
  readonly list: readonly Candidate[]
  /** True when no matching document was left out. */
  readonly complete: boolean
  /** Average words of each field, where they are known of more documents than the candidates. */
  readonly averages?: ReadonlyMap<string, number> | undefined
  /** The candidates in their final order, where the index alone told it: they need not be read to be ranked. */
  readonly ranking?: readonly RankedPlace[] | undefined
}

/**
 * Runs the steps until there are enough candidates. In each step the feeds share what is left of the cap evenly; what
 * a small feed does not use goes to the larger ones, so that no feed is drowned by another.
 */
export function collectCandidates(
  steps: readonly CandidateStep[],
  ask: AskFeed,
  { cap, scanned }: CandidateLimits = CANDIDATE_LIMITS,
  chosen: readonly Candidate[] = [],
): Candidates {
  const seen = new Map<number, Set<number>>()
  const list: Candidate[] = []
  const take = ({ feed, id }: Candidate, known = seen.get(feed) ?? new Set<number>()) => {
    seen.set(feed, known.add(id))
    list.push({ feed, id })
  }
  for (const candidate of chosen) take(candidate)
  const cut = new Set<CandidateStep>()
  for (const step of steps) {
    if (list.length >= Math.min(cap, step.whileFewerThan)) {
      cut.add(step)
      continue
    }
    const feeds = step.expected
      .map((count, feed) => ({ feed, count }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => a.count - b.count)
    const looked = step.words * feeds.reduce((sum, { count }) => sum + count, 0)
    const depth = step.words > 1 ? Math.min(1, scanned / looked) : 1
    for (const [turn, { feed }] of feeds.entries()) {
      const share = Math.ceil((cap - list.length) / (feeds.length - turn))
      const known = seen.get(feed) ?? new Set<number>()
      // Those found before come up again: ask for as many more.
      const limit = share + known.size
      const ids = ask(feed, step.expression, limit, depth)
      if (ids.length >= limit) cut.add(step)
      for (const id of ids) {
        if (known.has(id)) continue
        if (list.length >= cap) break
        take({ feed, id }, known)
      }
    }
  }
  return {
    list,
    complete: !steps.some((step) => (step.kind === 'single' || step.kind === 'demanded') && cut.has(step)),
  }
}
