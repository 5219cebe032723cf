// Search by words of every frequency: through the whole application, through the store, and by plain FTS5.
import { measureAgreement, openExhaustive } from '../baseline/exhaustive.ts'
import { issueGrant, PAGE, type ReadSetup } from '../reads/read-setup.ts'
import { type Reading, request } from '../reads/reads.ts'
import { compare, type Timing, timingOf } from '../report/measure.ts'
import { type SearchCase, searchCases } from './search-cases.ts'
import type { Vocabulary } from './search-words.ts'

export interface SearchResult {
  readonly name: string
  readonly frequency: string
  readonly goalMs: number
  readonly http: Timing
  readonly store: Timing
  /** Plain FTS5, sorted by bm25 and by arrival. */
  readonly ranked: Timing
  readonly newest: Timing
  /** Set if a grant limits the searched records: the part that remains. */
  readonly within?: string | undefined
  /** How many queries have just the first 25 hits of a ranking that reads every text. */
  readonly agreement: { readonly equal: number; readonly queries: number } | undefined
}

const RANKED = 'select rowid from words where words match ? order by bm25(words) limit ?'
const NEWEST = 'select rowid from words where words match ? order by rowid desc limit ?'
/** Grants that start at these dates include six tenths and one hundredth of the records. */
const LIMITS = ['2020-01-01', '2025-12-01']
/** Queries per case whose ranking is checked. Each check reads every matching record. */
const CHECKED = 4

export async function measureSearch(
  reading: Reading,
  { token, authority }: Pick<ReadSetup, 'token' | 'authority'>,
  vocabulary: Vocabulary,
  dataDir: string,
): Promise<SearchResult[]> {
  const { server, baseline } = reading
  const { context } = server
  const firstPage = { limit: PAGE, filters: [], cursor: undefined, since: undefined, until: undefined }
  const everywhere = { ...firstPage, text: 'x', streams: undefined, connectionId: undefined }
  const { targets } = await context.search.search(authority, everywhere, [])
  const exhaustive = openExhaustive(dataDir)
  const results: SearchResult[] = []
  for (const each of searchCases(vocabulary)) {
    const { texts, raw, name, frequency, goalMs } = each
    const timings = await compare({
      http: (round) => request(server, `/v1/search?q=${encodeURIComponent(of(texts, round))}&limit=${PAGE}`, token),
      store: (round) => context.storage.search.search(targets, { text: of(texts, round), limit: PAGE }),
      ranked: (round) => baseline.reads(RANKED).all(of(raw, round), PAGE),
      newest: (round) => baseline.reads(NEWEST).all(of(raw, round), PAGE),
    })
    const search = async (text: string) => {
      const { found } = await context.storage.search.search(targets, { text, limit: PAGE })
      return found.map(({ target, number }) => `${targets[target]!.scope.stream.name}/${number}`)
    }
    const agreement = isChecked(each) ? await measureAgreement(search, exhaustive, texts.slice(0, CHECKED)) : undefined
    results.push({ name, frequency, goalMs, ...timings, agreement })
  }
  return results
}

/** The same searches under grants with a time limit. Records outside of it must cost nothing. */
export async function measureLimitedSearch(
  { server }: Pick<Reading, 'server'>,
  vocabulary: Vocabulary,
): Promise<SearchResult[]> {
  const { context } = server
  const results: SearchResult[] = []
  for (const since of LIMITS) {
    const { token, authority } = await issueGrant(context, undefined, since)
    const firstPage = { limit: PAGE, filters: [], cursor: undefined, since: undefined, until: undefined }
    const everywhere = { ...firstPage, text: 'x', streams: undefined, connectionId: undefined }
    const { targets } = await context.search.search(authority, everywhere, [])
    for (const { texts, name, frequency, goalMs } of searchCases(vocabulary).filter(isLimitedToo)) {
      const timings = await compare({
        http: (round) => request(server, `/v1/search?q=${encodeURIComponent(of(texts, round))}&limit=${PAGE}`, token),
        store: (round) => context.storage.search.search(targets, { text: of(texts, round), limit: PAGE }),
      })
      const unmeasured = { ranked: timingOf([]), newest: timingOf([]), agreement: undefined }
      results.push({ name, frequency, goalMs, within: `since ${since}`, ...timings, ...unmeasured })
    }
  }
  return results
}

const isLimitedToo = ({ name }: SearchCase): boolean => /^(one|three|four|question|miss, one)/.test(name)

const of = (list: readonly string[], round: number): string => list[round % list.length]!
const isChecked = ({ ranked }: SearchCase): boolean => ranked
