import { FirstPass, type RankedPlace } from './first-pass.ts'
import { matchAll, matchAny } from './match-expression.ts'
import type { Query } from './query.ts'
import type { SearchedIndex } from './searched-index.ts'
import { CANDIDATE_LIMITS, type CandidateLimits, type CandidateStep, planCandidates } from './tiers.ts'
import type { WeightedWord } from './word-weight.ts'

const MOST_PRESENT = 2
const MANY = 3
/** Of more words than these hardly any document has all. */
const MOST_JOINED = 4
/** Of a part of the records, a word in this share of them is rare. */
const SELECTIVE = 0.01
/** So far down the ranking, equals are told apart by when they were written. */
const ORDERED = 100

export interface Candidate {
  readonly feed: number
  readonly id: number
}

/** Asks the index of one feed: the newest ids that match, at most `limit`, among the newest share of the documents. */
export type AskFeed = (feed: number, expression: string | null, limit: number, share?: number) => readonly number[]

/** When documents were written; null or nothing where the source does not say. */
export type TimesOf = (places: readonly RankedPlace[]) => ReadonlyMap<RankedPlace, number | null>

export interface Candidates {
  readonly list: readonly Candidate[]
  /** True when no matching document was left out. */
  readonly complete: boolean
  /** Average words of each field, where they are known of more documents than the candidates. */
  readonly averages?: ReadonlyMap<string, number> | undefined
  /** The candidates in their final order, where the index alone told it: they need not be read to be ranked. */
  readonly ranking?: readonly RankedPlace[] | undefined
}

/**
 * The documents worth reading. All that have a selective word are scored by the index alone, and the best of them
 * are taken; what room they leave goes to documents with the other words. A query that demands or excludes something
 * asks the index for that first.
 */
export function chooseCandidates(
  query: Query,
  words: readonly WeightedWord[],
  indexes: readonly SearchedIndex[],
  timesOf: TimesOf,
  limits: CandidateLimits = CANDIDATE_LIMITS,
): Candidates {
  const ask: AskFeed = (feed, asked, limit, share) => indexes[feed]!.newest(asked, limit, share)
  const demanded = query.phrases.length + query.fieldTerms.length > 0
  const expected = demanded ? indexes.map((index) => index.frequency(null)) : null
  const selective = demanded || query.exclusions.length > 0 ? [] : selectiveWords(words, indexes, limits)
  const plan = (sought: readonly WeightedWord[]) => planCandidates(sought, expected, query.compounds, limits)
  if (selective.length === 0) return collectCandidates(plan(words), ask, limits)
  const rest = words.filter((_, index) => !selective.includes(index))
  const isTold = isToldByIndex(words, rest)
  const few = isTold && !isPart(indexes) ? undefined : allOf(selective, words, indexes, limits)
  if (few) {
    const more = collectCandidates(few.length < limits.cap ? plan(rest) : [], ask, limits, few)
    return { ...more, complete: more.complete && few.length <= limits.cap }
  }
  if (isTold) return rankByIndex(words, selective, indexes, timesOf, limits)
  const pass = new FirstPass(indexes, words)
  const whole = withAllWords(words, indexes.length, ask, limits)
  if (whole) {
    const list = whole.flatMap((ids, feed) => ids.map((id) => ({ feed, id })))
    if (list.length <= limits.read) return { list, complete: false }
    for (const word of selective) pass.add(word, whole)
    return { list: pass.best(limits.read), complete: false }
  }
  for (const word of selective) pass.add(word)
  // Of many rare words a document has the more the better it fits, which tells them apart already.
  if (pass.size > limits.cap && selective.length < MANY) addPresence(pass, words, selective, ask)
  const best = pass.best(limits.cap)
  const more = collectCandidates(best.length < limits.cap ? plan(rest) : [], ask, limits, best)
  return {
    list: more.list,
    complete: more.complete && pass.size <= limits.cap && (best.length < limits.cap || !rest.some(isSought)),
    averages: pass.size >= more.list.length ? pass.averages() : undefined,
  }
}

/** Whether the index knows every place of every word: none is too common, and none has forms that were not sought. */
function isToldByIndex(words: readonly WeightedWord[], rest: readonly WeightedWord[]): boolean {
  if (rest.some(({ frequency }) => frequency > 0)) return false
  return words.length === 1 || words.every(({ prefix, seeksForms }) => prefix === null || seeksForms)
}

function rankByIndex(
  words: readonly WeightedWord[],
  selective: readonly number[],
  indexes: readonly SearchedIndex[],
  timesOf: TimesOf,
  { cap }: CandidateLimits,
): Candidates {
  const pass = new FirstPass(indexes, words)
  for (const word of selective) pass.add(word)
  const ranking = newerFirst(pass.best(cap), timesOf)
  return { list: ranking, complete: pass.size <= cap, ranking }
}

/** Equals in the order in which they were written; further down than anybody reads, in that of arrival. */
function newerFirst(ranking: readonly RankedPlace[], timesOf: TimesOf): RankedPlace[] {
  const isEqual = (a: RankedPlace, b: RankedPlace | undefined) => a.grains === b?.grains && a.tier === b.tier
  const equals = ranking
    .slice(0, ranking.findLastIndex((one, at) => at < ORDERED || isEqual(one, ranking[ORDERED - 1])) + 1)
    .filter((one, at) => isEqual(one, ranking[at - 1]) || isEqual(one, ranking[at + 1]))
  const times = timesOf(equals)
  const timeOf = (place: RankedPlace) => times.get(place) ?? Number.NEGATIVE_INFINITY
  return ranking.toSorted(
    (a, b) => b.tier - a.tier || b.grains - a.grains || timeOf(b) - timeOf(a) || b.id - a.id || a.feed - b.feed,
  )
}

/** Documents of each feed that have every word that carries meaning, where these are enough: they go before all others. */
function withAllWords(
  words: readonly WeightedWord[],
  feeds: number,
  ask: AskFeed,
  { enough, occurrences }: CandidateLimits,
): (readonly number[])[] | undefined {
  const sought = words.filter(({ content }) => content)
  if (sought.length < 2 || sought.length > MOST_JOINED || !sought.every(isSought)) return
  const every = matchAll(sought.map(({ expression }) => expression))
  const found = Array.from({ length: feeds }, (_, feed) =>
    sought.some(({ frequencies }) => frequencies[feed] === 0) ? [] : ask(feed, every, occurrences),
  )
  return found.reduce((sum, ids) => sum + ids.length, 0) >= enough ? found : undefined
}

/** All documents with one of these words, where all of them can be read. */
function allOf(
  selective: readonly number[],
  words: readonly WeightedWord[],
  indexes: readonly SearchedIndex[],
  { cap, read }: CandidateLimits,
): Candidate[] | undefined {
  const most = isPart(indexes) ? read : cap
  const documents = indexes.reduce((sum, index) => sum + index.documents, 0)
  const total = selective.reduce((sum, word) => sum + words[word]!.frequency, 0)
  if (Math.min(documents, total) >= most) return
  return indexes.flatMap((index, feed) => {
    const met = selective.filter((word) => words[word]!.frequencies[feed]! > 0)
    const ids = new Set(met.flatMap((word) => index.newest(words[word]!.expression, most)))
    return [...ids].map((id) => ({ feed, id }))
  })
}

const isSought = ({ content, frequency }: WeightedWord): boolean => content && frequency > 0

/** Where there are more documents than will be read, those that have the next words as well are told apart. */
function addPresence(
  pass: FirstPass,
  words: readonly WeightedWord[],
  selective: readonly number[],
  ask: AskFeed,
): void {
  const any = matchAny(selective.map((index) => words[index]!.expression))
  const others = [...words.keys()]
    .filter((index) => isSought(words[index]!) && !selective.includes(index))
    .sort((a, b) => words[b]!.weight - words[a]!.weight)
  for (const word of others.slice(0, MOST_PRESENT))
    pass.addPresence(word, (feed, limit) => ask(feed, matchAll([any, words[word]!.expression]), limit))
}

const isPart = (indexes: readonly SearchedIndex[]): boolean => indexes.some((index) => index.isPart)

/**
 * The index knows nothing of limits: all places of a word would be passed over to find those within, however many lie
 * outside. A few documents are read instead, and of more the word must be rare.
 */
function mostOccurrences(indexes: readonly SearchedIndex[], { occurrences, read }: CandidateLimits): number {
  if (!isPart(indexes)) return occurrences
  const documents = indexes.reduce((sum, index) => sum + index.documents, 0)
  return Math.min(occurrences, Math.max(read - 1, documents * SELECTIVE))
}

/**
 * Positions of the rarest words that together stand in few enough documents to look at all of them. Frequencies are
 * told from the newest documents, so a word that was more frequent long ago is counted before it is believed.
 */
function selectiveWords(
  words: readonly WeightedWord[],
  indexes: readonly SearchedIndex[],
  limits: CandidateLimits,
): number[] {
  const occurrences = mostOccurrences(indexes, limits)
  const known = [...words.keys()].filter((index) => words[index]!.frequency > 0)
  const content = known.filter((index) => words[index]!.content)
  const rarest = (content.length > 0 ? content : known).sort((a, b) => words[a]!.frequency - words[b]!.frequency)
  let total = 0
  return rarest.filter((word) => {
    const { expression, frequency, frequencies } = words[word]!
    if (total + frequency > occurrences) return false
    let room = occurrences - total
    for (const [feed, index] of indexes.entries())
      if (room >= 0 && frequencies[feed]! > 0) room -= index.countUpTo(expression, room + 1)
    if (room >= 0) total = occurrences - room
    return room >= 0
  })
}

/**
 * Runs the steps until there are enough candidates. In each step the feeds share what is left of the cap evenly; what
 * a small feed does not use goes to the larger ones, so that no feed is drowned by another.
 */
export function collectCandidates(
  steps: readonly CandidateStep[],
  ask: AskFeed,
  { cap, scanned }: CandidateLimits = CANDIDATE_LIMITS,
  chosen: readonly Candidate[] = [],
): Candidates {
  const seen = new Map<number, Set<number>>()
  const list: Candidate[] = []
  const take = ({ feed, id }: Candidate, known = seen.get(feed) ?? new Set<number>()) => {
    seen.set(feed, known.add(id))
    list.push({ feed, id })
  }
  for (const candidate of chosen) take(candidate)
  const cut = new Set<CandidateStep>()
  for (const step of steps) {
    if (list.length >= Math.min(cap, step.whileFewerThan)) {
      cut.add(step)
      continue
    }
    const feeds = step.expected
      .map((count, feed) => ({ feed, count }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => a.count - b.count)
    const looked = step.words * feeds.reduce((sum, { count }) => sum + count, 0)
    const depth = step.words > 1 ? Math.min(1, scanned / looked) : 1
    for (const [turn, { feed }] of feeds.entries()) {
      const share = Math.ceil((cap - list.length) / (feeds.length - turn))
      const known = seen.get(feed) ?? new Set<number>()
      // Those found before come up again: ask for as many more.
      const limit = share + known.size
      const ids = ask(feed, step.expression, limit, depth)
      if (ids.length >= limit) cut.add(step)
      for (const id of ids) {
        if (known.has(id)) continue
        if (list.length >= cap) break
        take({ feed, id }, known)
      }
    }
  }
  return {
    list,
    complete: !steps.some((step) => (step.kind === 'single' || step.kind === 'demanded') && cut.has(step)),
  }
}
