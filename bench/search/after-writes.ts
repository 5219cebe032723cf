// Measures the first search after a write and the searches after it, under a grant with a time limit.
import type { Context } from '@pdpp/server'
import { threadCpu } from '../../tests/fixtures/longest-turn.ts'
import { type BenchFeed, idOf } from '../data/generator.ts'
import { blocks } from '../data/ndjson.ts'
import { issueGrant } from '../reads/read-setup.ts'
import { chunks, ingestInto } from '../server/ingest.ts'
import { MergeWatch } from '../server/merges.ts'
import { CoreSearch, type Targets } from './core-search.ts'
import { targetsOf } from './search.ts'
import type { Vocabulary } from './search-words.ts'

export interface AfterWriteResult {
  readonly write: string
  readonly query: string
  readonly samples: number
  /** Mean CPU in microseconds. */
  readonly first: number
  readonly next: number
}

export const SINCE = '2020-01-01'
const REPEATS = 8
/** Enough writes that segments of the word index are merged. */
const LARGE_REPEATS = 16
const NEXT = 4
/** Writes that are not measured. They make sure that the code is compiled. */
const WARM_UP = 4

export async function measureAfterWrites(
  context: Context,
  dataDir: string,
  feed: BenchFeed,
  vocabulary: Vocabulary,
): Promise<AfterWriteResult[]> {
  const { authority } = await issueGrant(context, undefined, SINCE)
  const targets = await targetsOf(context, authority)
  const queries = afterWriteQueries(vocabulary)
  const results: AfterWriteResult[] = []
  const run = new WriteRun(context, dataDir, feed, targets)
  for (const [query, text] of queries) {
    for (let warm = 0; warm < WARM_UP; warm++) await run.measure(text, () => run.add(1), new Means(), new Means())
    for (const count of [1, 100, 1000]) {
      const [write, merge] = [new Means(), new Means()]
      for (let repeat = 0; repeat < (count === 1000 ? LARGE_REPEATS : REPEATS); repeat++)
        await run.measure(text, () => run.add(count), write, merge)
      results.push(write.result(`${count.toLocaleString('en')} new record${count === 1 ? '' : 's'}`, query))
      if (count === 1000) results.push(merge.result('a merge', query))
    }
    const deletion = new Means()
    for (let repeat = 0; repeat < REPEATS; repeat++)
      await run.measure(text, () => run.deleteOne(), deletion, new Means())
    results.push(deletion.result('a deletion', query))
  }
  run.close()
  return results
}

export const afterWriteQueries = ({ rare, one, ten, forty }: Vocabulary) =>
  [
    ['one word, rare', rare.words[0]!],
    ['three words: 1 %, 10 %, 40 %', [one, ten, forty].map(({ words }) => words[0]).join(' ')],
  ] as const

class WriteRun {
  readonly #context: Context
  readonly #feed: BenchFeed
  readonly #targets: Targets
  readonly #core: CoreSearch
  readonly #merges: MergeWatch
  /** No other part of the bench uses records with this number or a higher one. */
  readonly #from: number
  #added = 0
  #deleted = 0

  constructor(context: Context, dataDir: string, feed: BenchFeed, targets: Targets) {
    this.#context = context
    this.#feed = feed
    this.#from = feed.count + 100_000
    this.#targets = targets
    this.#core = new CoreSearch(dataDir)
    this.#merges = new MergeWatch(dataDir)
  }

  async measure(text: string, write: () => Promise<unknown>, written: Means, merged: Means): Promise<void> {
    const before = await this.#merges.settled()
    const search = () => this.#core.run(this.#targets, text)
    for (let warm = 0; warm < NEXT; warm++) search()
    await write()
    const after = await this.#merges.settled()
    // If a merge followed the write, a segment of before is gone. Such a write counts as a merge.
    const isMerged = before.some((segment) => !after.includes(segment))
    const means = isMerged ? merged : written
    means.addFirst(cpuOf(search))
    for (let next = 0; next < NEXT; next++) means.addNext(cpuOf(search))
  }

  async add(count: number): Promise<void> {
    const from = this.#from + this.#added
    this.#added += count
    await ingestInto(this.#context, this.#feed, chunks(blocks(this.#feed, from, from + count)))
  }

  async deleteOne(): Promise<void> {
    // Only records that this run added are deleted, because other parts of the bench read the others later.
    const key = idOf(this.#feed, this.#from + this.#deleted++)
    const line = { key, op: 'delete', emitted_at: new Date().toISOString() }
    await ingestInto(this.#context, this.#feed, chunks([Buffer.from(`${JSON.stringify(line)}\n`)]))
  }

  close(): void {
    this.#core.close()
    this.#merges.close()
  }
}

/** CPU of this thread in microseconds. CPU of the threads that write is not part of a search. */
function cpuOf(search: () => unknown): number {
  const before = threadCpu()
  search()
  return threadCpu() - before
}

class Means {
  #first = 0
  #next = 0
  #samples = 0

  addFirst(cpu: number): void {
    this.#first += cpu
    this.#samples++
  }

  addNext(cpu: number): void {
    this.#next += cpu / NEXT
  }

  result(write: string, query: string): AfterWriteResult {
    const samples = this.#samples
    return { write, query, samples, first: this.#first / samples, next: this.#next / samples }
  }
}
