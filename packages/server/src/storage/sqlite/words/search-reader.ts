import type { RequestSignal } from '../../../lib/request-signal.ts'
import type { PageRequest, SearchedStream, SearchOutcome, SearchReader } from '../../../search/search-store.ts'
import { sentTargets } from '../../words/sent-targets.ts'
import type { Handle, ReadDatabases } from '../engine/database.ts'
import type { ReadPool } from '../engine/read-pool.ts'
import { LastChanges } from '../records/last-change.ts'
import { type SearchResult, SearchRunner } from './search-run.ts'
import { targetFeeds } from './searched-feeds.ts'
import { LISTED } from './segment-rows.ts'

/**
 * A search of an index up to this size takes a few milliseconds, so it runs in the event loop. The limit of bytes also
 * bounds the texts that a page of hits may read, because all texts together are only a few times as long.
 */
const MAX_INLINE_DOCUMENTS = 10_000
const MAX_INLINE_BYTES = 320 * 1024

interface Freshness {
  readonly at: number | undefined
}

/** Searches small indexes here, and all others in the reader threads. */
export class SqliteSearchReader implements SearchReader {
  readonly #reader: Handle
  readonly #pool: ReadPool | undefined
  readonly #runner: SearchRunner
  readonly #lastChanges: LastChanges

  constructor({ reader, pool }: ReadDatabases, lastChanges = new LastChanges(pool)) {
    this.#reader = reader
    this.#pool = pool
    this.#runner = new SearchRunner(reader)
    this.#lastChanges = lastChanges
  }

  async search(targets: readonly SearchedStream[], page: PageRequest, signal?: RequestSignal): Promise<SearchOutcome> {
    signal?.check()
    // Read before the search, so that the answer never claims to know later data than was searched.
    const indexedThrough = await this.#freshness(targets, signal)
    const result =
      this.#pool && this.#isLarge(targets)
        ? await this.#pool.run<SearchResult>({ kind: 'search', targets: sentTargets(targets), page }, signal)
        : this.#runner.run(
            () => targets,
            page,
            () => signal?.check(),
          )
    return { ...result, indexedThrough }
  }

  /** Until anything is written, the same list of targets has the same freshness, so it is cached. */
  async #freshness(targets: readonly SearchedStream[], signal: RequestSignal | undefined): Promise<number | undefined> {
    const known = this.#reader.cachedUntilWrite('freshness', () => new WeakMap<object, Freshness>())
    const freshness = known.get(targets) ?? { at: await this.#readFreshness(targets, signal) }
    known.set(targets, freshness)
    return freshness.at
  }

  #isLarge(targets: readonly SearchedStream[]): boolean {
    const subjectId = targets[0]?.scope.subjectId
    if (subjectId === undefined) return false
    return this.#reader.cachedUntilWrite(`words of ${subjectId}`, () => {
      const sql = `select total(documents) documents, total(bytes) bytes from word_segment
        where owner = (select owner from word_owner where subject_id = ?) and state = ${LISTED}`
      const { documents, bytes } = this.#reader.get<{ documents: number; bytes: number }>(sql, subjectId)!
      return documents > MAX_INLINE_DOCUMENTS || bytes > MAX_INLINE_BYTES
    })
  }

  async #readFreshness(
    targets: readonly SearchedStream[],
    signal: RequestSignal | undefined,
  ): Promise<number | undefined> {
    const captured: number[] = []
    for (const { rows, feeds } of targetFeeds(this.#reader, targets))
      for (const at of await this.#lastChanges.all(rows, feeds, signal)) if (at !== undefined) captured.push(at)
    return captured.length === 0 ? undefined : Math.max(...captured)
  }
}
