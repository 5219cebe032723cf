import type { IndexSnapshot, ListedSegment } from '../segments/index-snapshot.ts'
import { LENGTH_CODES } from '../segments/length-code.ts'
import type { Postings } from '../segments/postings-codec.ts'
import { type Conversations, conversationsOf, type Neighbour } from './conversations.ts'
import type { OpenScope } from './open-scope.ts'
import type { WeighedWord } from './weighed-words.ts'

/** The values that documents of one segment get from a word of their neighbours. */
export interface Incoming {
  readonly docs: number[]
  readonly values: number[]
  /** 1 if the neighbour is near. Only a near neighbour can make a document a match. */
  readonly isNear: number[]
}

const near: Neighbour[] = []

/** Lets a share of a word's occurrences count for the documents before and after in the same conversation. */
export class ConversationWindow {
  readonly #snapshot: IndexSnapshot
  readonly #segments: readonly ListedSegment[]
  readonly #scope: OpenScope
  readonly #near: number
  #shares: readonly number[] = []
  readonly #conversations: Conversations
  /** For each segment, 1 for each run whose conversations the grant shows. */
  readonly #grouped: readonly Uint8Array[]

  constructor(snapshot: IndexSnapshot, scope: OpenScope) {
    this.#snapshot = snapshot
    this.#segments = snapshot.segments
    this.#scope = scope
    this.#near = scope.levers.windowNear
    this.#conversations = conversationsOf(this.#segments)
    this.#grouped = this.#segments.map(({ columns }) =>
      Uint8Array.from(columns.runs, ({ edition }) => (scope.scope.editions.get(edition)?.isGrouped ? 1 : 0)),
    )
  }

  /** For each segment the values that its documents get from this word of their neighbours. */
  spread({ forms, spread }: WeighedWord): (Incoming | undefined)[] {
    this.#shares = this.#scope.levers.window.slice(0, spread)
    const incoming: (Incoming | undefined)[] = this.#segments.map(() => undefined)
    for (let at = 0; at < this.#segments.length; at++) {
      if (this.#scope.parts[at]!.documents === 0 || !this.#grouped[at]!.includes(1)) continue
      for (const { term, closeness } of forms) {
        const postings = this.#snapshot.postings(term, at)
        if (postings) this.#spreadIn(at, postings, closeness, incoming)
      }
    }
    return incoming
  }

  #spreadIn(
    at: number,
    { docs, slots, counts, lengths }: Postings,
    closeness: number,
    incoming: (Incoming | undefined)[],
  ) {
    const { visible, layout } = this.#scope.parts[at]!
    const { runOf, classAt, classes } = layout
    const { spreading } = this.#scope
    const counted = this.#scope.countedFor(closeness)
    const grouped = this.#grouped[at]!
    for (let entry = 0; entry < docs.length; ) {
      const doc = docs[entry]!
      if (visible[doc] === 0) {
        entry++
        continue
      }
      const run = runOf[doc]!
      let value = 0
      for (; docs[entry] === doc; entry++) {
        const of = classes[classAt[run]! + slots[entry]!]!
        if (of < 0 || spreading[of] === 0) continue
        const once = counted[of * LENGTH_CODES + lengths[entry]!]!
        value += (counts[entry]! * once * closeness) | 0
      }
      if (value > 0 && grouped[run] === 1) this.#spreadFrom(at, run, doc, value, incoming)
    }
  }

  #spreadFrom(at: number, run: number, doc: number, value: number, incoming: (Incoming | undefined)[]): void {
    const here = this.#conversations.alone(at, run, doc)
    const shares = this.#shares
    if (!here) {
      this.#conversations.neighbours(this.#scope, at, doc, shares.length, near)
      for (const one of near) this.#add(incoming, one.at, one.doc, value, one.distance)
      return
    }
    const { visible } = this.#scope.parts[at]!
    for (let next = doc - 1, distance = 0; next >= here.start && distance < shares.length; next--)
      if (visible[next] === 1) this.#add(incoming, at, next, value, distance++)
    for (let next = doc + 1, distance = 0; next < here.end && distance < shares.length; next++)
      if (visible[next] === 1) this.#add(incoming, at, next, value, distance++)
  }

  #add(incoming: (Incoming | undefined)[], at: number, doc: number, value: number, distance: number): void {
    const share = (value * this.#shares[distance]!) | 0
    if (share === 0) return
    incoming[at] ??= { docs: [], values: [], isNear: [] }
    incoming[at].docs.push(doc)
    incoming[at].values.push(share)
    incoming[at].isNear.push(distance < this.#near ? 1 : 0)
  }
}
