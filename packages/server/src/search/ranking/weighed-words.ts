import type { QueryWord } from '../query/query.ts'
import type { IndexSnapshot } from '../segments/index-snapshot.ts'
import { englishStem } from './forms/english-forms.ts'
import { CURRENCIES } from './forms/units.ts'
import { formsOf, type WordForm } from './forms/word-forms.ts'
import type { Levers } from './levers.ts'
import type { OpenScope } from './open-scope.ts'
import { countVisible, DocumentCounter } from './visible-postings.ts'

/** A word with the exact number of visible documents that have it or one of its forms. */
export interface CountedWord extends WeighedWord {
  readonly records: number
}

/** A word of the query, weighed by its rarity among the visible documents. */
export interface WeighedWord extends QueryWord {
  readonly forms: readonly WordForm[]
  /** The sum of the numbers of visible documents with each of the forms. */
  readonly reach: number
  /** A whole multiple of 1/1024, so that a cursor can store it. */
  readonly weight: number
  /** True if few documents have the word. Then even its remote forms count. */
  readonly isRare: boolean
  /** For how many neighbours on each side the word counts in a conversation. */
  readonly spread: number
}

/**
 * The statistics of a word that a cursor stores for the next page, so that writes between two pages do not change the
 * order.
 */
export type WordStatistics = Pick<WeighedWord, 'weight' | 'isRare' | 'spread'>

/**
 * A word in fewer documents than this share of all is rare, or in fewer than `RARE_COUNT`. All forms of a rare word
 * count.
 */
const RARE_SHARE = 0.005
const RARE_COUNT = 50
/** Weights are whole multiples of 1/WEIGHT_UNIT. */
export const WEIGHT_UNIT = 1024

/** Weighs the words of a query. Forms that no visible document has are left out. */
export function weighWords(
  words: readonly QueryWord[],
  snapshot: IndexSnapshot,
  scope: OpenScope,
  kept?: readonly WordStatistics[],
): WeighedWord[] {
  const { documents } = scope
  const count = (term: string) => countTerm(term, snapshot, scope)
  const { functionWord, money, joined } = scope.levers
  return words.map((word, at) => {
    const own = count(word.term)
    const isRare = kept?.[at]?.isRare ?? own < Math.max(RARE_COUNT, documents * RARE_SHARE)
    const [self, ...others] = word.content
      ? formsOf(word, isRare, (prefix) => snapshot.termsFrom(prefix), joined)
      : word.isImplied
        ? CURRENCIES.map((term) => ({ term, closeness: 1 }))
        : [selfOf(word)]
    const forms = [self!]
    // A document with two forms counts twice. An approximate rarity is good enough.
    let reach = own
    for (const form of others) {
      const records = count(form.term)
      if (records > 0) forms.push(form)
      reach += records
    }
    const share = word.content ? 1 : word.isImplied ? money : functionWord
    const value = Math.round(share * rarity(Math.min(reach, documents), documents) * WEIGHT_UNIT) / WEIGHT_UNIT
    const weight = kept?.[at]?.weight ?? value
    const spread = kept?.[at]?.spread ?? (word.content ? spreadOf(reach, documents, scope.levers) : 0)
    const { term, content, isPrefix, isExact, pairs, isImplied } = word
    // All words have the same members in the same order, because V8 compiles code for several kinds of objects slower.
    return { term, content, isPrefix, isExact, pairs, isImplied, forms, reach, isRare, weight, spread }
  })
}

/** For how many neighbours on each side a word counts, if this many documents have it. */
function spreadOf(reach: number, documents: number, levers: Levers): number {
  const { window, windowNear, windowReach, windowRecords, windowShare } = levers
  if (reach === 0 || reach > Math.max(windowRecords, documents * windowShare)) return 0
  return Math.min(window.length, Math.max(windowNear, Math.floor(windowReach / reach)))
}

/** Number of visible documents with a term. */
export function countTerm(term: string, snapshot: IndexSnapshot, { parts }: OpenScope): number {
  let sum = 0
  for (let at = 0; at < parts.length; at++) {
    if (parts[at]!.documents === 0) continue
    const postings = snapshot.postings(term, at)
    if (postings) sum += countVisible(postings, parts[at]!)
  }
  return sum
}

const selfOf = ({ term }: QueryWord): WordForm => ({ term, closeness: 1 })

/** Number of visible documents with any of these terms. */
export function countAny(forms: readonly WordForm[], snapshot: IndexSnapshot, { parts }: OpenScope): number {
  let sum = 0
  for (const [at, part] of parts.entries()) {
    if (part.documents === 0) continue
    const counter = new DocumentCounter(part, snapshot.segments[at]!.columns)
    for (const { term } of forms) {
      const postings = snapshot.postings(term, at)
      if (postings) counter.add(postings)
    }
    sum += counter.count
  }
  return sum
}

/** A word that is the name of a stream or of one of its fields counts a little in all its records. */
export function gainsOf(words: readonly WeighedWord[], { scope, levers }: OpenScope): ReadonlyMap<number, number> {
  const gains = new Map<number, number>()
  if (levers.fieldNames === 0 || words.length < 2) return gains
  const named = words.filter(({ content }) => content).map((word) => ({ ...word, stem: englishStem(word.term) }))
  for (const [edition, { names }] of scope.editions) {
    const gain = named.reduce((sum, { stem, weight }) => (names.has(stem) ? sum + weight * levers.fieldNames : sum), 0)
    if (gain > 0) gains.set(edition, gain)
  }
  return gains
}

/**
 * The inverse document frequency. It is never negative, so that a further word never lowers a document. Pruning relies
 * on that.
 */
export function rarity(records: number, documents: number): number {
  return Math.log(1 + Math.max(0, documents - records + 0.5) / (records + 0.5))
}
