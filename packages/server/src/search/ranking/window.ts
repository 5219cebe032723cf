import type { IndexSnapshot } from '../segments/index-snapshot.ts'
import { LENGTH_CODES } from '../segments/length-code.ts'
import { type Conversations, conversationsOf, type Neighbour } from './conversations.ts'
import type { OpenScope } from './open-scope.ts'
import { Cells } from './scoring/cells.ts'
import type { Rest, ScorePruning } from './scoring/score-pruning.ts'
import type { WeighedWord } from './weighed-words.ts'

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
  readonly min: number
  /** The most that words can add that do not count for neighbours. */
  readonly rest: Rest
}

/** Called with the value of a list's word in all fields of a document, and in those that count for neighbours. */
type Visit = (doc: number, run: number, group: number, own: number, value: number) => void

const near: Neighbour[] = []

// One search runs at a time in a thread, so all searches use the same arrays: documents that have a word in a segment,
// the values that they give to neighbours, and their cells.
const givers: number[] = []
const given: number[] = []
const cellOf: number[] = []

/** Lets a share of a word's occurrences count for the documents before and after in the same conversation. */
export class ConversationWindow {
  readonly #snapshot: IndexSnapshot
  readonly #scope: OpenScope
  readonly #words: readonly WeighedWord[]
  readonly #conversations: Conversations
  /** For each segment, 1 for each run whose conversations the grant shows. */
  readonly #grouped: readonly Uint8Array[]
  /** For each word, by segment, the values in conversations that are split over several segments. */
  readonly #split: ReadonlyMap<WeighedWord, readonly (Incoming | undefined)[]>

  /** Expects the words that count for neighbours. */
  constructor(snapshot: IndexSnapshot, scope: OpenScope, words: readonly WeighedWord[]) {
    this.#snapshot = snapshot
    this.#scope = scope
    this.#words = words
    this.#conversations = conversationsOf(snapshot.segments)
    this.#grouped = snapshot.segments.map(({ columns }) =>
      Uint8Array.from(columns.runs, ({ edition }) => (scope.scope.editions.get(edition)?.isGrouped ? 1 : 0)),
    )
    this.#split = new Map(words.map((word) => [word, this.#spreadSplit(word)]))
  }

  /**
   * The values that documents of a segment get from each word of their neighbours. Leaves out values of documents that
   * cannot be among the best with all that they and their neighbours have.
   */
  incoming(at: number, { pruning, min, rest }: WindowLimits): ReadonlyMap<WeighedWord, Incoming> {
    const found = new Map<WeighedWord, Incoming>()
    const ends: number[] = []
    const cells = new Cells(this.#snapshot.segments[at]!.columns, this.#scope, this.#scope.parts[at]!)
    let count = 0
    for (const word of this.#words) {
      this.#each(at, word, (doc, run, group, own, value) => {
        if (this.#conversations.isSplit(at, run, group)) return
        const cell = cells.add(doc, group, own)
        if (value === 0) return
        givers[count] = doc
        given[count] = value
        cellOf[count++] = cell
      })
      ends.push(count)
      const split = this.#split.get(word)![at]
      const maxSum = cells.endWord(word.weight)
      if (split) found.set(word, split)
      else if (maxSum > 0) found.set(word, { docs: [], values: [], isNear: [], maxSum })
    }
    cells.open((score, covered) => pruning.boundOf(score + rest.score, covered + rest.weight) >= min)
    for (let item = 0, word = 0; item < count; item++) {
      while (item === ends[word]) word++
      if (cells.isOpen(cellOf[item]!))
        this.#spreadFrom(at, givers[item]!, given[item]!, this.#words[word]!, found.get(this.#words[word]!)!)
    }
    cells.clear()
    return found
  }

  #spreadSplit(word: WeighedWord): (Incoming | undefined)[] {
    const segments = this.#snapshot.segments
    const incoming: (Incoming | undefined)[] = segments.map(() => undefined)
    for (let at = 0; at < segments.length; at++)
      this.#each(at, word, (doc, run, group, _, value) => {
        if (value === 0 || !this.#conversations.isSplit(at, run, group)) return
        this.#conversations.neighbours(this.#scope, at, doc, word.spread, near)
        for (const one of near) {
          incoming[one.at] ??= { docs: [], values: [], isNear: [], maxSum: undefined }
          this.#add(incoming[one.at]!, one.doc, value, one.distance)
        }
      })
    return incoming
  }

  /** Visits the documents of a segment that have a word and belong to a conversation, once for each form. */
  #each(at: number, { forms }: WeighedWord, visit: Visit): void {
    const grouped = this.#grouped[at]!
    const { visible, documents, layout } = this.#scope.parts[at]!
    if (documents === 0 || !grouped.includes(1)) return
    const { runOf, classAt, classes } = layout
    const { spreading } = this.#scope
    const groupOf = this.#conversations.groupsOf(at)
    for (const { term, closeness } of forms) {
      const postings = this.#snapshot.postings(term, at)
      if (!postings) continue
      const { docs, slots, counts, lengths } = postings
      const counted = this.#scope.countedFor(closeness)
      for (let entry = 0; entry < docs.length; ) {
        const doc = docs[entry]!
        const run = runOf[doc]!
        if (visible[doc] === 0 || grouped[run] === 0) {
          entry++
          continue
        }
        let [own, value] = [0, 0]
        for (; docs[entry] === doc; entry++) {
          const of = classes[classAt[run]! + slots[entry]!]!
          if (of < 0) continue
          const sum = (counts[entry]! * counted[of * LENGTH_CODES + lengths[entry]!]! * closeness) | 0
          own += sum || 1
          if (spreading[of] === 1) value += sum
        }
        const group = groupOf[doc]!
        if (own > 0 && this.#conversations.isGroup(at, group)) visit(doc, run, group, own, value)
      }
    }
  }

  /** Lets a document's value count for its neighbours in a conversation that is all in one segment. */
  #spreadFrom(at: number, doc: number, value: number, { spread }: WeighedWord, incoming: Incoming): void {
    const { start, end } = this.#conversations.rangeOf(at, doc)
    const { visible } = this.#scope.parts[at]!
    const reach = Math.min(spread, this.#scope.levers.window.length)
    for (let next = doc - 1, distance = 0; next >= start && distance < reach; next--)
      if (visible[next] === 1) this.#add(incoming, next, value, distance++)
    for (let next = doc + 1, distance = 0; next < end && distance < reach; next++)
      if (visible[next] === 1) this.#add(incoming, next, value, distance++)
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
