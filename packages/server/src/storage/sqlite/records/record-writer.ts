import type { FeedKey, RecordWrite, RecordWriter, WriteOutcome } from '../../../records/record-store.ts'
import type { BlobReferences } from '../blobs/blob-references.ts'
import type { Handle, WriteDatabases } from '../engine/database.ts'
import type { Eraser } from '../upkeep/eraser.ts'
import { buildIndexes, feedIndex, mergeIndex } from '../words/search-index.ts'
import { FeedWrite, requireTable } from './feed-write.ts'
import { openFeed } from './feeds.ts'

/** Merge a feed's word index after this many new records, if they are at least this share of all records. */
const MERGED_RECORDS = 5000
const MERGED_SHARE = 0.5

export class SqliteRecordWriter implements Omit<RecordWriter, 'batchRows'> {
  readonly #writer: Handle
  readonly #eraser: Eraser
  readonly #blobs: BlobReferences
  /** Records written to each feed since its word index was last merged. */
  readonly #unmerged = new Map<number, number>()

  constructor(databases: WriteDatabases, eraser: Eraser, blobs: BlobReferences) {
    this.#writer = databases.writer
    this.#eraser = eraser
    this.#blobs = blobs
  }

  async write(target: FeedKey, records: readonly RecordWrite[], importId?: string): Promise<WriteOutcome[]> {
    const { outcomes, lostBlobs } = this.#writer.transaction(() => {
      const write = new FeedWrite(this.#writer, target, this.#blobs, importId)
      const outcomes = write.apply(records)
      this.#unmerged.set(write.feed, (this.#unmerged.get(write.feed) ?? 0) + records.length)
      return { outcomes, lostBlobs: write.lostBlobs }
    })
    this.#blobs.release(target.subjectId, lostBlobs)
    return outcomes
  }

  async noteSync(target: FeedKey, at: number, ok: boolean): Promise<void> {
    const feed = this.#writer.transaction(() => {
      const found = openFeed(this.#writer, target, requireTable(this.#writer, target))
      const { feed } = found
      const sql = ok
        ? 'update feed set captured_at = @at, attempted_at = @at where feed = @feed'
        : 'update feed set attempted_at = @at where feed = @feed'
      this.#writer.run(sql, { at, feed })
      return found
    })
    const unmerged = this.#unmerged.get(feed.feed) ?? 0
    if (unmerged < Math.max(MERGED_RECORDS, feed.recordCount * MERGED_SHARE)) return
    this.#unmerged.delete(feed.feed)
    if (feedIndex(this.#writer, feed.feed)?.complete) await mergeIndex(this.#writer, feed.feed)
  }

  async wipe(target: FeedKey): Promise<number> {
    const count = this.#writer.transaction(() => {
      const table = requireTable(this.#writer, target)
      const feed = openFeed(this.#writer, target, table)
      this.#writer.run('update feed set erased = 1 where feed = ?', feed.feed)
      openFeed(this.#writer, target, table)
      return feed.recordCount
    })
    await this.#eraser.run()
    return count
  }

  async erase(target: FeedKey, key: string): Promise<'erased' | 'again' | 'absent'> {
    const { feed, outcome, lostBlobs } = this.#writer.transaction(() => {
      const write = new FeedWrite(this.#writer, target, this.#blobs)
      const [deleted] = write.apply([{ key, emittedAt: Date.now(), data: undefined }])
      // Receipts cannot find a record by the number zero.
      const forgottenRows = this.#writer.run(
        'update tombstone set number = 0 where feed = ? and key = ?',
        write.feed,
        key,
      )
      const outcome = deleted === 'accepted' ? 'erased' : forgottenRows > 0 ? 'again' : 'absent'
      return { feed: write.feed, outcome, lostBlobs: write.lostBlobs } as const
    })
    this.#blobs.release(target.subjectId, lostBlobs)
    // The words of a deleted record stay in the index until it is merged.
    if (outcome !== 'absent' && feedIndex(this.#writer, feed)) await mergeIndex(this.#writer, feed)
    return outcome
  }

  /** Whether `resume` has anything to do. */
  needsResume(): boolean {
    const sql = `select 1 from feed where erased = 1 union all select 1 from search_index where through is not null
      union all select 1 from search_cut_unknown limit 1`
    return this.#writer.get(sql) !== undefined
  }

  async resume(): Promise<void> {
    await this.#eraser.run()
    await buildIndexes(this.#writer)
  }
}
