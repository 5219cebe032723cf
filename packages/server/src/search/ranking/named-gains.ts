import { englishStem } from './forms/english-forms.ts'
import type { OpenScope } from './open-scope.ts'
import type { WeighedWord } from './weighed-words.ts'

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
