import { setImmediate as nextTurn } from 'node:timers/promises'
import type { BlobReferences } from '../blobs/blob-references.ts'
import type { Handle } from '../engine/database.ts'
import { tableName } from '../records/stream-table.ts'
import { dropEdition } from '../words/edition.ts'
import type { WordMerger } from '../words/merging/word-merger.ts'

/** Rows deleted per turn of the event loop. More would block reads. */
const ROWS_PER_TURN = 2000

/**
 * Deletes the data of erased feeds, a slice per turn of the event loop so that reads continue. A feed is unreachable
 * from the moment it is marked. The next start finishes what a crash interrupted.
 */
export class Eraser {
  readonly #writer: Handle
  readonly #blobs: BlobReferences
  readonly #merger: WordMerger
  #last: Promise<void> = Promise.resolve()

  constructor(writer: Handle, blobs: BlobReferences, merger: WordMerger) {
    this.#writer = writer
    this.#blobs = blobs
    this.#merger = merger
  }

  /** Runs one after another, because a run may drop a table that another run still uses. */
  run(): Promise<void> {
    const run = this.#last.then(() => this.#eraseAll())
    this.#last = run.catch(() => {})
    return run
  }

  async #eraseAll(): Promise<void> {
    const feeds = this.#writer.all<{ feed: number; stream_no: number; subject_id: string }>(
      'select feed, stream_no, subject_id from feed where erased = 1',
    )
    for (const { feed, stream_no: streamNo, subject_id: subjectId } of feeds) {
      while (this.#blobs.drain(feed, subjectId)) await nextTurn()
      await this.#drain(
        `delete from ${tableName(streamNo)} where id in (select id from ${tableName(streamNo)} where feed = @feed limit ${ROWS_PER_TURN})`,
        feed,
      )
      await this.#drain(
        `delete from change where feed = @feed and version in (select distinct version from change where feed = @feed limit ${ROWS_PER_TURN})`,
        feed,
      )
      await this.#drain(
        `delete from tombstone where rowid in (select rowid from tombstone where feed = @feed limit ${ROWS_PER_TURN})`,
        feed,
      )
      for (const table of ['record_brief', 'import_before', 'import_version'])
        await this.#drain(`delete from ${table} where feed = @feed`, feed)
      dropEdition(this.#writer, feed)
      this.#writer.run('delete from feed where feed = ?', feed)
    }
    if (feeds.length > 0) await this.#merger.cleanUp()
  }

  async #drain(sql: string, feed: number): Promise<void> {
    while (this.#writer.run(sql, { feed }) > 0) await nextTurn()
  }
}
