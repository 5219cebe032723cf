import type { BlobReferences } from '../blobs/blob-references.ts'
import type { Database } from '../engine/database.ts'
import { dropEdition } from '../words/edition.ts'
import type { WordMerger } from '../words/merging/word-merger.ts'

/** Rows deleted by one statement. More would hold locks for too long. */
const ROWS_AT_ONCE = 2000

const drained = (table: string, column: string): string =>
  `delete from ${table} where subject = @subject and feed = @feed and ${column} <= (select max(${column}) from
    (select ${column} from ${table} where subject = @subject and feed = @feed order by ${column} limit ${ROWS_AT_ONCE}) x)`

const DRAINED = [
  drained('record', 'id'),
  drained('change', 'version'),
  drained('tombstone', 'version'),
  'delete from import_before where subject = @subject and feed = @feed',
  'delete from import_version where subject = @subject and feed = @feed',
]

/**
 * Deletes the data of erased feeds, a slice at a time, so that other work continues. A feed is unreachable from the
 * moment it is marked. The next start finishes what a crash interrupted.
 */
export class Eraser {
  readonly #database: Database
  readonly #blobs: BlobReferences
  readonly #merger: WordMerger
  #last: Promise<void> = Promise.resolve()

  constructor(database: Database, blobs: BlobReferences, merger: WordMerger) {
    this.#database = database
    this.#blobs = blobs
    this.#merger = merger
  }

  run(): Promise<void> {
    const run = this.#last.then(() => this.#eraseAll())
    this.#last = run.catch(() => {})
    return run
  }

  async #eraseAll(): Promise<void> {
    const sql = 'select subject, feed from feed where erased = 1'
    const feeds = await this.#database.all<{ subject: number; feed: number }>(sql)
    for (const { subject, feed } of feeds) {
      while (await this.#blobs.drain(subject, feed));
      for (const drain of DRAINED) while ((await this.#database.run(drain, { subject, feed })) > 0);
      await this.#database.quiet(async (session) => {
        await dropEdition(session, subject, feed)
        await session.run('delete from feed where subject = ? and feed = ?', subject, feed)
      })
    }
    for (const subject of new Set(feeds.map((feed) => feed.subject))) await this.#merger.cleanUp(subject)
  }
}
