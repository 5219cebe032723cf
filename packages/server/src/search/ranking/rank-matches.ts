import { type Query, soughtWords } from '../query/query.ts'
import type { MatchKind, NeighbourPlace } from '../search-store.ts'
import type { Run } from '../segments/document-columns.ts'
import type { IndexSnapshot } from '../segments/index-snapshot.ts'
import type { MatchFilter } from './index-scope.ts'
import { type OpenScope, UNIT } from './open-scope.ts'
import { proximityOf } from './proximity.ts'
import { SegmentRanking } from './segment-ranking.ts'
import { compareRanks, type Ranked, type RankPosition, TopRanks } from './top-ranks.ts'
import { type WeighedWord, weighWords } from './weighed-words.ts'

export interface RankRequest {
  readonly query: Query
  readonly filter: MatchFilter | undefined
  readonly limit: number
  /** Matches up to this one were shown before. */
  readonly after: RankPosition | undefined
  /** Called between parts of the work. Throws to stop it. */
  check(): void
}

export interface RankedPage {
  /** Best first. */
  readonly found: readonly FoundMatch[]
  readonly hasMore: boolean
  /** Matches in all, exact, and how many of them each edition has. */
  readonly total: number
  readonly totals: ReadonlyMap<number, number>
  /** Matches that have every word of content, exact. */
  readonly withAllWords: number
  readonly words: readonly WeighedWord[]
}

export interface FoundMatch extends Best {
  readonly rank: number
  readonly match: MatchKind
  readonly neighbour: NeighbourPlace | undefined
}

/** The first matches are sorted again, by how close together their words are. */
const HEAD = 100

/**
 * Ranks all visible documents that match. A pure function of what the scope shows: neither hidden documents nor the
 * division into segments change anything.
 */
export function rankMatches(snapshot: IndexSnapshot, scope: OpenScope, request: RankRequest): RankedPage {
  const { query, limit, after, check } = request
  check()
  const words = weighWords(soughtWords(query), snapshot, scope)
  const headSize = words.length > 1 ? HEAD : 0
  const current = after && !after.isHead ? currentPlace(snapshot, scope, words, request) : undefined
  // If the last hit is no match any more, as many hits are skipped as were shown.
  const skipped = after && !current ? after.rank : 0
  const top = new TopRanks(Math.max(headSize, skipped) + limit + 1, current)
  const counts = scoreAll(snapshot, scope, words, request, top)
  check()
  const best = top.best().map((one) => ({ ...one, isHead: false }))
  if (current) return pageOf(best, after!.rank, request, counts, words)
  const head = best.slice(0, headSize).map((one) => {
    const bonus = proximityOf(words, snapshot, one.at, scope.parts[one.at]!, one.doc)
    return { ...one, grains: one.grains + Math.round(bonus * UNIT), isHead: true }
  })
  best.splice(0, head.length, ...head.sort(compareRanks))
  const shown = after ? shownOf(best, after) : 0
  return pageOf(best.slice(shown), after?.rank ?? 0, request, counts, words)
}

interface Best extends Ranked {
  readonly isHead: boolean
}

function pageOf(
  rest: readonly Best[],
  before: number,
  { limit }: RankRequest,
  counts: ReturnType<typeof scoreAll>,
  words: readonly WeighedWord[],
): RankedPage {
  const found = rest.slice(0, limit).map((one, at) => ({
    ...one,
    ...{ rank: before + at + 1, match: 'words' as const, neighbour: undefined },
  }))
  return { found, hasMore: rest.length > limit, ...counts, words }
}

/** How many of the best were shown before: up to the last hit if it is still there, else as many as there were. */
function shownOf(best: readonly Best[], { feed, number, rank }: RankPosition): number {
  const at = best.findIndex((one) => one.feed === feed && one.number === number)
  if (at < 0) return Math.max(0, rank - 1)
  // A hit that has moved far down must not hide those that it was before.
  return Math.min(at + 1, rank)
}

/** The current place of the last hit. Every write changes the weights a little, and so the grains of all hits. */
function currentPlace(
  snapshot: IndexSnapshot,
  scope: OpenScope,
  words: readonly WeighedWord[],
  request: RankRequest,
): Ranked | undefined {
  const after = request.after!
  let found: Ranked | undefined
  for (const [at, { columns }] of snapshot.segments.entries()) {
    const run: Run | undefined = columns.runs.find(
      ({ edition }) => scope.scope.editions.get(edition)?.feed === after.feed,
    )
    const doc = run ? columns.numbers.subarray(0, run.end).indexOf(after.number, run.start) : -1
    if (doc < 0 || scope.parts[at]!.visible[doc] === 0) continue
    const seek = {
      minGrains: -1,
      minTime: Number.NEGATIVE_INFINITY,
      add: (ranked: Ranked) => {
        if (ranked.doc === doc) found = ranked
      },
    }
    scoreAll(snapshot, scope, words, request, seek, at)
  }
  return found
}

function scoreAll(
  snapshot: IndexSnapshot,
  scope: OpenScope,
  words: readonly WeighedWord[],
  request: RankRequest,
  top: Pick<TopRanks, 'minGrains' | 'minTime' | 'add'>,
  only?: number,
): Pick<RankedPage, 'total' | 'totals' | 'withAllWords'> {
  const totals = new Map<number, number>()
  const all = { total: 0, withAllWords: 0, totals }
  const ranking = new SegmentRanking(snapshot, scope, words, request, top)
  for (let at = scope.parts.length - 1; at >= 0; at--) {
    if (scope.parts[at]!.documents === 0 || (only !== undefined && at !== only)) continue
    request.check()
    const { total, withAllWords, byRun } = ranking.rank(at)
    all.total += total
    all.withAllWords += withAllWords
    for (const [run, { edition }] of snapshot.segments[at]!.columns.runs.entries())
      if (byRun[run]! > 0) totals.set(edition, (totals.get(edition) ?? 0) + byRun[run]!)
  }
  return all
}
