// Ranks every document by reading all texts. It shares nothing with the search but the analyser, so that a fault in one
// of them shows.
import { tokenize } from '../analysis/analyser.ts'

export interface OracleField {
  /** Fields with the same name share their average length. */
  readonly name: string
  readonly role?: string | undefined
  readonly text: string
}

export interface OracleDocument {
  readonly feed: number
  readonly number: number
  /** Minus infinity if it has none, or if it is hidden. */
  readonly time: number
  readonly fields: readonly OracleField[]
}

export interface OracleWord {
  readonly term: string
  readonly content: boolean
  readonly isPrefix: boolean
  readonly isExact: boolean
}

export interface OraclePhrase {
  readonly terms: readonly string[]
  readonly isPrefix: boolean
  readonly field: string | null
}

export interface OracleQuery {
  readonly words: readonly OracleWord[]
  readonly demanded: readonly OraclePhrase[]
  readonly excluded: readonly OraclePhrase[]
}

export interface OracleAnswer {
  /** `feed/number`, best first. */
  readonly order: readonly string[]
  readonly records: readonly number[]
  readonly withAllWords: number
}

interface Read {
  readonly document: OracleDocument
  /** For each field, its terms in order. */
  readonly terms: readonly (readonly string[])[]
}

export function oracleRank(
  documents: readonly OracleDocument[],
  query: OracleQuery,
  accepts: (document: OracleDocument) => boolean = () => true,
  /** How close a term is to a word. The tests leave it out, so that nothing is shared with the search. */
  closenessOf: (word: OracleWord, term: string) => number = closeness,
): OracleAnswer {
  const read = readAll(documents)
  const averages = averageLengths(read)
  const dictionary = new Set(read.flatMap(({ terms }) => terms.flat()))
  const words = query.words.map((word) => weigh(word, read, dictionary, closenessOf))
  const all = sum(words.map(({ weight }) => weight))
  const hasContent = words.some(({ content }) => content)
  const inOrder = [...words].sort(
    (a, b) => Number(b.content) - Number(a.content) || b.weight - a.weight || (a.term < b.term ? -1 : 1),
  )
  let withAllWords = 0
  const matches = read.flatMap((one) => {
    const sums = new Map(words.map((word) => [word, occurrences(one, word.forms, averages)]))
    const isMatch = words.some((word) => sums.get(word)! > 0 && (word.content || !hasContent))
    const isDemanded = query.demanded.every((phrase) => hasPhrase(one, phrase))
    const isExcluded = query.excluded.some((phrase) => hasPhrase(one, phrase))
    if (!isMatch || !isDemanded || isExcluded || !accepts(one.document)) return []
    if (words.every((word) => !word.content || sums.get(word)! > 0)) withAllWords++
    let [score, covered] = [0, 0]
    for (const word of inOrder) {
      const units = sums.get(word)! / 4096
      score += (word.weight * units) / (1 + units)
      covered += word.weight * Math.min(1, units * 2)
    }
    return [{ one, grains: Math.round(score * (0.5 + (0.5 * (all === 0 ? 0 : covered)) / (all || 1)) * 4096) }]
  })
  matches.sort(byRank)
  const head = words.length > 1 ? matches.splice(0, 100) : []
  const near = head.map(({ one, grains }) => ({ one, grains: grains + Math.round(nearness(one, words) * 4096) }))
  const order = [...near.sort(byRank), ...matches].map(({ one: { document } }) => `${document.feed}/${document.number}`)
  return { order, records: words.map(({ records }) => records), withAllWords }
}

const known = new WeakMap<readonly OracleDocument[], readonly Read[]>()

/** Reads the same documents only once, because a bench has many of them. */
function readAll(documents: readonly OracleDocument[]): readonly Read[] {
  const before = known.get(documents)
  if (before) return before
  const read = documents.map((document) => ({
    document,
    terms: document.fields.map(({ text }) => tokenize(text).map(({ term }) => term)),
  }))
  known.set(documents, read)
  return read
}

interface Match {
  readonly one: Read
  readonly grains: number
}

function byRank(a: Match, b: Match): number {
  const [x, y] = [a.one.document, b.one.document]
  const newer = x.time === y.time ? 0 : y.time - x.time
  return b.grains - a.grains || newer || x.feed - y.feed || y.number - x.number
}

/** Lengths above 127 words are known in steps of five per cent. */
function length(words: number): number {
  let known = Math.min(words, 127)
  for (let step = 1; words > 127 && Math.round(127 * 1.05 ** step) <= words && step <= 128; step++)
    known = Math.round(127 * 1.05 ** step)
  return known
}

function averageLengths(read: readonly Read[]): Map<string, number> {
  const totals = new Map<string, number[]>()
  for (const { document, terms } of read)
    for (const [at, { name }] of document.fields.entries()) {
      const lengths = totals.get(name) ?? []
      if (terms[at]!.length > 0) lengths.push(length(terms[at]!.length))
      if (lengths.length > 0) totals.set(name, lengths)
    }
  return new Map([...totals].map(([name, lengths]) => [name, sum(lengths) / lengths.length]))
}

interface Weighed extends OracleWord {
  readonly forms: ReadonlyMap<string, number>
  readonly records: number
  readonly weight: number
}

function weigh(
  word: OracleWord,
  read: readonly Read[],
  dictionary: ReadonlySet<string>,
  closenessOf: (word: OracleWord, term: string) => number,
): Weighed {
  const having = (terms: ReadonlySet<string>) =>
    read.filter((one) => one.terms.some((field) => field.some((term) => terms.has(term)))).length
  const isRare = having(new Set([word.term])) < Math.max(50, read.length * 0.005)
  const forms = new Map([[word.term, 1]])
  for (const term of dictionary) {
    const close = closenessOf(word, term)
    if (close >= 0.75 || (isRare && close > 0)) forms.set(term, close)
  }
  const records = having(new Set(forms.keys()))
  const rarity = Math.log(1 + Math.max(0, read.length - records + 0.5) / (records + 0.5))
  return { ...word, forms, records, weight: (word.content ? 1 : 0.25) * rarity }
}

/** Forms share a beginning. This knows only the rules that words of small Latin letters need. */
function closeness({ term: word, isPrefix, isExact }: OracleWord, term: string): number {
  if (term === word || (isPrefix && term.startsWith(word))) return 1
  if (isExact || isPrefix || word.length < 4) return 0
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
  return derived.test(term.slice(shared)) || derived.test(word.slice(shared)) ? Math.min(close, 0.4) : close
}

/** The sum of a word's occurrences in a document, in whole units of 1/4096. */
function occurrences(
  { document, terms }: Read,
  forms: ReadonlyMap<string, number>,
  averages: Map<string, number>,
): number {
  let total = 0
  for (const [at, { name, role }] of document.fields.entries()) {
    const average = averages.get(name) ?? 1
    const isTitle = ['primary-title', 'title', 'subject', 'name'].includes(role ?? '')
    const weight = isTitle ? 2 : average <= 12 ? 1.5 : 1
    const once = Math.round((4096 * weight) / (0.5 + (0.5 * length(terms[at]!.length)) / Math.max(1, average)))
    for (const [form, close] of forms) {
      const count = Math.min(255, terms[at]!.filter((term) => term === form).length)
      if (count > 0) total += Math.trunc(count * once * close)
    }
  }
  return total
}

function hasPhrase({ document, terms }: Read, { terms: sought, isPrefix, field }: OraclePhrase): boolean {
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

function nearness({ terms }: Read, words: readonly Weighed[]): number {
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
  return sum(words.map(({ weight }, word) => (0.5 * weight * near[word]!) / (1.2 + near[word]!)))
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
