// Measures searches for words of every frequency in four ways: finding and ranking alone, with hits, as a whole
// request, and with plain FTS5.
import { join } from 'node:path'
import type { Context } from '@pdpp/server'
import Database from 'better-sqlite3'
import type { Authority } from '../../packages/server/src/grants/authority.ts'
import { measureAgreement, openExhaustive } from '../baseline/exhaustive.ts'
import { issueGrant, PAGE, type ReadSetup } from '../reads/read-setup.ts'
import { type Reading, request } from '../reads/reads.ts'
import { compare, isHurried, type Timing, timed } from '../report/measure.ts'
import { CoreSearch, type Targets } from './core-search.ts'
import { type SearchCase, searchCases } from './search-cases.ts'
import type { Vocabulary } from './search-words.ts'

export interface SearchResult extends Pick<SearchCase, 'name' | 'frequency' | 'goal'> {
  /** Finding and ranking alone. */
  readonly rank: Timing
  /** Finding, ranking, reading the hits and cutting their excerpts. */
  readonly run: Timing
  readonly http: Timing
  readonly fts: Timing
}

export interface ColdResult {
  readonly name: string
  /** Mean CPU of the first search on a new connection, in microseconds. */
  readonly cold: number
  readonly warm: number
  readonly ftsCold: number
  readonly ftsWarm: number
}

export interface LimitedResult {
  readonly name: string
  readonly grant: string
  readonly rank: Timing
  readonly whole: Timing
}

export interface AgreementResult {
  readonly name: string
  readonly equal: number
  readonly queries: number
}

export interface SearchResults {
  readonly cases: readonly SearchResult[]
  readonly cold: readonly ColdResult[]
  readonly limited: readonly LimitedResult[]
  readonly agreement: readonly AgreementResult[]
}

export const FTS = 'select rowid from words where words match ? order by bm25(words) limit ?'
/** Grants that start at these dates include six tenths and one hundredth of the records. */
const LIMITS = [
  ['60 % by time', '2020-01-01'],
  ['1 % by time', '2025-12-01'],
] as const
const COLD_SAMPLES = 4
const WARM_UP_TURNS = 3
/**
 * Larger stores are not compared with the exhaustive ranking, because it keeps all texts in memory and takes some
 * seconds for each query.
 */
const MAX_CHECKED_RECORDS = 120_000
const CHECKED_QUERIES = 1

interface Place {
  readonly dataDir: string
  /** The database file with the plain FTS5 table. */
  readonly rawFile: string
}

export async function measureSearch(
  reading: Reading,
  { token, authority }: Pick<ReadSetup, 'token' | 'authority'>,
  vocabulary: Vocabulary,
  place: Place,
): Promise<SearchResults> {
  const { server, baseline } = reading
  const targets = await targetsOf(server.context, authority)
  const core = new CoreSearch(place.dataDir)
  const all = searchCases(vocabulary)
  const typical = all.filter(({ isTypical }) => isTypical)
  // These runs are not timed. They compile the code that all cases share.
  for (let turn = 0; turn < WARM_UP_TURNS; turn++)
    for (const { texts } of typical) for (const text of texts) core.run(targets, text)
  const cases: SearchResult[] = []
  for (const { texts, raw, name, frequency, goal } of all) {
    const timings = await compare({
      rank: (round) => core.rank(targets, of(texts, round)),
      run: (round) => core.run(targets, of(texts, round)),
      http: (round) => request(server, `/v1/search?q=${encodeURIComponent(of(texts, round))}&limit=${PAGE}`, token),
      fts: (round) => baseline.reads(FTS).all(of(raw, round), PAGE),
    })
    cases.push({ name, frequency, goal, ...timings })
  }
  const cold: ColdResult[] = []
  for (const each of typical)
    cold.push(await measureCold(each, targets, place, cases.find(({ name }) => name === each.name)!))
  const limited = await measureLimited(server.context, core, targets, typical)
  const isSmall = vocabulary.total <= MAX_CHECKED_RECORDS
  const checked = isHurried() ? typical : all
  const agreement = isSmall ? measureEquality(core, targets, checked, place.dataDir) : []
  core.close()
  return { cases, cold, limited, agreement }
}

/** All streams that an authority may search. */
export async function targetsOf(context: Context, authority: Authority): Promise<Targets> {
  const firstPage = { limit: PAGE, filters: [], cursor: undefined, since: undefined, until: undefined }
  const everywhere = { ...firstPage, text: 'x', streams: undefined, connectionId: undefined }
  const { targets } = await context.search.search(authority, everywhere, [])
  return targets
}

/**
 * Measures the first search on new database connections. Before it, a search for a word that does not exist loads the
 * list of documents, but no words.
 */
async function measureCold(
  { name, texts, raw }: SearchCase,
  targets: Targets,
  { dataDir, rawFile }: Place,
  { rank, fts }: SearchResult,
): Promise<ColdResult> {
  let [cold, ftsCold] = [0, 0]
  for (let sample = 0; sample < COLD_SAMPLES; sample++) {
    const core = new CoreSearch(dataDir)
    core.rank(targets, 'xyqwxyqw')
    cold += (await timed(() => core.rank(targets, of(texts, sample)), 0)).cpu / COLD_SAMPLES
    core.close()
    const db = new Database(rawFile, { readonly: true })
    const statement = db.prepare(FTS)
    statement.all('xyqwxyqw', PAGE)
    ftsCold += (await timed(() => statement.all(of(raw, sample), PAGE), 0)).cpu / COLD_SAMPLES
    db.close()
  }
  return { name, cold, warm: rank.cpu, ftsCold, ftsWarm: fts.cpu }
}

/** Measures the same searches under grants with a time limit. Records outside the limit must not make them slower. */
async function measureLimited(
  context: Context,
  core: CoreSearch,
  all: Targets,
  cases: readonly SearchCase[],
): Promise<LimitedResult[]> {
  const results: LimitedResult[] = []
  for (const [grant, since] of LIMITS) {
    const { authority } = await issueGrant(context, undefined, since)
    const targets = await targetsOf(context, authority)
    for (const { texts, name } of cases) {
      const timings = await compare({
        rank: (round) => core.rank(targets, of(texts, round)),
        whole: (round) => core.rank(all, of(texts, round)),
      })
      results.push({ name, grant, ...timings })
    }
  }
  return results
}

/** Checks whether the first hits are the same as in a ranking that reads every text. */
function measureEquality(
  core: CoreSearch,
  targets: Targets,
  cases: readonly SearchCase[],
  dataDir: string,
): AgreementResult[] {
  const exhaustive = openExhaustive(dataDir)
  return cases
    .filter(({ name }) => !name.startsWith('miss'))
    .map(({ name, texts }) => ({
      name,
      ...measureAgreement((text) => core.names(targets, text), exhaustive, texts.slice(0, CHECKED_QUERIES)),
    }))
}

export const baselineFile = (directory: string): string => join(directory, 'raw', 'baseline.db')

const of = (list: readonly string[], round: number): string => list[round % list.length]!
