import type { QueryWord } from '../query/query.ts'
import type { IndexSnapshot } from '../segments/index-snapshot.ts'
import { CURRENCIES } from './forms/units.ts'
import { formsOf, type WordForm } from './forms/word-forms.ts'
import type { Levers } from './levers.ts'
import type { OpenScope } from './open-scope.ts'
import { countVisible, DocumentCounter } from './visible-postings.ts'

/** A word with the number of visible documents that have it or one of its forms, exact. */
export interface CountedWord extends WeighedWord {
  readonly records: number
}

/** A word of the query, weighed by its rarity among the visible documents. */
export interface WeighedWord extends QueryWord {
  readonly forms: readonly WordForm[]
  /** Visible documents with each of the forms, added up. */
  readonly reach: number
  /** In whole 1024ths, so that a cursor can keep it. */
  readonly weight: number
  /** True if few records have the word. Then all its forms count. */
  readonly isRare: boolean
  /** For how many records before and after it counts in a conversation. */
  readonly spread: number
}

/** A page keeps this of a word for the next one: other writes must not move the order between them. */
export type WordStatistics = Pick<WeighedWord, 'weight' | 'isRare' | 'spread'>

/** A word in fewer documents than this share (and in any small index) is rare: all its forms count. */
const RARE_SHARE = 0.005
const RARE_COUNT = 50
/** Weights are whole numbers of this fraction. */
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
    // A record with two forms counts twice: how rare a word is need not be known better.
    let reach = own
    for (const form of others) {
      const records = count(form.term)
      if (records > 0) forms.push(form)
      reach += records
    }
    const share = word.content ? 1 : word.isImplied ? money : functionWord
    const weight = Math.round(share * rarity(Math.min(reach, documents), documents) * WEIGHT_UNIT) / WEIGHT_UNIT
    const spread = word.content ? spreadOf(reach, documents, scope.levers) : 0
    return { ...word, forms, reach, isRare, ...(kept?.[at] ?? { weight, spread }) }
  })
}

/** For how many records before and after a word counts that this many records have. */
function spreadOf(reach: number, documents: number, levers: Levers): number {
  const { window, windowNear, windowReach, windowRecords, windowShare } = levers
  if (reach === 0 || reach > Math.max(windowRecords, documents * windowShare)) return 0
  return Math.min(window.length, Math.max(windowNear, Math.floor(windowReach / reach)))
}

/** Visible documents with a term. */
export function countTerm(term: string, snapshot: IndexSnapshot, { parts }: OpenScope): number {
  let sum = 0
  for (const [at, part] of parts.entries()) {
    if (part.documents === 0) continue
    const postings = snapshot.postings(term, at)
    if (postings) sum += countVisible(postings, part)
  }
  return sum
}

const selfOf = ({ term }: QueryWord): WordForm => ({ term, closeness: 1 })

/** Visible documents with any of these terms. */
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

/** Inverse document frequency. It is never negative, so that a further word never lowers a document. */
export function rarity(records: number, documents: number): number {
  return Math.log(1 + Math.max(0, documents - records + 0.5) / (records + 0.5))
}
