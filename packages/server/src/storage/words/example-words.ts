import type { PartTerms } from '../../search/segments/word-part.ts'
import { type ExampleWords, NO_EXAMPLES } from '../contract.ts'

const WORD = /^\p{L}{4,12}$/u
/** A rehearsal has a dozen rounds. A frequent word that it repeats saves nothing, because it is cached already. */
const [MAX_COMMON, MAX_RARE] = [12, 6]
/**
 * Shares of a segment's documents. Words in more than the first are left out. Words in less than the second are rare.
 */
const [TOO_COMMON, RARE] = [0.35, 0.001]

/**
 * Some words of a segment to try searches with: the most frequent ones, because reading them takes longest, and a few
 * rare ones. `documents` is the size of the segment.
 */
export function exampleWords(parts: Iterable<PartTerms>, documents: number): ExampleWords {
  let common: { readonly name: string; readonly entries: number }[] = []
  const rare: string[] = []
  for (const terms of parts)
    for (let at = 0; at < terms.count; at++) {
      const entries = terms.entries[at]!
      const isRare = rare.length < MAX_RARE && entries > 1 && entries < documents * RARE
      const min = common[MAX_COMMON - 1]?.entries ?? documents * RARE
      const isCommon = entries < documents * TOO_COMMON && entries > min
      if ((!isCommon && !isRare) || !WORD.test(terms.name(at))) continue
      if (isRare) rare.push(terms.name(at))
      else
        common = [...common, { name: terms.name(at), entries }]
          .sort((a, b) => b.entries - a.entries)
          .slice(0, MAX_COMMON)
    }
  return common.length + rare.length === 0 ? NO_EXAMPLES : { common: common.map(({ name }) => name), rare }
}
