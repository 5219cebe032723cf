import { LENGTH_CODES } from '../../segments/length-code.ts'
import { entriesIn } from '../../segments/postings-codec.ts'
import type { Incoming } from '../neighbours/window.ts'
import { type OpenScope, UNIT } from '../open-scope.ts'
import type { VisiblePart } from '../visible-part.ts'
import { bitAt, entryFrom, entryStarts } from './document-bits.ts'
import { type FormPostings, longestOf, sumAt } from './form-postings.ts'
import type { SumLimits } from './later-words.ts'
import { BOUND_BLOCK, impactOf } from './list-bounds.ts'
import { EXACT_PARTS, found, MAX_SUM, met, neared, PARTS, scores, sums, touched } from './score-arrays.ts'
import type { Rest, ScorePruning } from './score-pruning.ts'
import { ANY, FOUND, NEW, WordSums } from './word-sums.ts'

/** Finding a document in postings takes about as long as reading this many entries. */
const LOOKUP_COST = 8
/** Looking up this many documents takes little time in any case. */
const FEW_OTHERS = 256

/** How a word of the query counts in a segment. */
export interface ScoredWord {
  readonly weight: number
  readonly isContent: boolean
  /** True if the word adds to documents that other words found, but finds none itself. */
  readonly onlyFound: boolean
  /** True if the query has no other word. Then documents with the word as it was typed rank first. */
  readonly isAlone: boolean
}

/** Counts of matches. `each` adds to them if all matches were scored. */
export interface SegmentCounts {
  total: number
  withAllWords: number
  /** Number of matches in each run of the segment. */
  readonly byRun: Uint32Array
}

/**
 * Scores the documents of one segment, word by word. The sum of a word is the value of its occurrences in a document,
 * in units of 1/UNIT. A word adds `weight * sum / (saturation + sum)` to the score, and `weight * min(1, sum / whole)`
 * to the covered weight. `each` reads and clears everything, so that the shared arrays are empty for the next segment.
 */
export class SegmentScores {
  readonly #part: VisiblePart
  readonly #scope: OpenScope
  readonly #sums: WordSums
  /** The documents that may match, if they are few. */
  readonly #few: readonly number[] | undefined
  #found = 0

  constructor(scope: OpenScope, part: VisiblePart, allowed = part.visible, few?: readonly number[]) {
    this.#part = part
    this.#scope = scope
    this.#sums = new WordSums(scope, part, allowed)
    this.#few = few
  }

  get isEmpty(): boolean {
    return this.#found === 0
  }

  /**
   * Adds a word in all its forms, and the values that documents get from neighbours that have it. Returns the number of
   * documents that have it themselves.
   */
  add(forms: readonly FormPostings[], incoming: Incoming | undefined, word: ScoredWord): number {
    const longest = longestOf(forms)
    for (const form of forms) if (form !== longest || this.#isLookedUp(form, word)) this.#sum(form, word)
    const own = this.#sums.count
    if (incoming) this.#sums.addIncoming(incoming, word.onlyFound ? FOUND : ANY)
    // The longest list is walked last, because its documents can then be scored at once.
    const listed = longest && !this.#isLookedUp(longest, word) ? this.#endList(longest, word) : 0
    const count = listed + this.#endTouched(own, word)
    if (word.isAlone) for (const form of forms) if (form.closeness === 1) this.#lift(form, word)
    return count
  }

  /** True if `addBest` can add a word in these forms faster than `add`. */
  isSelective(forms: readonly FormPostings[]): boolean {
    const longest = longestOf(forms)
    let others = 0
    for (const form of forms) if (form !== longest) others += entriesIn(form.postings)
    return others <= FEW_OTHERS || 2 * others <= (longest ? entriesIn(longest.postings) : 0)
  }

  /** Like `add`, but finds only documents whose sum is within the limits. No later word may find the others. */
  addBest(
    forms: readonly FormPostings[],
    incoming: Incoming | undefined,
    word: ScoredWord,
    limits: SumLimits,
    ceilings: Float64Array,
  ): void {
    if (this.#found > 0) this.add(forms, incoming, { ...word, onlyFound: true })
    const { minSums } = limits
    const longest = longestOf(forms)
    if (!longest) return
    for (const form of forms) if (form !== longest) this.#sums.addList(form, NEW)
    const own = this.#sums.count
    if (incoming) this.#sums.addIncoming(incoming, NEW)
    const counted = this.#scope.countedFor(longest.closeness)
    const starts = entryStarts(longest.postings, this.#part.visible.length)
    for (let at = 0; at < this.#sums.count; at++) {
      const doc = touched[at]!
      const entry = entryFrom(longest.postings, starts, doc)
      const listed = entry < 0 ? 0 : sumAt(longest, this.#part, counted, entry)
      const sum = sums[doc]! + listed
      sums[doc] = 0
      if (sum >= minSums[limits.has(doc)]!) this.#find(doc, sum, word, at < own || listed > 0)
      else neared[doc] = 0
    }
    this.#sums.count = 0
    const { docs, from, to } = longest.postings
    const { largest, impacts } = this.#scope.boundsOf(longest, this.#part)
    const minImpacts = Uint8Array.from(minSums, (sum) => impactOf(sum, this.#scope.levers.saturation))
    const minSum = minSums.at(-1)!
    for (let block = 0; block < largest.length; block++) {
      if (largest[block]! < minSum) continue
      const start = from + block * BOUND_BLOCK
      const count = choose(docs, impacts, from, start, Math.min(to, start + BOUND_BLOCK), minImpacts, limits)
      for (let at = 0; at < count; at++) {
        const entry = chosen[at]!
        const doc = docs[entry]!
        if (met[doc] !== 0) continue
        const has = laterWords[at]!
        if (!limits.mayBeBest(doc, has, ceilings[impacts[entry - from]!]!, word.weight)) continue
        const sum = sumAt(longest, this.#part, counted, entry)
        if (sum >= minSums[has]!) this.#find(doc, sum, word, true)
      }
    }
  }

  #find(doc: number, sum: number, { weight, isContent }: ScoredWord, isOwn: boolean): void {
    const { saturation, whole } = this.#scope.levers
    const parts = weight * PARTS
    const units = (sum > MAX_SUM ? MAX_SUM : sum) / UNIT
    met[doc] = isContent && isOwn ? 2 : 1
    found[this.#found++] = doc
    scores[2 * doc] = ((parts * units) / (saturation + units)) | 0
    scores[2 * doc + 1] = units >= whole ? parts : ((parts * units) / whole) | 0
  }

  /** If the query has only this word, lifts documents with the word as it was typed above all others. */
  #lift({ postings: { docs, slots, from, to } }: FormPostings, { weight }: ScoredWord): void {
    const { runOf, classAt, classes } = this.#part.layout
    const parts = weight * PARTS
    for (let entry = from; entry < to; entry++) {
      const doc = docs[entry]!
      const isLifted = scores[2 * doc]! >= parts + EXACT_PARTS
      if (met[doc] === 0 || isLifted || classes[classAt[runOf[doc]!]! + slots[entry]!]! < 0) continue
      scores[2 * doc]! += parts + EXACT_PARTS
      scores[2 * doc + 1] = parts
    }
  }

  /** True if single documents are looked up in the postings, because the documents are few and the postings many. */
  #isLookedUp({ postings }: FormPostings, { onlyFound }: ScoredWord): boolean {
    const size = entriesIn(postings)
    if (onlyFound && this.#found * LOOKUP_COST < size) return true
    return this.#few !== undefined && this.#few.length * LOOKUP_COST < size
  }

  #sum(form: FormPostings, word: ScoredWord): void {
    if (!this.#isLookedUp(form, word)) this.#sums.addList(form, word.onlyFound ? FOUND : ANY)
    else if (word.onlyFound) this.#sums.addDocuments(form, found, this.#found)
    else this.#sums.addDocuments(form, this.#few!, this.#few!.length)
  }

  /**
   * Scores the documents of a list, with the sums of all other forms. The score saturates: many occurrences count
   * little more than a few.
   */
  #endList({ postings, closeness }: FormPostings, { weight, isContent, onlyFound }: ScoredWord): number {
    const { docs, slots, counts, lengths, from, to } = postings
    const { allowed, isWhole } = this.#sums
    const { runOf, ends, classAt, classes } = this.#part.layout
    const counted = this.#scope.countedFor(closeness)
    const { saturation, whole } = this.#scope.levers
    const parts = weight * PARTS
    const hasSums = this.#sums.count > 0
    const more = isContent ? 1 : 0
    let last = this.#found
    let count = 0
    let [end, class0] = [0, 0]
    for (let entry = from; entry < to; ) {
      const doc = docs[entry]!
      const words = met[doc]!
      if ((onlyFound && words === 0) || (!isWhole && allowed[doc] === 0)) {
        while (++entry < to && docs[entry] === doc);
        continue
      }
      if (doc >= end) {
        const run = runOf[doc]!
        end = ends[run]!
        class0 = classAt[run]!
      }
      let sum = 0
      do {
        const slot = slots[entry]!
        const of = classes[class0 + slot]!
        if (of < 0) continue
        const once = counted[of * LENGTH_CODES + lengths[entry]!]!
        sum += (counts[entry]! * once * closeness) | 0 || 1
      } while (++entry < to && docs[entry] === doc)
      if (sum === 0) continue
      if (hasSums) {
        sum += sums[doc]!
        sums[doc] = 0
      }
      count++
      met[doc] = words === 0 ? 1 + more : words + more
      if (words === 0) found[last++] = doc
      const units = (sum > MAX_SUM ? MAX_SUM : sum) / UNIT
      scores[2 * doc]! += ((parts * units) / (saturation + units)) | 0
      scores[2 * doc + 1]! += units >= whole ? parts : ((parts * units) / whole) | 0
    }
    this.#found = last
    return count
  }

  /**
   * Scores the other documents with a sum. The first `own` of them have the word themselves; the others get it from
   * neighbours.
   */
  #endTouched(own: number, { weight, isContent }: ScoredWord): number {
    const { saturation, whole } = this.#scope.levers
    const parts = weight * PARTS
    let last = this.#found
    let count = 0
    for (let at = 0; at < this.#sums.count; at++) {
      const doc = touched[at]!
      const sum = sums[doc]!
      if (sum === 0) continue
      sums[doc] = 0
      if (at < own) count++
      const more = isContent && at < own ? 1 : 0
      const words = met[doc]!
      met[doc] = words === 0 ? 1 + more : words + more
      if (words === 0) found[last++] = doc
      const units = (sum > MAX_SUM ? MAX_SUM : sum) / UNIT
      scores[2 * doc]! += ((parts * units) / (saturation + units)) | 0
      scores[2 * doc + 1]! += units >= whole ? parts : ((parts * units) / whole) | 0
    }
    this.#sums.count = 0
    this.#found = last
    return count
  }

  /**
   * Drops documents that cannot be among the best. Returns true if the segment is closed, which means that no document
   * without a word so far can be among the best. Drops nothing while the segment is open, because a later word could
   * find a dropped document again without its score so far.
   */
  prune(pruning: ScorePruning, rest: Rest, all: Rest, isClosed: boolean): boolean {
    if (!isClosed && !pruning.mayClose(rest, all)) return false
    const min = pruning.minOfBest(this.#found)
    if (!isClosed && !pruning.isClosed(rest, min)) return false
    this.#found = pruning.prune(this.#found, rest, min)
    return true
  }

  /** A lower bound of the grains that the best documents have after the last word. */
  minOfBest(pruning: ScorePruning): number {
    return pruning.minOfBest(this.#found)
  }

  /**
   * Calls back with each document that may have enough grains, mostly the newest first. Among documents with equal
   * grains the newer one ranks first, so most later ones are soon too old. The score is multiplied by a factor that
   * grows with the covered share of the query's weight, because one word many times is a worse answer than several of
   * the words.
   */
  each({ allWeights, content, named, accepts, minGrains, visit }: ScoreTaker, counts: SegmentCounts | undefined): void {
    const { uncovered } = this.#scope.levers
    const share = allWeights === 0 ? 0 : (1 - uncovered) / allWeights
    const { runOf } = this.#part.layout
    let min = minGrains()
    for (let at = this.#found - 1; at >= 0; at--) {
      const doc = found[at]!
      let score = scores[2 * doc]! / PARTS
      let covered = scores[2 * doc + 1]! / PARTS
      const words = met[doc]! - 1
      scores[2 * doc] = 0
      scores[2 * doc + 1] = 0
      const isNear = neared[doc] === 1
      met[doc] = 0
      neared[doc] = 0
      const isContext = words === 0 && content > 0
      if ((isContext && !isNear) || (accepts && !accepts(runOf[doc]!, doc))) continue
      if (!isContext && counts) {
        counts.total++
        counts.byRun[runOf[doc]!]!++
        if (words === content) counts.withAllWords++
      }
      if (named) {
        const gain = named[runOf[doc]!]!
        score += gain
        covered += gain
      }
      // Grains are rounded to whole numbers, so that tiny differences do not order documents.
      const grains = score * (uncovered + share * covered) * UNIT
      if (grains + 0.5 < min) continue
      visit(runOf[doc]!, doc, Math.round(grains), isContext)
      min = minGrains()
    }
    this.#found = 0
  }
}

// One search runs at a time in a thread, so all searches use the same arrays.
const chosen = new Int32Array(BOUND_BLOCK)
const laterWords = new Uint8Array(BOUND_BLOCK)

/**
 * Lists in `chosen` the entries of a block whose impacts are large enough for the later words that their documents
 * have, and these words in `laterWords`. Returns their number. It writes every entry and lets the next one overwrite it
 * if its impact is too small, because the processor would often guess the result of a condition wrong.
 */
function choose(
  docs: Uint16Array,
  impacts: Uint8Array,
  from: number,
  start: number,
  end: number,
  minImpacts: Uint8Array,
  { first, second, third, isOne }: SumLimits,
): number {
  const minImpact = minImpacts[minImpacts.length - 1]!
  let large = 0
  for (let entry = start; entry < end; entry++) {
    chosen[large] = entry
    large += (minImpact - 1 - impacts[entry - from]!) >>> 31
  }
  let count = 0
  for (let at = 0; at < large; at++) {
    const entry = chosen[at]!
    const doc = docs[entry]!
    const has = isOne ? bitAt(first, doc) : bitAt(first, doc) | (bitAt(second, doc) << 1) | (bitAt(third, doc) << 2)
    chosen[count] = entry
    laterWords[count] = has
    count += (minImpacts[has]! - 1 - impacts[entry - from]!) >>> 31
  }
  return count
}

export interface ScoreTaker {
  readonly allWeights: number
  /** Number of words of content in the query. */
  readonly content: number
  /** For each run the gain of its documents because words of the query name their stream or fields. */
  readonly named: Float64Array | undefined
  readonly accepts: ((run: number, doc: number) => boolean) | undefined
  /** Documents with fewer grains are skipped. The number already allows for the lift that `visit` may add. */
  minGrains(): number
  visit(run: number, doc: number, grains: number, isContext: boolean): void
}
