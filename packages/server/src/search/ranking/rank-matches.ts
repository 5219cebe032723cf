import { type Query, soughtWords } from '../query/query.ts'
import type { Run } from '../segments/document-columns.ts'
import type { IndexSnapshot } from '../segments/index-snapshot.ts'
import type { MatchFilter } from './index-scope.ts'
import { type OpenScope, UNIT } from './open-scope.ts'
import { phraseDocuments } from './phrases.ts'
import { proximityOf } from './proximity.ts'
import { SegmentScores } from './segment-scores.ts'
import { compareRanks, type Ranked, type RankPosition, TopRanks } from './top-ranks.ts'
import { accepts } from './visible-postings.ts'
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
  { query, filter, check }: RankRequest,
  top: Pick<TopRanks, 'minGrains' | 'add'>,
  only?: number,
): Pick<RankedPage, 'total' | 'totals' | 'withAllWords'> {
  const allWeights = words.reduce((sum, { weight }) => sum + weight, 0)
  const content = words.filter((word) => word.content).length
  const ordered = inOrder(words)
  let [total, withAllWords] = [0, 0]
  const totals = new Map<number, number>()
  for (const [at, part] of scope.parts.entries()) {
    if (part.documents === 0 || (only !== undefined && at !== only)) continue
    check()
    const demanded = demandedDocuments(query, snapshot, scope, at)
    if (demanded === NOTHING) continue
    const scores = new SegmentScores(part, scope.counted)
    for (const { forms, weight, content: isContent, records } of ordered) {
      if (records === 0 || (!isContent && content > 0 && scores.isEmpty)) continue
      for (const { term, closeness } of forms) {
        const postings = snapshot.postings(term, at)
        // Records that have only words like "the" and "with" are no matches for a question about something.
        if (postings) scores.add(postings, closeness, !isContent && content > 0)
      }
      scores.endWord(weight, isContent)
    }
    const { columns } = snapshot.segments[at]!
    const { runOf } = part.layout
    const byRun = new Uint32Array(columns.runs.length)
    scores.each(allWeights, (doc, grains, contentWords) => {
      if (demanded && demanded[doc] === 0) return
      const run = runOf[doc]!
      if (filter && !accepts(filter, columns, run, doc)) return
      total++
      byRun[run]!++
      if (contentWords === content) withAllWords++
      if (grains < top.minGrains) return
      const { edition } = columns.runs[run]!
      const { feed, orderedBy } = scope.scope.editions.get(edition)!
      const time = orderedBy === undefined ? Number.NEGATIVE_INFINITY : columns.times[orderedBy][doc]!
      top.add({ at, doc, edition, grains, time, feed, number: columns.numbers[doc]! })
    })
    for (const [run, { edition }] of columns.runs.entries())
      if (byRun[run]! > 0) totals.set(edition, (totals.get(edition) ?? 0) + byRun[run]!)
  }
  return { total, totals, withAllWords }
}

/** Scores are sums of fractions, which depend on the order of addition: words of content first, the heaviest first. */
function inOrder(words: readonly WeighedWord[]): WeighedWord[] {
  return [...words].sort(
    (a, b) => Number(b.content) - Number(a.content) || b.weight - a.weight || (a.term < b.term ? -1 : 1),
  )
}

const NOTHING = new Uint8Array(0)

/** The documents of a segment that have what the query demands and nothing that it excludes; undefined if all do. */
function demandedDocuments(
  { phrases, fieldTerms, exclusions }: Query,
  snapshot: IndexSnapshot,
  scope: OpenScope,
  at: number,
): Uint8Array | undefined {
  if (phrases.length + fieldTerms.length + exclusions.length === 0) return
  const part = scope.parts[at]!
  let allowed: Uint8Array = part.visible
  for (const phrase of [...phrases, ...fieldTerms]) {
    const marks = phraseDocuments(phrase, snapshot, at, part, scope.scope.classes)
    if (!marks) return NOTHING
    const before = allowed
    allowed = marks.map((mark, doc) => mark & before[doc]!)
  }
  for (const phrase of exclusions) {
    const marks = phraseDocuments(phrase, snapshot, at, part, scope.scope.classes)
    if (!marks) continue
    const before = allowed
    allowed = marks.map((mark, doc) => (mark ^ 1) & before[doc]!)
  }
  return allowed
}
