// Measures the same reads in three ways: with hand-written SQL, from the store under a grant, and as an HTTP request.
import type { RunningServer } from '@pdpp/server'
import type { Baseline } from '../baseline/baseline.ts'
import type { BenchFeed } from '../data/generator.ts'
import { compare, type Timing, timingOf } from '../report/measure.ts'
import { type ReadCase, readCases, STORE_GOAL } from './read-cases.ts'
import type { ReadSetup } from './read-setup.ts'

export interface ReadResult {
  readonly name: string
  readonly page: boolean
  /** Max. ratio of the store to raw SQL. */
  readonly goal: number | undefined
  readonly raw: Timing
  readonly store: Timing
  readonly http: Timing
}

export interface Reading {
  readonly server: Pick<RunningServer, 'app' | 'context'>
  readonly baseline: Baseline
  readonly feeds: readonly BenchFeed[]
}

/** A read that takes longer than this with one size of the store is skipped with the next, as it would take hours. */
const MAX_MICROS = 250_000

export async function measureReads(
  reading: Reading,
  setup: ReadSetup,
  before: readonly ReadResult[],
): Promise<ReadResult[]> {
  const { token } = setup
  const results: ReadResult[] = []
  for (const each of readCases(reading, setup)) {
    const { name, page = false, raw, store, path, token: own = token } = each
    const goal = each.goal ?? (page ? STORE_GOAL : undefined)
    const smaller = before.find((result) => result.name === name)
    if (smaller && !(smaller.store.p50 < MAX_MICROS)) {
      results.push({ name, page, goal, raw: timingOf([]), store: timingOf([]), http: timingOf([]) })
      continue
    }
    await requireSameRows(each)
    const http = () => request(reading.server, typeof path === 'string' ? path : path(), own)
    results.push({ name, page, goal, ...(await compare({ raw, store, http })) })
  }
  return results
}

/** Sends one request through the whole application and reads the whole body. */
export async function request({ app }: Pick<RunningServer, 'app'>, path: string, token: string): Promise<string> {
  const answer = await app.request(path, { headers: { host: 'localhost', authorization: `Bearer ${token}` } })
  const body = await answer.text()
  if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}: ${body.slice(0, 300)}`)
  return body
}

/** A comparison of pages only counts if both sides return the same records in the same order. */
async function requireSameRows({ name, page, raw, store }: ReadCase): Promise<void> {
  if (!page) return
  const expected = (raw() as { key?: string }[]).flatMap(({ key }) => key ?? []).slice(0, -1)
  const actual = ((await store()) as { records: { key: string }[] }).records.map(({ key }) => key)
  if (actual.length !== 25 || (expected.length > 0 && expected.join() !== actual.join()))
    throw new Error(`The two sides of "${name}" differ: ${actual.slice(0, 3)} and ${expected.slice(0, 3)}`)
}
