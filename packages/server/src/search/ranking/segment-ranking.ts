import { liftBy } from '../query/named-times.ts'
import type { IndexSnapshot } from '../segments/index-snapshot.ts'
import { entriesIn } from '../segments/postings-codec.ts'
import { demandedDocuments, isPlain } from './demands.ts'
import { type ConversationWindow, type Incoming, windowOf } from './neighbours/window.ts'
import { type OpenScope, UNIT } from './open-scope.ts'
import type { RankRequest } from './rank-matches.ts'
import type { DocumentBits } from './scoring/document-bits.ts'
import type { FormPostings } from './scoring/form-postings.ts'
import { MAX_LATER_WORDS } from './scoring/later-words.ts'
import { MatchCounts, type WordDocuments, withIncoming } from './scoring/match-counts.ts'
import { OneWordRanks } from './scoring/one-word.ts'
import { ScorePruning } from './scoring/score-pruning.ts'
import { type SegmentCounts, SegmentScores } from './scoring/segment-scores.ts'
import type { TopRanks } from './scoring/top-ranks.ts'
import { WordLimits, type WordLists } from './scoring/word-limits.ts'
import { accepts } from './visible-postings.ts'
import { countAny, gainsOf, type WeighedWord } from './weighed-words.ts'

/** In a segment with fewer entries than this, all documents are scored, because pruning would cost more. */
const MIN_PRUNED = 256

/** In the first segments the heaviest words set the minimum. After that, the best documents so far set a better one. */
const FIRST_SEGMENTS = 2
const FIRST_WORDS = 2

/** Ranks the matches of one segment after another, and keeps the best of all segments. */
export class SegmentRanking {
  readonly #snapshot: IndexSnapshot
  readonly #scope: OpenScope
  readonly #words: readonly WeighedWord[]
  readonly #request: RankRequest
  readonly #top: Pick<TopRanks, 'minGrains' | 'minTime' | 'wanted' | 'add'>
  readonly #allWeights: number
  readonly #content: number
  /** Set if words count for neighbours. */
  readonly #window: ConversationWindow | undefined
  /** A function from a time to its lift in grains, if the query names a time. */
  readonly #lift: ((time: number) => number) | undefined
  readonly #maxLift: number
  /** The gain of an edition's documents because words of the query name its stream or fields. */
  readonly #gains: ReadonlyMap<number, number>
  readonly #maxGain: number
  readonly #records = new Map<WeighedWord, number>()
  readonly #limits: WordLimits
  /** Set if the query is a single word without other conditions, which is ranked faster. */
  readonly #oneWord: OneWordRanks | undefined
  readonly #isAlone: boolean
  #ranked = 0

  constructor(
    snapshot: IndexSnapshot,
    scope: OpenScope,
    words: readonly WeighedWord[],
    request: RankRequest,
    top: Pick<TopRanks, 'minGrains' | 'minTime' | 'wanted' | 'add'>,
  ) {
    this.#snapshot = snapshot
    this.#scope = scope
    this.#words = inOrder(words)
    this.#limits = new WordLimits(scope, this.#words)
    this.#request = request
    this.#top = top
    this.#allWeights = words.reduce((sum, { weight }) => sum + weight, 0)
    this.#content = words.filter((word) => word.content).length
    this.#window = windowOf(this.#words, this.#content, snapshot, scope, request.query)
    const maxLift = scope.levers.date * this.#allWeights * UNIT
    const lift = request.query.times.length > 0 && maxLift > 0 ? liftBy(request.query.times) : undefined
    this.#lift = lift && ((time) => Math.round(maxLift * lift(time)))
    this.#maxLift = Math.ceil(maxLift)
    this.#gains = gainsOf(this.#words, scope)
    this.#maxGain = Math.max(0, ...this.#gains.values())
    this.#isAlone = words.length === 1
    const isOne = !lift && this.#isAlone && isPlain(request.query) && !request.filter
    this.#oneWord = isOne ? new OneWordRanks(scope, words[0]!.weight) : undefined
  }

  /** Number of visible documents that have the word. Call after all segments were ranked. */
  recordsOf(word: WeighedWord): number {
    if (word.forms.length === 1) return word.reach
    // A currency that nobody typed was only looked up in documents that other words found, so it is counted here.
    return isPlain(this.#request.query) && !word.isImplied
      ? (this.#records.get(word) ?? 0)
      : countAny(word.forms, this.#snapshot, this.#scope)
  }

  rank(at: number): SegmentCounts {
    const byRun = new Uint32Array(this.#snapshot.segments[at]!.columns.runs.length)
    return this.#oneWord ? this.#rankOneWord(this.#oneWord, at, byRun) : this.#rankWords(at, byRun)
  }

  #rankOneWord(ranks: OneWordRanks, at: number, byRun: Uint32Array): SegmentCounts {
    const word = this.#words[0]!
    const total = ranks.rank(this.#lists(word, at), this.#scope.parts[at]!, byRun, this.#top, (doc, grains) =>
      this.#add(at, doc, grains),
    )
    this.#records.set(word, (this.#records.get(word) ?? 0) + total)
    return { total, withAllWords: total, byRun }
  }

  #rankWords(at: number, byRun: Uint32Array): SegmentCounts {
    const lists = this.#words.map((word) => this.#lists(word, at))
    const isPruned = this.#isPruned(at, lists)
    const documents: (WordDocuments | undefined)[] = []
    const counts = isPruned ? this.#count(at, lists, byRun, documents) : { total: 0, withAllWords: 0, byRun }
    const pruning = this.#pruning(isPruned ? this.#minOf(at, lists) : this.#top.minGrains)
    const incoming = this.#incoming(at, lists, documents, pruning)
    for (const [position, word] of this.#words.entries())
      if (documents[position]) documents[position] = withIncoming(documents[position], incoming.get(word), position)
    const scores = isPruned
      ? this.#scoreBest(at, lists, documents, incoming, pruning)
      : this.#score(at, lists, incoming)
    if (!scores) return counts
    const { filter } = this.#request
    const floor = filter ? -1 : scores.minOfBest(pruning)
    const { columns } = this.#snapshot.segments[at]!
    const [top, lift, { times }] = [this.#top, this.#lift, this.#scope.parts[at]!.layout]
    const maxLift = lift ? this.#maxLift : 0
    scores.each(
      {
        ...{ allWeights: this.#allWeights, content: this.#content, named: this.#named(at) },
        accepts: filter && ((run, doc) => accepts(filter, columns, run, doc)),
        minGrains: () => Math.max(floor, top.minGrains) - maxLift,
        visit: (run, doc, own, isContext) => {
          const time = times[run]?.[doc] ?? Number.NEGATIVE_INFINITY
          const grains = own + (lift && times[run] ? lift(time) : 0)
          if (grains < top.minGrains || (grains === top.minGrains && time < top.minTime)) return
          this.#add(at, doc, grains, isContext)
        },
      },
      isPruned ? undefined : counts,
    )
    return counts
  }

  /**
   * True if the words have many postings. Then matches are counted with bits, and only documents that may be among the
   * best are scored.
   */
  #isPruned(at: number, lists: WordLists): boolean {
    if (!isPlain(this.#request.query) || this.#request.filter || !this.#scope.parts[at]!.hasAllFields) return false
    let entries = 0
    for (const forms of lists) for (const { postings } of forms) entries += entriesIn(postings)
    return entries >= MIN_PRUNED
  }

  /** Counts the matches. Adds for each word that finds documents which ones have it. */
  #count(at: number, lists: WordLists, byRun: Uint32Array, documents: (WordDocuments | undefined)[]): SegmentCounts {
    const counts = new MatchCounts(this.#scope, this.#scope.parts[at]!)
    for (const [position, word] of this.#words.entries()) {
      if (!this.#finds(word)) continue
      const added = counts.add(lists[position]!)
      documents[position] = added
      this.#records.set(word, (this.#records.get(word) ?? 0) + added.records)
    }
    const { total, withAllWords } = counts.finish(byRun)
    // A query of function words only demands no word of content, so every match has all of them.
    return { total, withAllWords: this.#content === 0 ? total : withAllWords, byRun }
  }

  /**
   * Scores the documents that may be among the best. After each word, drops the documents that the words still to come
   * cannot lift among the best. As soon as the segment is closed, the remaining words only add to the documents that
   * are left.
   */
  #scoreBest(
    at: number,
    lists: WordLists,
    documents: readonly (WordDocuments | undefined)[],
    incomingOf: ReadonlyMap<WeighedWord, Incoming>,
    pruning: ScorePruning,
  ): SegmentScores {
    const scores = new SegmentScores(this.#scope, this.#scope.parts[at]!)
    const rests = this.#limits.rests(at, lists, incomingOf)
    const { minGrains } = pruning
    let isClosed = false
    for (const [position, word] of this.#words.entries()) {
      const { weight, content: isContent } = word
      const onlyFound = isClosed || !this.#finds(word)
      if (onlyFound && scores.isEmpty) continue
      const incoming = incomingOf.get(word)
      const forms = lists[position]!
      const scored = { weight, isContent, onlyFound, isAlone: this.#isAlone }
      const rest = rests[position + 1]!
      const isClosing = pruning.isClosed(rest, minGrains)
      const isFew = isClosing || this.#words.length - position <= MAX_LATER_WORDS + 1
      if (!onlyFound && minGrains > 0 && isFew && !this.#isAlone && forms.length > 0 && scores.isSelective(forms)) {
        const limits = this.#limits.sumLimits(pruning, isClosing, position, at, lists, rests, documents)
        scores.addBest(forms, incoming, scored, limits, this.#limits.ceilings(word))
      } else if (forms.length > 0 || incoming) scores.add(forms, incoming, scored)
      const next = this.#words[position + 1]
      if (next) isClosed = scores.prune(pruning, rests[position + 1]!, rests[0]!, isClosed || !this.#finds(next))
    }
    return scores
  }

  /**
   * The least grains of the best documents. The first segments set no good minimum yet, so the documents of single words
   * tell one too.
   */
  #minOf(at: number, lists: WordLists): number {
    const { minGrains, wanted } = this.#top
    if (this.#ranked++ >= FIRST_SEGMENTS || wanted === undefined) return minGrains
    const single = this.#words
      .slice(0, FIRST_WORDS)
      .map((word, position) =>
        this.#finds(word) ? this.#limits.minGrains(at, word, lists[position]!, wanted, this.#allWeights) : 0,
      )
    return Math.max(minGrains, ...single)
  }

  #pruning(minGrains: number): ScorePruning {
    const { wanted } = this.#top
    const limits = {
      ...{ wanted, minGrains, hasContent: this.#content > 0, allWeights: this.#allWeights },
      ...{ maxGain: this.#maxGain, maxLift: this.#lift ? this.#maxLift : 0 },
    }
    return new ScorePruning(limits, this.#scope.levers)
  }

  /**
   * The values that documents of a segment get from words of their neighbours. `documents` has the documents of words, if
   * they were counted.
   */
  #incoming(
    at: number,
    lists: WordLists,
    documents: readonly (WordDocuments | undefined)[],
    pruning: ScorePruning,
  ): ReadonlyMap<WeighedWord, Incoming> {
    if (!this.#window) return NO_INCOMING
    const [rest, unknown] = [
      { score: 0, weight: 0 },
      { score: 0, weight: 0 },
    ]
    const others: DocumentBits[] = []
    for (const [position, word] of this.#words.entries()) {
      if (word.spread > 0) continue
      const known = documents[position]
      const max = known ? this.#limits.maxOf(at, word, lists[position]!) : { score: word.weight, weight: word.weight }
      for (const sum of known ? [rest] : [rest, unknown]) {
        sum.score += max.score
        sum.weight += max.weight
      }
      if (known) others.push(known.bits)
    }
    return this.#window.incoming(at, { pruning, rest, unknown, others })
  }

  /**
   * True if the word makes a document a match. A function word such as "the" does so only in a query without words of
   * content.
   */
  #finds({ content }: WeighedWord): boolean {
    return content || this.#content === 0
  }

  #score(at: number, all: WordLists, incomingOf: ReadonlyMap<WeighedWord, Incoming>): SegmentScores | undefined {
    const { query } = this.#request
    const isFree = isPlain(query)
    const allowed = isFree ? undefined : demandedDocuments(query, this.#snapshot, at, this.#scope)
    if (!isFree && !allowed) return
    const scores = new SegmentScores(this.#scope, this.#scope.parts[at]!, allowed?.marks, allowed?.few)
    for (const [position, word] of this.#words.entries()) {
      const { weight, content: isContent } = word
      const onlyFound = !this.#finds(word)
      if (onlyFound && scores.isEmpty) continue
      const lists = all[position]!
      const incoming = incomingOf.get(word)
      if (lists.length === 0 && !incoming) continue
      const count = scores.add(lists, incoming, { weight, isContent, onlyFound, isAlone: this.#isAlone })
      this.#records.set(word, (this.#records.get(word) ?? 0) + count)
    }
    return scores
  }

  #lists({ forms }: WeighedWord, at: number): FormPostings[] {
    const lists: FormPostings[] = []
    for (const { term, closeness } of forms) {
      const postings = this.#snapshot.postings(term, at)
      if (postings) lists.push({ postings, closeness })
    }
    return lists
  }

  #named(at: number): Float64Array | undefined {
    if (this.#gains.size === 0) return
    return Float64Array.from(this.#snapshot.segments[at]!.columns.runs, ({ edition }) => this.#gains.get(edition) ?? 0)
  }

  #add(at: number, doc: number, grains: number, isContext = false): void {
    const { columns } = this.#snapshot.segments[at]!
    const { runOf, feeds, orders, times } = this.#scope.parts[at]!.layout
    const run = runOf[doc]!
    const { edition } = columns.runs[run]!
    const time = times[run]?.[doc] ?? Number.NEGATIVE_INFINITY
    const [feed, order, number] = [feeds[run]!, orders[run]!, columns.numbers[doc]!]
    this.#top.add({ at, doc, edition, grains, time, feed, order, number, isContext })
  }
}

const NO_INCOMING: ReadonlyMap<WeighedWord, Incoming> = new Map()

/**
 * Words of content come first, because the others find no documents. Then the heaviest come first, because pruning can
 * begin as soon as the words that are left can add little.
 */
function inOrder(words: readonly WeighedWord[]): WeighedWord[] {
  return [...words].sort((a, b) => Number(b.content) - Number(a.content) || b.weight - a.weight)
}
