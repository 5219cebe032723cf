import { liftBy } from '../query/named-times.ts'
import type { Query, QueryPhrase } from '../query/query.ts'
import type { IndexSnapshot } from '../segments/index-snapshot.ts'
import { gainsOf } from './named-gains.ts'
import { type OpenScope, UNIT } from './open-scope.ts'
import { phraseDocuments } from './phrases.ts'
import type { RankRequest } from './rank-matches.ts'
import { type DocumentBits, entryStarts } from './scoring/document-bits.ts'
import { type LaterWord, MAX_LATER_WORDS, SumLimits } from './scoring/later-words.ts'
import { ceilingsOf, minShare } from './scoring/list-bounds.ts'
import { MatchCounts, type WordDocuments, withIncoming } from './scoring/match-counts.ts'
import { OneWordRanks } from './scoring/one-word.ts'
import { grainsOfShare, type Rest, ScorePruning } from './scoring/score-pruning.ts'
import { type FormPostings, longestOf, type SegmentCounts, SegmentScores } from './scoring/segment-scores.ts'
import type { TopRanks } from './scoring/top-ranks.ts'
import type { VisiblePart } from './visible-part.ts'
import { accepts } from './visible-postings.ts'
import { countAny, type WeighedWord } from './weighed-words.ts'
import { type ConversationWindow, type Incoming, windowOf } from './window.ts'

/** Max. allowed documents that are looked up one by one in postings. */
const FEW = 4096
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
  readonly #ceilingsOf = new Map<WeighedWord, Float64Array>()
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
      if (documents[position]) documents[position] = withIncoming(documents[position], incoming.get(word))
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
  #isPruned(at: number, lists: readonly FormPostings[][]): boolean {
    if (!isPlain(this.#request.query) || this.#request.filter || !this.#scope.parts[at]!.hasAllFields) return false
    let entries = 0
    for (const forms of lists) for (const { postings } of forms) entries += postings.docs.length
    return entries >= MIN_PRUNED
  }

  /** Counts the matches. Adds for each word that finds documents which ones have it. */
  #count(
    at: number,
    lists: readonly FormPostings[][],
    byRun: Uint32Array,
    documents: (WordDocuments | undefined)[],
  ): SegmentCounts {
    const counts = new MatchCounts(this.#scope, this.#scope.parts[at]!)
    for (const [position, word] of this.#words.entries()) {
      if (!this.#finds(word)) continue
      const added = counts.add(lists[position]!)
      documents[position] = added
      this.#records.set(word, (this.#records.get(word) ?? 0) + added.records)
    }
    return { ...counts.finish(byRun), byRun }
  }

  /**
   * Scores the documents that may be among the best. After each word, drops the documents that the words still to come
   * cannot lift among the best. As soon as the segment is closed, the remaining words only add to the documents that
   * are left.
   */
  #scoreBest(
    at: number,
    lists: readonly FormPostings[][],
    documents: readonly (WordDocuments | undefined)[],
    incomingOf: ReadonlyMap<WeighedWord, Incoming>,
    pruning: ScorePruning,
  ): SegmentScores {
    const part = this.#scope.parts[at]!
    const scores = new SegmentScores(this.#scope, part)
    const rests = this.#rests(at, lists, incomingOf)
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
        const limits = this.#limits(pruning, isClosing, position, lists, rests, documents, part)
        scores.addBest(forms, incoming, scored, limits, this.#ceilings(word))
      } else if (forms.length > 0 || incoming) scores.add(forms, incoming, scored)
      const next = this.#words[position + 1]
      if (next) isClosed = scores.prune(pruning, rests[position + 1]!, rests[0]!, isClosed || !this.#finds(next))
    }
    return scores
  }

  #limits(
    pruning: ScorePruning,
    isClosing: boolean,
    position: number,
    lists: readonly FormPostings[][],
    rests: readonly Rest[],
    documents: readonly (WordDocuments | undefined)[],
    part: VisiblePart,
  ): SumLimits {
    const later = this.#words.map((word, at): LaterWord | undefined => {
      const longest = longestOf(lists[at]!)
      if (at <= position || !documents[at] || !longest) return undefined
      const { impacts } = this.#scope.boundsOf(longest, part)
      const max = {
        ...{ score: rests[at]!.score - rests[at + 1]!.score, weight: rests[at]!.weight - rests[at + 1]!.weight },
      }
      const starts = entryStarts(longest.postings, part.visible.length)
      return { ...documents[at], longest, starts, impacts, max, ceilings: this.#ceilings(word) }
    })
    const { weight } = this.#words[position]!
    return new SumLimits(pruning, weight, rests[position + 1]!, later, isClosing)
  }

  #ceilings(word: WeighedWord): Float64Array {
    const known = this.#ceilingsOf.get(word) ?? ceilingsOf(word.weight)
    this.#ceilingsOf.set(word, known)
    return known
  }

  /**
   * The least grains of the best documents. The first segments set no good minimum yet, so the documents of single words
   * tell one too.
   */
  #minOf(at: number, lists: readonly FormPostings[][]): number {
    const { minGrains, wanted } = this.#top
    if (this.#ranked++ >= FIRST_SEGMENTS || wanted === undefined) return minGrains
    const single = this.#words.slice(0, FIRST_WORDS).map((word, position) => {
      const longest = this.#finds(word) ? longestOf(lists[position]!) : undefined
      if (!longest || longest.postings.documents < wanted) return minGrains
      const share = minShare(this.#scope.boundsOf(longest, this.#scope.parts[at]!), wanted)
      return grainsOfShare(share, word.weight, this.#allWeights, this.#scope.levers)
    })
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
    lists: readonly FormPostings[][],
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
      const max = known ? this.#maxOf(at, word, lists[position]!) : { score: word.weight, weight: word.weight }
      for (const sum of known ? [rest] : [rest, unknown]) {
        sum.score += max.score
        sum.weight += max.weight
      }
      if (known) others.push(known.bits)
    }
    return this.#window.incoming(at, { pruning, rest, unknown, others })
  }

  /** For each word an upper bound of what it and all words after it can add to a document of this segment. */
  #rests(at: number, lists: readonly FormPostings[][], incoming: ReadonlyMap<WeighedWord, Incoming>): Rest[] {
    const rests: Rest[] = []
    let [score, weight] = [0, 0]
    rests[lists.length] = { score, weight }
    for (let position = lists.length - 1; position >= 0; position--) {
      const word = this.#words[position]!
      const max = this.#maxOf(at, word, lists[position]!, incoming.get(word))
      score += max.score
      weight += max.weight
      rests[position] = { score, weight }
    }
    return rests
  }

  /**
   * The most that a word can add to a document of a segment. It adds no more than the largest sums of its lists together
   * allow, or those of neighbours.
   */
  #maxOf(at: number, word: WeighedWord, forms: readonly FormPostings[], incoming?: Incoming): Rest {
    if (incoming && incoming.maxSum === undefined) return { score: word.weight, weight: word.weight }
    const { saturation } = this.#scope.levers
    let sum = 0
    for (const form of forms) sum += this.#scope.boundsOf(form, this.#scope.parts[at]!).max
    const units = Math.max(sum, incoming?.maxSum ?? 0) / UNIT
    return { score: (word.weight * units) / (saturation + units), weight: units > 0 ? word.weight : 0 }
  }

  /**
   * True if the word makes a document a match. A function word such as "the" does so only in a query without words of
   * content.
   */
  #finds({ content }: WeighedWord): boolean {
    return content || this.#content === 0
  }

  #score(
    at: number,
    all: readonly FormPostings[][],
    incomingOf: ReadonlyMap<WeighedWord, Incoming>,
  ): SegmentScores | undefined {
    const allowed = this.#demanded(at)
    if (allowed === NOTHING) return
    const scores = new SegmentScores(this.#scope, this.#scope.parts[at]!, allowed, allowed && fewOf(allowed))
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
    const { edition } = columns.runs[this.#scope.parts[at]!.layout.runOf[doc]!]!
    const { feed, order, orderedBy } = this.#scope.scope.editions.get(edition)!
    const time = orderedBy === undefined ? Number.NEGATIVE_INFINITY : columns.times[orderedBy][doc]!
    this.#top.add({ at, doc, edition, grains, time, feed, order, number: columns.numbers[doc]!, isContext })
  }

  /**
   * Marks the documents that have everything that the query demands and nothing that it excludes. Undefined if the
   * query demands and excludes nothing.
   */
  #demanded(at: number): Uint8Array | undefined {
    const { query } = this.#request
    if (isPlain(query)) return
    const part = this.#scope.parts[at]!
    const marksOf = (phrase: QueryPhrase) =>
      phraseDocuments(phrase, this.#snapshot, at, part, this.#scope.scope.classes)
    const allowed = part.visible.slice()
    for (const phrase of [...query.phrases, ...query.fieldTerms]) {
      const marks = marksOf(phrase)
      if (!marks) return NOTHING
      for (let doc = 0; doc < allowed.length; doc++) allowed[doc]! &= marks[doc]!
    }
    for (const phrase of query.exclusions) {
      const marks = marksOf(phrase)
      for (let doc = 0; marks && doc < allowed.length; doc++) if (marks[doc] === 1) allowed[doc] = 0
    }
    return allowed
  }
}

const NOTHING = new Uint8Array(0)
const NO_INCOMING: ReadonlyMap<WeighedWord, Incoming> = new Map()

const isPlain = ({ phrases, fieldTerms, exclusions }: Query): boolean =>
  phrases.length + fieldTerms.length + exclusions.length === 0

function fewOf(allowed: Uint8Array): number[] | undefined {
  const few: number[] = []
  for (let doc = allowed.indexOf(1); doc >= 0; doc = allowed.indexOf(1, doc + 1)) {
    if (few.length === FEW) return
    few.push(doc)
  }
  return few
}

/**
 * Words of content come first, because the others find no documents. Then the heaviest come first, because pruning can
 * begin as soon as the words that are left can add little.
 */
function inOrder(words: readonly WeighedWord[]): WeighedWord[] {
  return [...words].sort((a, b) => Number(b.content) - Number(a.content) || b.weight - a.weight)
}
