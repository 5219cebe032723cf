// Ranks every document by reading all texts. It shares nothing with the search except the analyser, so that a bug in
// one of them shows.
import { tokenize } from '../analysis/analyser.ts'
import { closeness, hasPhrase, kindOf, knownLength, nearness } from './oracle-texts.fixture.ts'

interface OracleField {
  /** Fields with the same name share their average length. */
  readonly name: string
  readonly role?: string | undefined
  readonly text: string
}

export interface OracleDocument {
  readonly feed: number
  readonly number: number
  /** Minus infinity if the record has no time or its time is hidden. */
  readonly time: number
  /** Undefined if the record has no group, or if its group or its time is hidden. */
  readonly group?: string | undefined
  /** Words in the names of its stream and fields. */
  readonly names?: readonly string[]
  readonly fields: readonly OracleField[]
}

export interface OracleWord {
  readonly term: string
  readonly content: boolean
  readonly isPrefix: boolean
  readonly isExact: boolean
  readonly pairs?: readonly (readonly [string, string])[] | undefined
  readonly isImplied?: boolean | undefined
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
  /** True if the query has words that only build a sentence next to words of content, outside of quotes. */
  readonly isSentence?: boolean
  readonly times?: readonly { readonly from: number; readonly to: number; readonly lift: number }[]
}

export interface OracleAnswer {
  /** `feed/number`, best first. */
  readonly order: readonly string[]
  /** The records in `order` that only words of neighbours find, each with its strongest neighbour. */
  readonly contexts: ReadonlyMap<string, string>
  readonly records: readonly number[]
  readonly withAllWords: number
}

export interface ReadDocument {
  readonly document: OracleDocument
  /** For each field, its terms in order. */
  readonly terms: readonly (readonly string[])[]
}

/** The constants of the ranking, written down a second time. */
export const ORACLE_NUMBERS = {
  window: [
    ...[0.4, 0.25, 0.15, 0.12, 0.1, 0.1, 0.08, 0.08, 0.06, 0.06],
    ...[0.05, 0.05, 0.05, 0.04, 0.04, 0.04, 0.03, 0.03, 0.03, 0.02],
  ] as readonly number[],
  ...{ windowNear: 3, windowReach: 8000, windowShare: 0.005, windowRecords: 1000, windowWords: 64 },
  ...{ actor: 3, date: 0.1, fieldNames: 0.25, proximity: 0.25, guessed: 0.6 },
  ...{ saturation: 0.5, lengthShare: 0.4, whole: 0.2, uncovered: 0.3, functionWord: 0.25 },
  ...{ alike: 0.8, alikeFree: 3, copyFree: 1, money: 0.5, minValue: 0.0625 },
}
const CURRENCIES = 'euro euros eur usd dollar dollars gbp pound pounds chf franc francs franken cent cents bucks'.split(
  ' ',
)
export type OracleNumbers = typeof ORACLE_NUMBERS

interface Weighed extends OracleWord {
  readonly forms: ReadonlyMap<string, number>
  readonly records: number
  readonly weight: number
  readonly spread: number
}

interface Match {
  readonly one: ReadDocument
  readonly grains: number
}

/** Quotes in a sentence demand nothing if no record has the quoted words. */
export function oracleRank(...[documents, query, ...rest]: Parameters<typeof rankDemanded>): OracleAnswer {
  const answer = rankDemanded(documents, query, ...rest)
  const others = query.demanded.filter(({ field }) => field !== null)
  if (answer.order.length > 0 || !query.isSentence || others.length === query.demanded.length) return answer
  return rankDemanded(documents, { ...query, demanded: others }, ...rest)
}

function rankDemanded(
  documents: readonly OracleDocument[],
  query: OracleQuery,
  accepts: (document: OracleDocument) => boolean = () => true,
  /** How close a term is to a word. The tests use the default, so that nothing is shared with the search. */
  closenessOf: (word: OracleWord, term: string) => number = closeness,
  numbers: OracleNumbers = ORACLE_NUMBERS,
): OracleAnswer {
  const read = readAll(documents)
  const averages = averageLengths(read)
  const dictionary = new Set(read.flatMap(({ terms }) => terms.flat()))
  const words = query.words.map((word) => weigh(word, read, dictionary, closenessOf, numbers))
  const all = sum(words.map(({ weight }) => weight))
  const content = words.filter((word) => word.content)
  const inOrder = [...words].sort(
    (a, b) => Number(b.content) - Number(a.content) || b.weight - a.weight || (a.term < b.term ? -1 : 1),
  )
  const conversations = content.length >= 2 && query.demanded.length === 0 ? conversationsOf(read) : undefined
  const value = (one: ReadDocument, word: Weighed, spreadsOnly = false) =>
    occurrences(one, word.forms, averages, numbers, spreadsOnly)
  const incoming = (one: ReadDocument, word: Weighed) => {
    if (!conversations) return 0
    return sum(
      neighbours(conversations, one, numbers, word.spread).flatMap(([near, share]) =>
        occurrencesByForm(near, word.forms, averages, numbers, true).map((units) => Math.trunc(units * share)),
      ),
    )
  }
  /** Words of further neighbours add to a match, but do not find one. */
  const isNear = (one: ReadDocument, word: Weighed) =>
    conversations !== undefined &&
    neighbours(conversations, one, numbers, numbers.windowNear).some(([near, share]) =>
      occurrencesByForm(near, word.forms, averages, numbers, true).some((units) => Math.trunc(units * share) > 0),
    )
  let withAllWords = 0
  const contexts = new Map<string, string>()
  const matches = read.flatMap((one): Match[] => {
    const own = new Map(words.map((word) => [word, value(one, word)]))
    const isMatch = words.some((word) => own.get(word)! > 0 && (word.content || content.length === 0))
    const sums = new Map(words.map((word) => [word, own.get(word)! + incoming(one, word)]))
    const isFound = isMatch || content.some((word) => word.spread > 0 && isNear(one, word))
    const isDemanded = query.demanded.every((phrase) => hasPhrase(one, phrase))
    const isExcluded = query.excluded.some((phrase) => hasPhrase(one, phrase))
    if (!isFound || !isDemanded || isExcluded || !accepts(one.document)) return []
    if (isMatch && words.every((word) => !word.content || own.get(word)! > 0)) withAllWords++
    if (!isMatch) contexts.set(nameOf(one), nameOf(strongest(one)))
    let [score, covered] = [0, 0]
    for (const word of words) {
      const units = sums.get(word)! / 4096
      const parts = word.weight * 65_536
      score += Math.trunc((parts * units) / (numbers.saturation + units)) / 65_536
      covered += Math.trunc(units >= numbers.whole ? parts : (parts * units) / numbers.whole) / 65_536
    }
    // If the query has only one word, a record with the word as it was typed ranks above records with other forms.
    if (words.length === 1 && hasExact(one, words[0]!)) {
      score += words[0]!.weight + 64 / 65_536
      covered = words[0]!.weight
    }
    const named = words.length < 2 ? [] : inOrder.filter((word) => word.content && hasName(one, word.term))
    const gain = named.reduce((total, { weight }) => total + weight * numbers.fieldNames, 0)
    const share = all === 0 ? 0 : ((1 - numbers.uncovered) / all) * (covered + gain)
    const lifts = (query.times ?? []).filter(({ from, to }) => one.document.time >= from && one.document.time < to)
    const lift = Math.max(0, ...lifts.map((time) => time.lift))
    const grains = Math.round((score + gain) * (numbers.uncovered + share) * 4096)
    return [{ one, grains: grains + Math.round(numbers.date * all * 4096 * lift) }]
  })

  function strongest(one: ReadDocument): ReadDocument {
    const near = neighbours(conversations!, one, numbers, numbers.windowNear).map(([other, share, distance]) => {
      const values = words
        .filter(({ spread }) => spread > 0)
        .map((word) => [word.weight, value(other, word, true)] as const)
      return { other, distance, value: sum(values.map(([weight, units]) => (weight * units) / (4096 + units))) * share }
    })
    return near.sort((a, b) => b.value - a.value || a.distance - b.distance)[0]!.other
  }

  matches.sort(byRank)
  const limit = words.length > 1 ? (matches[100]?.grains ?? -1) : Number.POSITIVE_INFINITY
  const head = matches.filter(({ grains }) => grains > limit)
  const near = head.map(({ one, grains }) => ({
    ...{ one, grains: grains + Math.round(nearness(one, words, numbers.proximity) * 4096) },
  }))
  const order = [...spreadAlike(near.sort(byRank), words, numbers), ...matches.slice(head.length)].map(({ one }) =>
    nameOf(one),
  )
  return { order, contexts, records: words.map(({ records }) => records), withAllWords }
}

/** After the first records of a kind, or of a kind and length, each further one loses grains. */
function spreadAlike(
  head: readonly Match[],
  words: readonly Weighed[],
  { alike, alikeFree, copyFree }: OracleNumbers,
): Match[] {
  const kinds = head.map(({ one }) => kindOf(one, words))
  const sizes = head.map(({ one }) =>
    Math.round(8 * Math.log2(sum(one.terms.map(({ length }) => knownLength(length))))),
  )
  const lowered = head.map(({ one, grains }, at) => {
    const same = kinds
      .slice(0, at)
      .flatMap((kind, before) => (kind !== '' && kind === kinds[at] ? [sizes[before]] : []))
    const copies = same.filter((size) => size === sizes[at]).length
    const more = kinds[at] === '' ? 0 : Math.max(same.length - alikeFree + 1, copies - copyFree + 1)
    return { one, grains: more > 0 ? Math.round(grains * alike ** more) : grains }
  })
  return lowered.sort(byRank)
}

const hasExact = ({ terms }: ReadDocument, { forms }: Weighed): boolean =>
  terms.some((list) => list.some((term) => forms.get(term) === 1))

const nameOf = ({ document }: ReadDocument): string => `${document.feed}/${document.number}`
const hasName = ({ document }: ReadDocument, term: string): boolean =>
  document.names?.some((name) => name === term.replace(/([^s])s$/, '$1')) ?? false

const known = new WeakMap<readonly OracleDocument[], readonly ReadDocument[]>()

/** Reads the same documents only once, because a bench has many of them. */
function readAll(documents: readonly OracleDocument[]): readonly ReadDocument[] {
  const before = known.get(documents)
  if (before) return before
  const read = documents.map((document) => ({
    document,
    terms: document.fields.map(({ text }) => tokenize(text).map(({ term }) => term)),
  }))
  known.set(documents, read)
  return read
}

type Conversations = ReadonlyMap<string, readonly ReadDocument[]>

const conversationName = ({ feed, group }: OracleDocument) => (group === undefined ? '' : `${feed} ${group}`)

function conversationsOf(read: readonly ReadDocument[]): Conversations {
  const byName = Map.groupBy(read, ({ document }) => conversationName(document))
  byName.delete('')
  for (const list of byName.values())
    list.sort(({ document: a }, { document: b }) => (a.time === b.time ? a.number - b.number : a.time - b.time))
  return byName
}

/** The neighbours before and after, each with its share and its distance. */
function neighbours(
  conversations: Conversations,
  one: ReadDocument,
  { window }: OracleNumbers,
  spread: number,
): (readonly [ReadDocument, number, number])[] {
  const list = conversations.get(conversationName(one.document)) ?? []
  const at = list.indexOf(one)
  return window
    .slice(0, spread)
    .flatMap((share, distance) =>
      [at - 1 - distance, at + 1 + distance]
        .filter((place) => at >= 0 && place >= 0 && place < list.length)
        .map((place) => [list[place]!, share, distance] as const),
    )
}

function byRank(a: Match, b: Match): number {
  const [x, y] = [a.one.document, b.one.document]
  const newer = x.time === y.time ? 0 : y.time - x.time
  return b.grains - a.grains || newer || x.feed - y.feed || y.number - x.number
}

/** Averages are known in steps of four per cent. */
function averageLengths(read: readonly ReadDocument[]): Map<string, number> {
  const totals = new Map<string, number[]>()
  for (const { document, terms } of read)
    for (const [at, { name }] of document.fields.entries()) {
      const lengths = totals.get(name) ?? []
      if (terms[at]!.length > 0) lengths.push(knownLength(terms[at]!.length))
      if (lengths.length > 0) totals.set(name, lengths)
    }
  const step = (average: number) => 2 ** (Math.round(16 * Math.log2(average)) / 16)
  return new Map([...totals].map(([name, lengths]) => [name, step(sum(lengths) / lengths.length)]))
}

function weigh(
  word: OracleWord,
  read: readonly ReadDocument[],
  dictionary: ReadonlySet<string>,
  closenessOf: (word: OracleWord, term: string) => number,
  { functionWord, money, ...numbers }: OracleNumbers,
): Weighed {
  const having = (terms: ReadonlySet<string>) =>
    read.filter((one) => one.terms.some((field) => field.some((term) => terms.has(term)))).length
  const isRare = having(new Set([word.term])) < Math.max(50, read.length * 0.005)
  const forms = new Map([[word.term, 1]])
  for (const term of word.content ? dictionary : []) {
    const close = closenessOf(word, term)
    if (close >= 0.75 || (isRare && close > 0)) forms.set(term, close)
  }
  if (word.isImplied) for (const term of CURRENCIES) forms.set(term, 1)
  const records = having(new Set(forms.keys()))
  const reach = sum([...forms.keys()].map((form) => having(new Set([form]))))
  const few = Math.min(reach, read.length)
  const rarity = Math.log(1 + Math.max(0, read.length - few + 0.5) / (few + 0.5))
  const share = word.content ? 1 : word.isImplied ? money : functionWord
  const weight = Math.round(share * rarity * 1024) / 1024
  const isFew = reach > 0 && reach <= Math.max(numbers.windowRecords, read.length * numbers.windowShare)
  const wide = Math.max(numbers.windowNear, Math.floor(numbers.windowReach / reach))
  return { ...word, forms, records, weight, spread: word.content && isFew ? Math.min(wide, numbers.window.length) : 0 }
}

/** The sum of a word's occurrences in a document, in whole units of 1/4096. */
function occurrences(...about: Parameters<typeof occurrencesByForm>): number {
  return sum(occurrencesByForm(...about))
}

function occurrencesByForm(
  { document, terms }: ReadDocument,
  forms: ReadonlyMap<string, number>,
  averages: Map<string, number>,
  { actor, lengthShare, guessed, windowWords, minValue }: OracleNumbers,
  spreadsOnly = false,
): number[] {
  return [...forms].map(([form, close]) => {
    let total = 0
    for (const [at, { name, role }] of document.fields.entries()) {
      const average = averages.get(name) ?? 1
      const isTitle = ['primary-title', 'title', 'subject', 'name'].includes(role ?? '')
      if (spreadsOnly && (isTitle || role === 'actor' || average > windowWords)) continue
      const weight = role === 'actor' ? actor : isTitle ? 2 : average <= 12 ? 1.5 : 1
      const length = knownLength(terms[at]!.length)
      const value = (4096 * weight) / (1 - lengthShare + (lengthShare * length) / Math.max(1, average))
      const full = Math.round(Math.max(4096 * minValue, value))
      const once = close < 1 ? Math.round(Math.min(full, weight * 4096) * guessed) : full
      const count = Math.min(255, terms[at]!.filter((term) => term === form).length)
      if (count > 0) total += Math.max(spreadsOnly ? 0 : 1, Math.trunc(count * once * close))
    }
    return total
  })
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
