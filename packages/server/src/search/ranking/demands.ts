import type { Query, QueryPhrase } from '../query/query.ts'
import type { IndexSnapshot } from '../segments/index-snapshot.ts'
import type { OpenScope } from './open-scope.ts'
import { phraseDocuments } from './phrases.ts'

/** Max. documents that are listed one by one. */
const FEW = 4096

/** The documents of a segment that may match. */
export interface AllowedDocuments {
  /** 1 for each of them. */
  readonly marks: Uint8Array
  /** The same documents as a list, if they are few. */
  readonly few: readonly number[] | undefined
}

/** True if the query demands and excludes nothing. */
export const isPlain = ({ phrases, fieldTerms, exclusions }: Query): boolean =>
  phrases.length + fieldTerms.length + exclusions.length === 0

/**
 * The visible documents of a segment that have everything that the query demands and nothing that it excludes. Undefined
 * if a demanded term is missing in the segment.
 */
export function demandedDocuments(
  query: Query,
  snapshot: IndexSnapshot,
  at: number,
  { parts, scope }: OpenScope,
): AllowedDocuments | undefined {
  const part = parts[at]!
  const marksOf = (phrase: QueryPhrase) => phraseDocuments(phrase, snapshot, at, part, scope.classes)
  const allowed = part.visible.slice()
  for (const phrase of [...query.phrases, ...query.fieldTerms]) {
    const marks = marksOf(phrase)
    if (!marks) return
    for (let doc = 0; doc < allowed.length; doc++) allowed[doc]! &= marks[doc]!
  }
  for (const phrase of query.exclusions) {
    const marks = marksOf(phrase)
    for (let doc = 0; marks && doc < allowed.length; doc++) if (marks[doc] === 1) allowed[doc] = 0
  }
  return { marks: allowed, few: fewOf(allowed) }
}

function fewOf(allowed: Uint8Array): number[] | undefined {
  const few: number[] = []
  for (let doc = allowed.indexOf(1); doc >= 0; doc = allowed.indexOf(1, doc + 1)) {
    if (few.length === FEW) return
    few.push(doc)
  }
  return few
}
