import { isSentence, type Query, soughtWords } from '../query/query.ts'
import type { MatchKind, NeighbourPlace } from '../search-store.ts'
import type { IndexSnapshot } from '../segments/index-snapshot.ts'
import { type AlikeFeed, type Kinded, kindOf, lowerAlike, sizeOf } from './alike.ts'
import type { MatchFilter } from './index-scope.ts'
import { strongestNeighbour } from './neighbours/context.ts'
import { type OpenScope, UNIT } from './open-scope.ts'
import { proximityOf } from './proximity.ts'
import { compareRanks, type Ranked, type RankPosition, type RankStatistics, TopRanks } from './scoring/top-ranks.ts'
import { SegmentRanking } from './segment-ranking.ts'
import { type CountedWord, type WeighedWord, weighWords } from './weighed-words.ts'
import { WordPlaces } from './word-places.ts'

export interface RankRequest {
  readonly query: Query
  readonly filter: MatchFilter | undefined
  readonly limit: number
  /** The page begins after this position. */
  readonly after: RankPosition | undefined
  /** Called between steps of the work. Throws if the work must stop. */
  check(): void
}

export interface RankedPage {
  /** Best first. */
  readonly found: readonly FoundMatch[]
  readonly hasMore: boolean
  /** Number of documents that match by their own words, exact, and how many of them each edition has. */
  readonly total: number
  readonly totals: Pick<ReadonlyMap<number, number>, 'get'>
  /** Number of matches that have every word of content, exact. */
  readonly withAllWords: number
  readonly words: readonly CountedWord[]
  readonly statistics: RankStatistics
}

interface FoundMatch extends Ranked {
  readonly isHead: boolean
  readonly match: MatchKind
  readonly neighbour: NeighbourPlace | undefined
}

/**
 * Max. size of the head on the first page. The head consists of the best matches. They are sorted again by how close
 * together their words are, and matches of the same kind are spread out.
 */
const HEAD = 100
/** Max. size of the head. Writes between two pages can make it larger. */
const MAX_HEAD = 400

/**
 * Ranks all visible documents that match. Quotes in a sentence often mark a name and not a demand. So if no document
 * has the quoted words, they count like other words.
 */
export function rankMatches(snapshot: IndexSnapshot, scope: OpenScope, request: RankRequest): RankedPage {
  const { query, after } = request
  if (!after?.statistics.hasFreeQuotes) {
    const page = rankDemanded(snapshot, scope, request)
    // A later page demands what the first page demanded, whatever was written since.
    if (after || page.total > 0 || query.phrases.length === 0 || !isSentence(query)) return page
  }
  const free = { ...query, words: soughtWords(query), phrases: [] }
  const page = rankDemanded(snapshot, scope, { ...request, query: free })
  return { ...page, statistics: { ...page.statistics, hasFreeQuotes: true } }
}

/**
 * Depends only on what the scope shows: neither hidden documents nor the division into segments change the answer. A
 * later page uses the statistics of the first page, so that writes between them do not change the order.
 */
function rankDemanded(snapshot: IndexSnapshot, scope: OpenScope, request: RankRequest): RankedPage {
  const { query, limit, after, check } = request
  check()
  const kept = after?.statistics
  // If a stream got its first record since the first page, there are fields without a stored average.
  const isKnown = kept?.averages.length === scope.scope.classes.length
  const averages = kept && isKnown ? kept.averages : scope.averages()
  scope.weighFields(averages)
  const words = weighWords(soughtWords(query), snapshot, scope, after?.statistics.words)
  const headSize = words.length > 1 ? HEAD : 0
  const beyondHead = after && !after.isHead ? { ...after, order: orderOf(scope, after.feed) } : undefined
  const size = beyondHead || headSize === 0 ? 0 : after ? MAX_HEAD : headSize
  const top = new TopRanks(size + limit + 1, beyondHead)
  const counts = scoreAll(snapshot, scope, words, request, top)
  check()
  const best = top.best()
  const headGrains =
    after?.statistics.headGrains ?? (headSize === 0 ? Number.MAX_SAFE_INTEGER : (best[headSize]?.grains ?? -1))
  const { placed: all, feeds: alike } = beyondHead
    ? { placed: best.map(beyond), feeds: after!.statistics.alike }
    : withHead(best, Math.min(headGrains, 2 ** 31 - 1), words, snapshot, scope, after?.statistics.alike)
  const rest = after?.isHead ? all.filter((one) => !one.isHead || isAfter(one, after, scope)) : all
  const found = rest.slice(0, limit).map((one) => ({
    ...one,
    match: one.isContext ? ('context' as const) : ('words' as const),
    neighbour: one.isContext ? strongestNeighbour(one, words, snapshot, scope) : undefined,
  }))
  const keptWords = words.map(({ weight, isRare, spread }) => ({ weight, isRare, spread }))
  const statistics = {
    ...{ words: keptWords, averages, headGrains: Math.min(headGrains, 2 ** 31 - 1), alike },
    hasFreeQuotes: false,
  }
  return { found, hasMore: rest.length > limit, ...counts, statistics }
}

type Placed = Ranked & { readonly isHead: boolean }

const beyond = (one: Ranked): Placed => ({ ...one, isHead: false })

/**
 * The head consists of the matches with more grains than `headGrains`, up to a maximum. Matches with equal grains are
 * all in the head or all outside. Adds the bonus for close words, and lowers matches of the same kind.
 */
function withHead(
  best: readonly Ranked[],
  headGrains: number,
  words: readonly WeighedWord[],
  snapshot: IndexSnapshot,
  scope: OpenScope,
  alike: readonly AlikeFeed[] | undefined,
): { placed: Placed[]; feeds: readonly AlikeFeed[] } {
  const end = best.findIndex(({ grains }) => grains <= headGrains)
  const count = Math.min(MAX_HEAD, end < 0 ? best.length : end)
  const places = new WordPlaces(words, snapshot)
  const head = best.slice(0, count).map((one): Kinded<Placed> => {
    const found = places.in(one.at, scope.parts[one.at]!, one.doc)
    const bonus = proximityOf(words, found, scope.levers)
    const grains = one.grains + Math.round(bonus * UNIT)
    const kind = kindOf(one.feed, words, found, scope.actorSlots(one.at, one.doc))
    const size = sizeOf(snapshot.segments[one.at]!.columns, scope.parts[one.at]!, one.doc)
    return { ...one, grains, isHead: true, kind, size }
  })
  const { hits, feeds } = lowerAlike<Placed>(head, scope.levers, alike)
  return { placed: [...hits, ...best.slice(count).map(beyond)], feeds }
}

const isAfter = (one: Placed, after: RankPosition, scope: OpenScope): boolean =>
  compareRanks({ ...after, order: orderOf(scope, after.feed) }, one) < 0

function orderOf({ scope }: OpenScope, feed: number): number {
  for (const edition of scope.editions.values()) if (edition.feed === feed) return edition.order
  return -1
}

function scoreAll(
  snapshot: IndexSnapshot,
  scope: OpenScope,
  words: readonly WeighedWord[],
  request: RankRequest,
  top: Pick<TopRanks, 'minGrains' | 'minTime' | 'wanted' | 'add'>,
): Pick<RankedPage, 'total' | 'totals' | 'withAllWords' | 'words'> {
  const byOrder = new Uint32Array(scope.orders)
  let [matches, withAllWords] = [0, 0]
  const ranking = new SegmentRanking(snapshot, scope, words, request, top)
  for (const at of inRankOrder(scope, words.length)) {
    request.check()
    const { total, withAllWords: complete, byRun } = ranking.rank(at)
    matches += total
    withAllWords += complete
    // A segment may have hundreds of runs, of which a rare word is in a few.
    const { orders } = scope.parts[at]!.layout
    for (let run = 0; total > 0 && run < byRun.length; run++)
      if (byRun[run] !== 0) byOrder[orders[run]!]! += byRun[run]!
  }
  const counted = words.map((word) => ({ ...word, records: ranking.recordsOf(word) }))
  const totals = { get: (edition: number) => byOrder[scope.scope.editions.get(edition)?.order ?? -1] }
  return { total: matches, withAllWords, totals, words: counted }
}

/** The first segment has at least this many documents, if there is one. */
const MIN_FIRST = 2048

/**
 * The order in which segments are ranked. For several words a segment of moderate size comes first: its best documents
 * cost little, and set a minimum that excludes most documents of the others. Then come the large ones, the newest first
 * among them.
 */
function inRankOrder({ parts }: OpenScope, words: number): number[] {
  const largest = parts.reduce((max, { documents }) => Math.max(max, documents), 0)
  const [first, large, small]: number[][] = [[], [], []]
  for (let at = parts.length - 1; at >= 0; at--) {
    const { documents } = parts[at]!
    if (documents === 0) continue
    if (documents * 2 >= largest) large!.push(at)
    else if (words > 1 && first!.length === 0 && documents >= MIN_FIRST) first!.push(at)
    else small!.push(at)
  }
  return [...first!, ...large!, ...small!]
}
