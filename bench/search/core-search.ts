// Searches the word index of a store in this thread, on a separate database connection, to measure the CPU of a search.
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { parseQuery } from '../../packages/server/src/search/query/query.ts'
import { type RankedPage, rankMatches } from '../../packages/server/src/search/ranking/rank-matches.ts'
import type { SearchedStream } from '../../packages/server/src/search/search-store.ts'
import { Handle } from '../../packages/server/src/storage/sqlite/engine/database.ts'
import { RecordSets } from '../../packages/server/src/storage/sqlite/records/record-set.ts'
import { OpenIndexes } from '../../packages/server/src/storage/sqlite/words/open-indexes.ts'
import { searchPlan } from '../../packages/server/src/storage/sqlite/words/search-plan.ts'
import { type SearchResult, SearchRunner } from '../../packages/server/src/storage/sqlite/words/search-run.ts'
import { feedSets, type SearchedFeed } from '../../packages/server/src/storage/sqlite/words/searched-feeds.ts'
import { PAGE } from '../reads/read-setup.ts'

export type Targets = readonly SearchedStream[]

/** The size of the database cache of a reader thread of the server. */
const CACHE_KB = 4096

export class CoreSearch {
  readonly #handle: Handle
  readonly #indexes: OpenIndexes
  readonly #runner: SearchRunner

  constructor(dataDir: string) {
    const db = new Database(join(dataDir, 'pdpp.db'), { readonly: true, fileMustExist: true })
    db.pragma(`cache_size = -${CACHE_KB}`)
    this.#handle = new Handle(db)
    this.#indexes = new OpenIndexes(this.#handle, feedSets(new RecordSets(this.#handle)))
    this.#runner = new SearchRunner(this.#handle)
  }

  /** Finds and ranks all matches, and counts them. Reads no record. */
  rank(targets: Targets, text: string): RankedPage {
    return this.#inTransaction(() => this.#rank(targets, text).ranked)
  }

  /** The best records, named in the same way as in the exhaustive ranking. */
  names(targets: Targets, text: string): string[] {
    return this.#inTransaction(() => {
      const { ranked, feeds } = this.#rank(targets, text)
      const streams = new Map(feeds.map(({ feed, stream }) => [feed.feed, stream.scope.stream.name]))
      return ranked.found.map(({ feed, number }) => `${streams.get(feed)}/${number}`)
    })
  }

  /** Does everything that the server does in its reader thread: ranks, reads the hits and cuts their excerpts. */
  run(targets: Targets, text: string): SearchResult {
    this.#handle.noteWrite()
    return this.#runner.run(
      () => targets,
      { text, limit: PAGE },
      () => {},
    )
  }

  close(): void {
    this.#handle.db.close()
  }

  #rank(targets: Targets, text: string): { ranked: RankedPage; feeds: readonly SearchedFeed[] } {
    const plan = searchPlan(this.#handle, targets)
    const { index, scope } = this.#indexes.open(plan)!
    const query = parseQuery(text, plan.fields)
    const request = { query, filter: undefined, limit: PAGE, after: undefined, check: () => {} }
    return { ranked: rankMatches(index, scope, request), feeds: plan.feeds.list }
  }

  #inTransaction<T>(read: () => T): T {
    this.#handle.noteWrite()
    this.#handle.db.exec('begin')
    try {
      return read()
    } finally {
      this.#handle.db.exec('commit')
    }
  }
}
