import type { Query } from '../../query/query.ts'
import type { IndexSnapshot } from '../../segments/index-snapshot.ts'
import { LENGTH_CODES } from '../../segments/length-code.ts'
import type { OpenScope } from '../open-scope.ts'
import { type DocumentBits, hasBetween, hasDocument } from '../scoring/document-bits.ts'
import { MAX_SUM } from '../scoring/score-arrays.ts'
import type { Rest, ScorePruning } from '../scoring/score-pruning.ts'
import type { WeighedWord } from '../weighed-words.ts'
import { Cells } from './cells.ts'
import { ALONE, type Conversations, conversationsOf, LONG, type Neighbour, SPLIT } from './conversations.ts'

/** The values that documents of one segment get from a word of their neighbours. */
export interface Incoming {
  readonly docs: number[]
  readonly values: number[]
  /** 1 if the neighbour is near. Only a near neighbour can make a document a match. */
  readonly isNear: number[]
  /** No document has a larger sum of the word, with its neighbours. Undefined if this is not known. */
  maxSum: number | undefined
}

/** Which documents may be among the best. */
export interface WindowLimits {
  readonly pruning: ScorePruning
  /**
   * The most that words can add that do not count for neighbours: all of them, and those among them that `others` leaves
   * out.
   */
  readonly rest: Rest
  readonly unknown: Rest
  /** The documents that have such words. */
  readonly others: readonly DocumentBits[]
}

/** States of a cell. In a cell that is half open, only documents with other words may be among the best. */
const [CLOSED, HALF_OPEN, OPEN] = [0, 1, 2]

const near: Neighbour[] = []

/**
 * A giver is a document that has a word and belongs to a conversation. Its values follow each other: the document, its
 * cell and the cell's slot, and the value of the word in all its fields and in those that count for neighbours.
 */
const GIVER_VALUES = 5
const [CELL, SLOT, OWNED, GIVEN] = [1, 2, 3, 4]
// One search runs at a time in a thread, so all searches use the same array. It lists givers word by word and segment
// by segment.
let givers = new Int32Array(1024 * GIVER_VALUES)

/** Lets a share of a word's occurrences count for the documents before and after in the same conversation. */
export class ConversationWindow {
  readonly #snapshot: IndexSnapshot
  readonly #scope: OpenScope
  readonly #words: readonly WeighedWord[]
  readonly #conversations: Conversations
  /** For each segment, 1 for each run whose conversations the grant shows. */
  readonly #grouped: readonly Uint8Array[]
  readonly #cells: readonly Cells[]
  /** For each word, by segment, where its givers begin in the array. Its last position is their end. */
  readonly #starts: number[][] = []
  /** For each word, by segment, the values in conversations that are split over several segments. */
  readonly #split: (Incoming | undefined)[][] = []
  /** The position of the next giver in the array. */
  #end = 0

  /** Expects the words that count for neighbours. */
  constructor(snapshot: IndexSnapshot, scope: OpenScope, words: readonly WeighedWord[]) {
    const { segments } = snapshot
    this.#snapshot = snapshot
    this.#scope = scope
    this.#words = words
    this.#conversations = conversationsOf(segments)
    this.#grouped = segments.map(({ columns }) =>
      Uint8Array.from(columns.runs, ({ edition }) => (scope.scope.editions.get(edition)?.isGrouped ? 1 : 0)),
    )
    this.#cells = segments.map(({ columns }, at) => new Cells(columns, scope, scope.parts[at]!))
    for (const word of words) {
      const [starts, split]: [number[], (Incoming | undefined)[]] = [[], segments.map(() => undefined)]
      for (let at = 0; at < segments.length; at++) {
        starts.push(this.#end)
        this.#gather(at, word, split)
      }
      this.#starts.push([...starts, this.#end])
      this.#split.push(split)
    }
  }

  /**
   * The values that documents of a segment get from each word of their neighbours. Leaves out values of documents that
   * cannot be among the best with all that they and their neighbours have.
   */
  incoming(at: number, { pruning, rest, unknown, others }: WindowLimits): ReadonlyMap<WeighedWord, Incoming> {
    const found = new Map<WeighedWord, Incoming>()
    const cells = this.#cells[at]!
    cells.begin(this.#starts.reduce((sum, starts) => sum + starts[at + 1]! - starts[at]!, 0) / GIVER_VALUES)
    for (const [position, word] of this.#words.entries()) {
      const starts = this.#starts[position]!
      for (let giver = starts[at]!; giver < starts[at + 1]!; giver += GIVER_VALUES)
        givers[giver + SLOT] = cells.add(givers[giver + CELL]!, givers[giver + OWNED]!)
      const maxSum = cells.endWord(word.weight)
      const split = this.#split[position]![at]
      if (split) found.set(word, split)
      else if (maxSum > 0) found.set(word, { docs: [], values: [], isNear: [], maxSum })
    }
    cells.open((score, covered) => {
      if (pruning.boundOf(score + unknown.score, covered + unknown.weight) >= pruning.minGrains) return OPEN
      return pruning.boundOf(score + rest.score, covered + rest.weight) >= pruning.minGrains ? HALF_OPEN : CLOSED
    })
    for (const [position, word] of this.#words.entries()) {
      const starts = this.#starts[position]!
      for (let giver = starts[at]!; giver < starts[at + 1]!; giver += GIVER_VALUES) {
        const state = cells.stateAt(givers[giver + SLOT]!)
        const value = givers[giver + GIVEN]!
        if (value === 0 || state === CLOSED) continue
        const wanted = state === OPEN ? undefined : others
        this.#spreadFrom(at, givers[giver]!, value, word, wanted, found.get(word)!)
      }
    }
    return found
  }

  /** Lists the documents of a segment that have a word and belong to a conversation, once for each form of the word. */
  #gather(at: number, word: WeighedWord, split: (Incoming | undefined)[]): void {
    const grouped = this.#grouped[at]!
    const { visible, isWhole, documents, layout } = this.#scope.parts[at]!
    if (documents === 0 || !grouped.includes(1)) return
    const { runOf, ends, classAt, classes } = layout
    const { spreading } = this.#scope
    const groupOf = this.#conversations.groupsOf(at)
    const states = this.#conversations.statesOf(at)
    const cells = this.#cells[at]!
    for (const { term, closeness } of word.forms) {
      const postings = this.#snapshot.postings(term, at)
      if (!postings) continue
      const { docs, slots, counts, lengths, from, to } = postings
      const counted = this.#scope.countedFor(closeness)
      let [run, end] = [0, 0]
      for (let entry = from; entry < to; ) {
        const doc = docs[entry]!
        if (doc >= end) {
          run = runOf[doc]!
          end = ends[run]!
        }
        if (grouped[run] === 0 || (!isWhole && visible[doc] === 0)) {
          entry++
          continue
        }
        let own = 0
        let value = 0
        for (; entry < to && docs[entry] === doc; entry++) {
          const of = classes[classAt[run]! + slots[entry]!]!
          if (of < 0) continue
          const sum = (counts[entry]! * counted[of * LENGTH_CODES + lengths[entry]!]! * closeness) | 0
          own += sum || 1
          if (spreading[of] === 1) value += sum
        }
        if (own === 0) continue
        const group = groupOf[doc]!
        const state = states[group]! || this.#conversations.stateOf(at, run, group)
        if (state === ALONE) this.#list(doc, group, own, value)
        else if (state === LONG) this.#list(doc, cells.cellOf(doc, group), own, value)
        else if (state === SPLIT && value > 0) this.#spreadSplit(at, doc, value, word, split)
      }
    }
  }

  #list(doc: number, cell: number, own: number, value: number): void {
    const giver = this.#end
    this.#end += GIVER_VALUES
    if (this.#end > givers.length) givers = withRoom(givers)
    givers[giver] = doc
    givers[giver + CELL] = cell
    givers[giver + OWNED] = own > MAX_SUM ? MAX_SUM : own
    givers[giver + GIVEN] = value > MAX_SUM ? MAX_SUM : value
  }

  #spreadSplit(at: number, doc: number, value: number, { spread }: WeighedWord, split: (Incoming | undefined)[]): void {
    const reach = Math.min(spread, this.#scope.levers.window.length)
    this.#conversations.neighbours(this.#scope, at, doc, reach, near)
    for (const one of near) {
      split[one.at] ??= { docs: [], values: [], isNear: [], maxSum: undefined }
      this.#add(split[one.at]!, one.doc, value, one.distance)
    }
  }

  /**
   * Lets a document's value count for its neighbours in a conversation that is all in one segment. If `wanted` is given,
   * only neighbours in one of these sets get it.
   */
  #spreadFrom(
    at: number,
    doc: number,
    value: number,
    { spread }: WeighedWord,
    wanted: readonly DocumentBits[] | undefined,
    incoming: Incoming,
  ): void {
    const { visible, isWhole } = this.#scope.parts[at]!
    const reach = Math.min(spread, this.#scope.levers.window.length)
    // Most documents have no wanted neighbour. If no document is hidden, the sets tell this at once.
    if (wanted && isWhole && !wanted.some((set) => hasBetween(set, doc - reach, doc + reach))) return
    const { start, end } = this.#conversations.rangeOf(at, doc)
    for (let next = doc - 1, distance = 0; next >= start && distance < reach; next--)
      if (visible[next] === 1) {
        if (!wanted || hasAny(wanted, next)) this.#add(incoming, next, value, distance)
        distance++
      }
    for (let next = doc + 1, distance = 0; next < end && distance < reach; next++)
      if (visible[next] === 1) {
        if (!wanted || hasAny(wanted, next)) this.#add(incoming, next, value, distance)
        distance++
      }
  }

  #add({ docs, values, isNear }: Incoming, doc: number, value: number, distance: number): void {
    const { window, windowNear } = this.#scope.levers
    const share = (value * window[distance]!) | 0
    if (share === 0) return
    docs.push(doc)
    values.push(share)
    isNear.push(distance < windowNear ? 1 : 0)
  }
}

function withRoom(values: typeof givers): typeof givers {
  const larger = new Int32Array(values.length * 2)
  larger.set(values)
  return larger
}

function hasAny(sets: readonly DocumentBits[], doc: number): boolean {
  for (let at = 0; at < sets.length; at++) if (hasDocument(sets[at]!, doc)) return true
  return false
}

/** Words count for neighbours if the query has several words of content and demands nothing. */
export function windowOf(
  words: readonly WeighedWord[],
  content: number,
  snapshot: IndexSnapshot,
  scope: OpenScope,
  { phrases, fieldTerms }: Query,
): ConversationWindow | undefined {
  if (content < 2 || phrases.length + fieldTerms.length > 0 || scope.levers.window.length === 0) return
  const spreading = words.filter(({ spread }) => spread > 0)
  return spreading.length === 0 ? undefined : new ConversationWindow(snapshot, scope, spreading)
}
