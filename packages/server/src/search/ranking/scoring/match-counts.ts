import type { Incoming } from '../neighbours/window.ts'
import type { OpenScope } from '../open-scope.ts'
import type { VisiblePart } from '../visible-part.ts'
import {
  addDocuments,
  bitCount,
  countRange,
  type DocumentBits,
  denseBits,
  hasDocument,
  MAX_BIT_NUMBERS,
  markedBits,
} from './document-bits.ts'
import { type FormPostings, longestOf } from './form-postings.ts'

// One search runs at a time in a thread, so all searches use the same arrays.
const some = new Int32Array(MAX_BIT_NUMBERS)
const counted = new Int32Array(MAX_BIT_NUMBERS)
/** For each word of a query the documents that have it, and those that have it in a form other than the longest list. */
const ofWords: DocumentBits[] = []
const ofOthers: DocumentBits[] = []
const ofIncoming: DocumentBits[] = []

/** The documents of a segment that have a word. */
export interface WordDocuments {
  /** Number of the visible ones. */
  readonly records: number
  readonly bits: DocumentBits
  /** True if the set belongs to a list, so that it must not change. */
  readonly isKept: boolean
  /** Those that have it in a form other than the longest list. Undefined if there is no such form. */
  readonly others: DocumentBits | undefined
}

interface CountedWord {
  readonly forms: readonly FormPostings[]
  /** Number of visible documents that have it. */
  readonly records: number
  readonly bits: DocumentBits
  readonly isDense: boolean
}

/**
 * Counts the visible documents of a segment that have words. Uses sets of bits for long lists and loops over short
 * ones. Requires that every field of a visible document is visible, because a bit does not tell the field.
 */
export class MatchCounts {
  readonly #scope: OpenScope
  readonly #part: VisiblePart
  readonly #size: number
  readonly #words: CountedWord[] = []

  constructor(scope: OpenScope, part: VisiblePart) {
    this.#scope = scope
    this.#part = part
    this.#size = part.visible.length
  }

  /** Adds a word in all its forms. */
  add(forms: readonly FormPostings[]): WordDocuments {
    const longest = longestOf(forms)
    const dense = longest && denseBits(longest.postings, this.#size)
    const bits = this.#bitsOf(longest, dense, forms.length)
    let records = longest ? this.#scope.boundsOf(longest, this.#part).documents : 0
    const others = forms.length > 1 ? emptyBits(ofOthers, this.#words.length) : undefined
    for (const form of forms) {
      if (form === longest) continue
      records += this.#addNew(form, bits)
      addDocuments(form.postings, others!)
    }
    this.#words.push({ forms, records, bits, isDense: dense !== undefined })
    return { records, bits, isKept: bits === dense, others }
  }

  /** Adds to `byRun` the documents that have any of the words. Returns their number, and how many have all words. */
  finish(byRun: Uint32Array): { total: number; withAllWords: number } {
    const forms = this.#words.flatMap((word) => word.forms)
    const isDense = ({ postings }: FormPostings) => denseBits(postings, this.#size) !== undefined
    this.#startUnion(forms.filter(isDense), byRun)
    for (const form of forms) if (!isDense(form)) this.#addNew(form, some, byRun)
    let total = 0
    for (let run = 0; run < byRun.length; run++) total += byRun[run]!
    return { total, withAllWords: this.#countAll(total) }
  }

  /** The documents of the longest list. They are copied if other forms will be added to them. */
  #bitsOf(longest: FormPostings | undefined, dense: DocumentBits | undefined, forms: number): DocumentBits {
    if (dense && forms === 1) return dense
    const bits = emptyBits(ofWords, this.#words.length)
    if (dense) bits.set(dense)
    else if (longest) addDocuments(longest.postings, bits)
    return bits
  }

  /** Adds the visible documents of a list to a set. Returns the number of those that are new in it. */
  #addNew({ postings }: FormPostings, bits: DocumentBits, byRun?: Uint32Array): number {
    const { docs, from, to } = postings
    const { visible, isWhole, layout } = this.#part
    const { runOf, ends } = layout
    let [count, run, end] = [0, 0, 0]
    for (let entry = from; entry < to; entry++) {
      const doc = docs[entry]!
      if (hasDocument(bits, doc) || (!isWhole && visible[doc] === 0)) continue
      bits[doc >>> 5]! |= 1 << (doc & 31)
      count++
      if (!byRun) continue
      if (doc >= end) {
        run = runOf[doc]!
        end = ends[run]!
      }
      byRun[run]!++
    }
    return count
  }

  /** Begins the set of documents with any word with the long lists. */
  #startUnion(dense: readonly FormPostings[], byRun: Uint32Array): void {
    const [first, ...others] = dense
    if (!first) {
      some.fill(0)
      return
    }
    some.set(denseBits(first.postings, this.#size)!)
    if (others.length === 0) {
      const known = this.#scope.boundsOf(first, this.#part).byRun
      for (let run = 0; run < byRun.length; run++) byRun[run]! += known[run]!
      return
    }
    const numbers = Math.ceil(this.#size / 32)
    for (const { postings } of others) {
      const bits = denseBits(postings, this.#size)!
      for (let at = 0; at < numbers; at++) some[at]! |= bits[at]!
    }
    const visible = markedBits(this.#part.visible)
    for (let at = 0; at < numbers; at++) some[at]! &= visible[at]!
    const { starts, ends } = this.#part.layout
    for (let run = 0; run < starts.length; run++) byRun[run]! += countRange(some, starts[run]!, ends[run]!)
  }

  /** `total` is the number of documents that have any word. */
  #countAll(total: number): number {
    const words = this.#words
    if (words.some(({ forms }) => forms.length === 0)) return 0
    // Documents with both words are counted twice among those of each word.
    if (words.length <= 2) return words.length === 1 ? total : words[0]!.records + words[1]!.records - total
    const short = words.find(({ isDense }) => !isDense)
    if (!short) return this.#countDense()
    const others = words.filter((word) => word !== short)
    const { visible, isWhole } = this.#part
    counted.fill(0)
    let count = 0
    for (const { postings } of short.forms)
      for (let entry = postings.from; entry < postings.to; entry++) {
        const doc = postings.docs[entry]!
        let isIn = !hasDocument(counted, doc)
        for (let at = 0; isIn && at < others.length; at++) isIn = hasDocument(others[at]!.bits, doc)
        if (!isIn || (!isWhole && visible[doc] === 0)) continue
        counted[doc >>> 5]! |= 1 << (doc & 31)
        count++
      }
    return count
  }

  #countDense(): number {
    const visible = markedBits(this.#part.visible)
    const [first, second, ...others] = this.#words.map(({ bits }) => bits)
    let count = 0
    for (let at = 0; at < visible.length; at++) {
      let every = visible[at]! & first![at]! & second![at]!
      for (let word = 0; every !== 0 && word < others.length; word++) every &= others[word]![at]!
      if (every !== 0) count += bitCount(every)
    }
    return count
  }
}

function emptyBits(arrays: DocumentBits[], at: number): DocumentBits {
  arrays[at] ??= new Int32Array(MAX_BIT_NUMBERS)
  return arrays[at]!.fill(0)
}

/**
 * Adds the documents that get a word from neighbours. How much they get is not known by their impacts. Call it after the
 * matches were counted. `position` is that of the word.
 */
export function withIncoming(
  documents: WordDocuments,
  incoming: Incoming | undefined,
  position: number,
): WordDocuments {
  if (!incoming || incoming.docs.length === 0) return documents
  const { docs } = incoming
  const bits = documents.isKept ? documents.bits.slice() : documents.bits
  const others = documents.others ?? emptyBits(ofIncoming, position)
  for (let at = 0; at < docs.length; at++) {
    const doc = docs[at]!
    bits[doc >>> 5]! |= 1 << (doc & 31)
    others[doc >>> 5]! |= 1 << (doc & 31)
  }
  return { records: documents.records, bits, isKept: false, others }
}
