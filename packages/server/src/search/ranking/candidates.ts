import type { Query } from '../query/query.ts'
import { type AskFeed, type Candidate, type Candidates, collectCandidates } from './collect-candidates.ts'
import { FirstPass, type RankedPlace } from './first-pass.ts'
import { matchAll, matchAny } from './match-expression.ts'
import type { SearchedIndex } from './searched-index.ts'
import { isPart, selectiveWords } from './selective-words.ts'
import { CANDIDATE_LIMITS, type CandidateLimits, planCandidates } from './tiers.ts'
import type { WeightedWord } from './word-weight.ts'

const MAX_PRESENT = 2
const MANY = 3
/** Of more words than these hardly any document has all. */
const MAX_JOINED = 4
/** So far down the ranking, equals are told apart by when they were written. */
const ORDERED = 100

/** When documents were written; null or nothing where the source does not say. */
export type TimesOf = (places: readonly RankedPlace[]) => ReadonlyMap<RankedPlace, number | null>

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
    // As many as were asked for may not be all: that they are few was told from the newest.
    return { ...more, complete: more.complete && few.length < limits.cap }
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
  if (sought.length < 2 || sought.length > MAX_JOINED || !sought.every(isSought)) return
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
  for (const word of others.slice(0, MAX_PRESENT))
    pass.addPresence(word, (feed, limit) => ask(feed, matchAll([any, words[word]!.expression]), limit))
}
