import type { QueryWord } from '../query/query.ts'
import type { Tier } from '../search-store.ts'
import { SAME_WORD } from './forms/word-forms.ts'

/** Tells which words of the query a record has, in any form that is still the same word. */
export function tierOf(
  words: readonly QueryWord[],
  hits: readonly { readonly word: number; readonly closeness: number }[],
): Tier {
  const met = new Set(hits.filter(({ closeness }) => closeness >= SAME_WORD).map(({ word }) => word))
  if (words.every(({ isImplied }, word) => isImplied || met.has(word))) return 2
  const hasContent = words.some(({ content }) => content)
  return hasContent && words.every(({ content }, word) => !content || met.has(word)) ? 1 : 0
}
