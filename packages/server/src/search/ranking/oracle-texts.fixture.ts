// The parts of the exhaustive ranking that look at single texts.
import type { OraclePhrase, OracleWord, ReadDocument } from './oracle.fixture.ts'

/** Lengths above 127 words are known in steps of five per cent. */
export function knownLength(words: number): number {
  let known = Math.min(words, 127)
  for (let step = 1; words > 127 && Math.round(127 * 1.05 ** step) <= words && step <= 128; step++)
    known = Math.round(127 * 1.05 ** step)
  return known
}

/** Two forms of a word share a beginning. This oracle knows only the rules for words of small Latin letters. */
export function closeness(word: OracleWord, term: string): number {
  return Math.max(ownCloseness(word, term), ...(word.pairs ?? []).map((pair) => closenessToPair(pair, term)))
}

/** A term that is two words of the query in one contains the first word and half of the second. */
function closenessToPair([first, second]: readonly [string, string], term: string): number {
  const both = first + second
  let shared = 0
  while (shared < term.length && term[shared] === both[shared]) shared++
  const share = shared / Math.max(term.length, both.length)
  return 2 * (shared - first.length) >= second.length && share >= 0.7 ? Math.min(share, 0.95) : 0
}

function ownCloseness({ term: word, isPrefix, isExact }: OracleWord, term: string): number {
  if (term === word || (isPrefix && term.startsWith(word))) return 1
  if (isExact || isPrefix || word.length < 4) return 0
  // The beginning of an id.
  const changes = word.match(/\d+|[a-z]+/g)!.length - 1
  if (changes >= 2 && word.length >= 7 && term.length >= 16 && term.startsWith(word)) return 0.95
  if (/\d/.test(word)) return 0
  // The words of the tests need no other rule of English.
  const singular = (text: string) => text.replace(/([^s])s$/, '$1')
  if (term.length >= 4 && singular(term) === singular(word)) return 0.95
  const keepsAll = word.length < 6 && !/[aeiouy]$|[^s]s$|en$/.test(word)
  const stem = keepsAll ? word : word.slice(0, Math.min(5, word.length - 1))
  if (!term.startsWith(stem)) return 0
  let shared = 0
  while (shared < term.length && term[shared] === word[shared]) shared++
  if (word.length < 6 && shared < Math.min(term.length, word.length)) return 0
  const derived = /(?:al|ally|ity|ities|i[sz]ation|ations?|ists?|isms?|ic|ics|ical|ous|ive|ment|ments|ful|less)$/
  const close = shared / Math.max(term.length, word.length)
  if (derived.test(term.slice(shared)) || derived.test(word.slice(shared))) return Math.min(close, 0.4)
  const added = /^(?:e?s|e?d|ings?|e?n|e?rs?|em|e|a|i|o|y|ly)$/
  return word.length < 6 && shared === word.length && !added.test(term.slice(shared)) ? 0 : close
}

export function hasPhrase(
  { document, terms }: ReadDocument,
  { terms: sought, isPrefix, field }: OraclePhrase,
): boolean {
  return terms.some((list, at) => {
    if (field !== null && document.fields[at]!.name.split('/').at(-1) !== field) return false
    return list.some((_, start) =>
      sought.every((term, step) => {
        const found = list[start + step] ?? ''
        return isPrefix && step === sought.length - 1 ? found.startsWith(term) : found === term
      }),
    )
  })
}

/** The bonus for words close together. */
export function nearness(
  { terms }: ReadDocument,
  words: readonly { readonly forms: ReadonlyMap<string, number>; readonly weight: number }[],
  proximity: number,
): number {
  const near = words.map(() => 0)
  for (const list of terms) {
    let before: { place: number; word: number; close: number } | undefined
    for (const [place, term] of list.entries()) {
      for (const [word, { forms }] of words.entries()) {
        const close = forms.get(term)
        if (close === undefined) continue
        if (before && before.word !== word && place - before.place <= 10) {
          const share = (close * before.close) / Math.max(1, place - before.place) ** 2
          near[word]! += words[before.word]!.weight * share
          near[before.word]! += words[word]!.weight * share
        }
        before = { place, word, close }
      }
    }
  }
  return words.reduce((sum, { weight }, word) => sum + (proximity * weight * near[word]!) / (1.2 + near[word]!), 0)
}

/**
 * The kind of a match: the words of content with their distances, or with the place of a word that is alone in its
 * field.
 */
export function kindOf(
  { document, terms }: ReadDocument,
  words: readonly { readonly forms: ReadonlyMap<string, number>; readonly content: boolean }[],
): string {
  const having = (isActor: boolean) =>
    words.filter(({ forms, content }) => {
      const lists = terms.filter((_, at) => (document.fields[at]!.role === 'actor') === isActor)
      return content && lists.some((list) => list.some((term) => forms.has(term)))
    }).length
  // The query only names a person.
  if (having(false) === 0 && having(true) === words.filter(({ content }) => content).length) return ''
  const fields = terms.map((list) => {
    const found = list.flatMap((term, place) =>
      words.flatMap(({ forms, content }, word) => (content && forms.has(term) ? [{ word, place }] : [])),
    )
    const first = found[0]?.place ?? 0
    return found.length === 1 ? found : found.map(({ word, place }) => ({ word, from: place - first }))
  })
  return fields.every((found) => found.length === 0) ? '' : JSON.stringify([document.feed, fields])
}
