import { compileRecordSchema, PdppError, type RecordCheck } from '@pdpp/protocol'
import { RecordLineReader } from '../../../ingest/record-line.ts'
import { writeRecordLines } from '../../../ingest/record-lines.ts'
import type {
  FeedKey,
  LineOutcomes,
  RecordLines,
  RecordWrite,
  RecordWriter,
  WriteOutcome,
} from '../../../records/record-store.ts'
import type { BlobReferences } from '../blobs/blob-references.ts'
import type { Handle, WriteDatabases } from '../engine/database.ts'
import type { Eraser } from '../upkeep/eraser.ts'
import { editionOf } from '../words/edition.ts'
import { buildEditions, IS_OUTDATED, renewOutdated } from '../words/edition-builder.ts'
import type { WordMerger } from '../words/merging/word-merger.ts'
import { LISTED } from '../words/segment-rows.ts'
import { FeedWrite, requireDeclared, requireTable } from './feed-write.ts'
import { openFeed } from './feeds.ts'

export class SqliteRecordWriter implements Omit<RecordWriter, 'batchRows'> {
  readonly #writer: Handle
  readonly #eraser: Eraser
  readonly #blobs: BlobReferences
  readonly #merger: WordMerger
  readonly #checks = new WeakMap<object, RecordCheck>()

  constructor(databases: WriteDatabases, eraser: Eraser, blobs: BlobReferences, merger: WordMerger) {
    this.#writer = databases.writer
    this.#eraser = eraser
    this.#blobs = blobs
    this.#merger = merger
  }

  async write(target: FeedKey, records: readonly RecordWrite[], importId?: string): Promise<WriteOutcome[]> {
    const { outcomes, lostBlobs } = this.#writer.transaction(() => {
      const write = new FeedWrite(this.#writer, target, this.#blobs, importId)
      const outcomes = write.apply(records)
      return { outcomes, lostBlobs: write.lostBlobs }
    })
    this.#blobs.release(target.subjectId, lostBlobs)
    this.#merger.schedule()
    return outcomes
  }

  async writeLines(target: FeedKey, lines: RecordLines, importId?: string): Promise<LineOutcomes> {
    const stream = requireDeclared(this.#writer, target)
    const reader = new RecordLineReader(stream, this.#check(stream.schema))
    return writeRecordLines(lines, reader, (records) => this.write(target, records, importId))
  }

  #check(schema: object): RecordCheck {
    const known = this.#checks.get(schema)
    if (known) return known
    const check = compileRecordSchema(schema)
    if (typeof check === 'string') throw new PdppError('connector_invalid', `The schema of the stream ${check}`)
    this.#checks.set(schema, check)
    return check
  }

  async noteSync(target: FeedKey, at: number, ok: boolean): Promise<void> {
    this.#writer.transaction(() => {
      const { feed } = openFeed(this.#writer, target, requireTable(this.#writer, target))
      const sql = ok
        ? 'update feed set captured_at = @at, attempted_at = @at where feed = @feed'
        : 'update feed set attempted_at = @at where feed = @feed'
      this.#writer.run(sql, { at, feed })
    })
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
      // Receipts find records by number, and no record has the number zero.
      const forgottenRows = this.#writer.run(
        'update tombstone set number = 0 where feed = ? and key = ?',
        write.feed,
        key,
      )
      const outcome = deleted === 'accepted' ? 'erased' : forgottenRows > 0 ? 'again' : 'absent'
      return { feed: write.feed, outcome, lostBlobs: write.lostBlobs } as const
    })
    this.#blobs.release(target.subjectId, lostBlobs)
    // The words of a deleted record stay in its segment until that is rewritten.
    const edition = editionOf(this.#writer, feed)
    if (outcome !== 'absent' && edition) await this.#merger.erase(edition)
    return outcome
  }

  /** Whether `resume` has anything to do. */
  needsResume(): boolean {
    const sql = `select 1 from feed where erased = 1 union all
      select 1 from word_edition e where through is not null or ${IS_OUTDATED}
      union all select 1 from word_segment where state <> ${LISTED} union all select 1 from search_cut_unknown limit 1`
    return this.#writer.get(sql) !== undefined
  }

  async resume(turnMs = Infinity): Promise<boolean> {
    await this.#eraser.run()
    const until = performance.now() + turnMs
    if ((await buildEditions(this.#writer, until)) || (await renewOutdated(this.#writer, until))) return true
    await this.#merger.cleanUp()
    this.#merger.schedule()
    return false
  }
}
