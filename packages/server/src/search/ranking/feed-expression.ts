import type { Query, QueryPhrase } from '../query/query.ts'
import { matchAll, matchIn, matchPhrase, matchWithout } from './match-expression.ts'

/**
 * The whole MATCH expression for one feed: what a step asks (null: no more than what the query demands), within the
 * granted columns, with the phrases and fields that must be there and without what must not. Nothing where the feed
 * lacks a field that the query demands.
 */
export function feedExpression(
  query: Query,
  asked: string | null,
  /** The granted search fields of the feed and their columns. */
  columns: ReadonlyMap<string, string>,
  /** The index has no other columns: nothing needs to be kept out, which is quicker. */
  isWhole = false,
): string | null {
  if (columns.size === 0) return null
  const demanded = [...query.phrases, ...query.fieldTerms].map((phrase) => within(phrase, columns))
  const parts = [asked, ...demanded].filter((part) => part !== null)
  if (demanded.includes(null) || parts.length === 0) return null
  const excluded = query.exclusions.map((phrase) => within(phrase, columns)).filter((part) => part !== null)
  const expression = matchWithout(matchAll(parts), excluded)
  return isWhole ? expression : matchIn([...columns.values()], expression)
}

function within(phrase: QueryPhrase, columns: ReadonlyMap<string, string>): string | null {
  if (phrase.field === null) return matchPhrase(phrase)
  const column = columns.get(phrase.field)
  return column === undefined ? null : matchIn([column], matchPhrase(phrase))
}
