import type { CandidateLimits, CandidateStep } from './tiers.ts'
import { CANDIDATE_LIMITS } from './tiers.ts'

interface Candidate {
  readonly feed: number
  readonly id: number
}

/** Asks the index of one feed: the newest ids that match, at most `limit`. */
export type AskFeed = (feed: number, expression: string | null, limit: number) => readonly number[]

export interface Candidates {
  readonly list: readonly Candidate[]
  /** True when no matching document was left out. */
  readonly complete: boolean
}

/**
 * Runs the steps until there are enough candidates. In each step the feeds share what is left of the cap evenly; what
 * a small feed does not use goes to the larger ones, so that no feed is drowned by another.
 */
export function collectCandidates(
  steps: readonly CandidateStep[],
  ask: AskFeed,
  { cap }: CandidateLimits = CANDIDATE_LIMITS,
): Candidates {
  const seen = new Map<number, Set<number>>()
  const list: Candidate[] = []
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
    for (const [turn, { feed }] of feeds.entries()) {
      const share = Math.ceil((cap - list.length) / (feeds.length - turn))
      const known = seen.get(feed) ?? new Set<number>()
      seen.set(feed, known)
      // Those found before come up again: ask for as many more.
      const limit = share + known.size
      const ids = ask(feed, step.expression, limit)
      if (ids.length >= limit) cut.add(step)
      for (const id of ids) {
        if (known.has(id)) continue
        if (list.length >= cap) break
        known.add(id)
        list.push({ feed, id })
      }
    }
  }
  return {
    list,
    complete: !steps.some((step) => (step.kind === 'single' || step.kind === 'demanded') && cut.has(step)),
  }
}
