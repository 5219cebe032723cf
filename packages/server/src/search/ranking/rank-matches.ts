import { type Query, soughtWords } from '../query/query.ts'
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
  readonly found: readonly (Ranked & { readonly isHead: boolean })[]
  readonly hasMore: boolean
  /** Matches in all, exact, and how many of them each edition has. */
  readonly total: number
  readonly totals: ReadonlyMap<number, number>
  /** Matches that have every word of content, exact. */
  readonly withAllWords: number
  readonly words: readonly WeighedWord[]
}

/** The first matches are sorted again, by how close together their words are. */
const HEAD = 100

/**
 * Ranks all visible documents that match. A pure function of what the scope shows: neither hidden documents nor the
 * division into segments change anything.
 */
export function rankMatches(snapshot: IndexSnapshot, scope: OpenScope, request: RankRequest): RankedPage {
  const { query, limit, check } = request
  check()
  const words = weighWords(soughtWords(query), snapshot, scope)
  const headSize = words.length > 1 ? HEAD : 0
  const showsHead = headSize > 0 && request.after?.isHead !== false
  const after = showsHead ? undefined : currentPosition(snapshot, scope, words, request)
  const top = new TopRanks(limit + 1 + (showsHead ? headSize : 0), after)
  const counts = scoreAll(snapshot, scope, words, request, top)
  check()
  const best = top.best().map((one) => ({ ...one, isHead: false }))
  if (!showsHead) return { found: best.slice(0, limit), hasMore: best.length > limit, ...counts, words }
  const head = best.slice(0, headSize).map((one) => {
    const bonus = proximityOf(words, snapshot, one.at, scope.parts[one.at]!, one.doc)
    return { ...one, grains: one.grains + Math.round(bonus * UNIT), isHead: true }
  })
  best.splice(0, head.length, ...head.sort(compareRanks))
  const rest = restOf(best, request.after)
  return { found: rest.slice(0, limit), hasMore: rest.length > limit, ...counts, words }
}

type Best = RankedPage['found'][number]

/** The hits after one of the first. Weights may have changed since, so it is looked up before its grains are compared. */
function restOf(best: readonly Best[], after: RankPosition | undefined): readonly Best[] {
  if (!after) return best
  const at = best.findIndex(({ feed, number }) => feed === after.feed && number === after.number)
  if (at >= 0) return best.slice(at + 1)
  return best.filter((one) => !one.isHead || compareRanks(after, one) < 0)
}

/** The current rank of the last hit before. Every write changes the weights a little, and so the grains of all hits. */
function currentPosition(
  snapshot: IndexSnapshot,
  scope: OpenScope,
  words: readonly WeighedWord[],
  request: RankRequest,
): RankPosition | undefined {
  const { after } = request
  if (!after) return
  for (const [at, { columns }] of snapshot.segments.entries()) {
    const run: Run | undefined = columns.runs.find(
      ({ edition }) => scope.scope.editions.get(edition)?.feed === after.feed,
    )
    const doc = run ? columns.numbers.subarray(0, run.end).indexOf(after.number, run.start) : -1
    if (doc < 0 || scope.parts[at]!.visible[doc] === 0) continue
    let found: Ranked | undefined
    const seek = {
      minGrains: -1,
      minTime: Number.NEGATIVE_INFINITY,
      add: (ranked: Ranked) => {
        if (ranked.doc === doc) found = ranked
      },
    }
    scoreAll(snapshot, scope, words, request, seek, at)
    if (found) return { ...found, isHead: false }
  }
  return after
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
