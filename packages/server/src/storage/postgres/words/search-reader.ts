import type { RequestSignal } from '../../../lib/request-signal.ts'
import type { PageRequest, SearchedStream, SearchOutcome, SearchReader } from '../../../search/search-store.ts'
import { nothingFound } from '../../words/search-counts.ts'
import { sentTargets } from '../../words/sent-targets.ts'
import type { Database } from '../engine/database.ts'
import type { ReadPool } from '../engine/read-pool.ts'
import type { Owners } from '../installation/owners.ts'
import type { Streams } from '../records/feeds.ts'
import { parsed, SearchRunner } from './search-run.ts'

/** A search of an index up to this size takes a few milliseconds, so it runs in the event loop. */
export const MAX_INLINE = { documents: 10_000, bytes: 320 * 1024 }
/** Max. owners with a large index that are remembered. */
const MAX_LARGE = 10_000

/** Searches small indexes here, and all others in the reader threads. */
export class PostgresSearchReader implements SearchReader {
  readonly #database: Database
  readonly #owners: Owners
  readonly #pool: ReadPool
  readonly #runner: SearchRunner
  /** Owners with a large index. An index seldom becomes small again. */
  readonly #large = new Set<number>()
  /** Searches of one owner use the same index in memory, so they take turns. */
  readonly #turns = new Map<number, Promise<unknown>>()

  constructor(database: Database, owners: Owners, streams: Streams, pool: ReadPool) {
    this.#database = database
    this.#owners = owners
    this.#pool = pool
    this.#runner = new SearchRunner(streams, undefined, MAX_INLINE)
  }

  async search(targets: readonly SearchedStream[], page: PageRequest, signal?: RequestSignal): Promise<SearchOutcome> {
    signal?.check()
    const subjectId = targets[0]?.scope.subjectId
    const subject = subjectId === undefined ? undefined : await this.#owners.find(subjectId)
    if (subject === undefined) return nothing(targets, page)
    const found = this.#large.has(subject) ? undefined : await this.#here(subject, targets, page, signal)
    return found ?? this.#pool.run({ subject, targets: sentTargets(targets), page }, signal)
  }

  async #here(
    subject: number,
    targets: readonly SearchedStream[],
    page: PageRequest,
    signal: RequestSignal | undefined,
  ): Promise<SearchOutcome | undefined> {
    const check = () => signal?.check()
    const source = { name: targets, read: async () => targets }
    const search = async () =>
      (await this.#runner.tryRun(this.#database, subject, source, page, check)) ??
      this.#database.cancellable(signal, (session) => this.#runner.run(session, subject, source, page, check))
    const found = await this.#pool.search(() => this.#inTurn(subject, search), signal)
    if (!found && this.#large.size < MAX_LARGE) this.#large.add(subject)
    return found
  }

  #inTurn<T>(subject: number, work: () => Promise<T>): Promise<T> {
    const turn = (this.#turns.get(subject) ?? Promise.resolve()).then(work)
    const settled = turn.catch(() => {})
    this.#turns.set(subject, settled)
    void settled.then(() => this.#turns.get(subject) === settled && this.#turns.delete(subject))
    return turn
  }
}

const nothing = (targets: readonly SearchedStream[], page: PageRequest): SearchOutcome => ({
  ...nothingFound(parsed(page, targets), targets, 0),
  feeds: targets.reduce((sum, { scope }) => sum + scope.connections.length, 0),
  building: 0,
  indexedThrough: undefined,
})
