import type { QueryWord } from '../query/query.ts'
import type { IndexSnapshot } from '../segments/index-snapshot.ts'
import type { OpenScope } from './open-scope.ts'
import { countVisible, DocumentCounter } from './visible-postings.ts'
import { formsOf, type WordForm } from './word-forms.ts'

/** A word of the query, weighed by its rarity among the visible documents. */
export interface WeighedWord extends QueryWord {
  readonly forms: readonly WordForm[]
  /** Visible documents with the word or one of its forms. */
  readonly records: number
  readonly weight: number
}

/** A word in fewer documents than this share (and in any small index) is rare: all its forms count. */
const RARE_SHARE = 0.005
const RARE_COUNT = 50
const FUNCTION_WORD = 0.25

/** Weighs the words of a query. Forms that no visible document has are left out. */
export function weighWords(words: readonly QueryWord[], snapshot: IndexSnapshot, scope: OpenScope): WeighedWord[] {
  const { parts, documents } = scope
  const count = (term: string) => {
    let sum = 0
    for (const [at, part] of parts.entries()) {
      if (part.documents === 0) continue
      const postings = snapshot.postings(term, at)
      if (postings) sum += countVisible(postings, part)
    }
    return sum
  }
  return words.map((word) => {
    const own = count(word.term)
    const isRare = own < Math.max(RARE_COUNT, documents * RARE_SHARE)
    const [self, ...others] = formsOf(word, isRare, (prefix) => snapshot.termsFrom(prefix))
    const seen = others.filter(({ term }) => count(term) > 0)
    const forms = [self!, ...seen]
    const records = seen.length === 0 ? own : countAny(forms, snapshot, scope)
    const weight = (word.content ? 1 : FUNCTION_WORD) * rarity(records, documents)
    return { ...word, forms, records, weight }
  })
}

/** Visible documents with any of these terms. */
function countAny(forms: readonly WordForm[], snapshot: IndexSnapshot, { parts }: OpenScope): number {
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
