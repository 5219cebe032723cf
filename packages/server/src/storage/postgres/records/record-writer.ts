import type { FeedKey, RecordWrite, RecordWriter, WriteOutcome } from '../../../records/record-store.ts'
import type { Database } from '../engine/database.ts'
import type { Owners } from '../installation/owners.ts'
import type { Eraser } from '../upkeep/eraser.ts'
import { editionsOf } from '../words/edition.ts'
import type { EditionBuilder } from '../words/edition-builder.ts'
import type { WordMerger } from '../words/merging/word-merger.ts'
import { FeedWrite } from './feed-write.ts'
import type { Streams } from './feeds.ts'

/** Max. records per batch. They share a transaction and a segment of the word index. */
const BATCH_ROWS = 1000
/** Rows after which the tables are analyzed for the first time. */
const ANALYZED_ROWS = 500

interface Parts {
  readonly database: Database
  readonly owners: Owners
  readonly streams: Streams
  readonly eraser: Eraser
  readonly builder: EditionBuilder
  readonly merger: WordMerger
}

export class PostgresRecordWriter implements RecordWriter {
  readonly batchRows = BATCH_ROWS
  readonly #parts: Parts
  #written = 0
  #analyzeAt = ANALYZED_ROWS

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async write(target: FeedKey, records: readonly RecordWrite[], importId?: string): Promise<WriteOutcome[]> {
    const { database, owners, streams, merger } = this.#parts
    const subject = await owners.require(target.subjectId)
    const outcomes = await database.transaction(async (session) => {
      const write = await FeedWrite.open(session, subject, target, streams, importId)
      return write.apply(records)
    })
    merger.schedule(subject)
    this.#written += records.length
    if (this.#written >= this.#analyzeAt) this.#analyze()
    return outcomes
  }

  /** A new table has no statistics for a minute. Without statistics, PostgreSQL uses the wrong index. */
  #analyze(): void {
    this.#analyzeAt = this.#written * 4
    for (const table of ['record', 'change']) void this.#parts.database.run(`analyze ${table}`).catch(() => {})
  }

  async noteSync(target: FeedKey, at: number, ok: boolean): Promise<void> {
    const { database, owners, streams } = this.#parts
    const subject = await owners.require(target.subjectId)
    const set = `update feed f set attempted_at = @at,
      captured_at = case when @ok::boolean then @at else f.captured_at end`
    const sql = `${set} from stream s join connection c on c.subject = s.subject
      where s.subject = @subject and s.connector_key = @connectorKey and s.name = @stream
        and c.connection_id = @connectionId and f.subject = s.subject and f.stream_no = s.stream_no
        and f.connection_id = c.connection_id and f.erased = 0`
    if ((await database.write(sql, { ...target, at, ok, subject })) > 0) return
    await database.transaction(async (session) => {
      const { feed } = (await streams.openFeed(session, subject, target)).feed
      await session.run(`${set} where f.subject = @subject and f.feed = @feed`, { at, ok, subject, feed })
    })
  }

  async wipe(target: FeedKey): Promise<number> {
    const { database, owners, streams, eraser } = this.#parts
    const subject = await owners.require(target.subjectId)
    const count = await database.transaction(async (session) => {
      const { feed, recordCount } = (await streams.openFeed(session, subject, target)).feed
      await session.run('update feed set erased = 1 where subject = ? and feed = ?', subject, feed)
      await streams.openFeed(session, subject, target)
      return recordCount
    })
    await eraser.run()
    return count
  }

  async erase(target: FeedKey, key: string): Promise<'erased' | 'again' | 'absent'> {
    const { database, owners, streams, merger } = this.#parts
    const subject = await owners.require(target.subjectId)
    const { feed, outcome } = await database.transaction(async (session) => {
      const write = await FeedWrite.open(session, subject, target, streams)
      const [deleted] = await write.apply([{ key, emittedAt: Date.now(), data: undefined }])
      const { feed } = write.feed
      // Receipts find records by number, and no record has the number zero.
      const forget = 'update tombstone set number = 0 where subject = ? and feed = ? and key = ?'
      const forgotten = await session.run(forget, subject, feed, key)
      return { feed, outcome: deleted === 'accepted' ? 'erased' : forgotten > 0 ? 'again' : 'absent' } as const
    })
    // The words of a deleted record stay in its segment until that is rewritten.
    const [edition] = outcome === 'absent' ? [] : await editionsOf(database, subject, [feed])
    if (edition) await merger.erase(edition)
    return outcome
  }

  async resume(turnMs = Infinity): Promise<boolean> {
    const { database, eraser, builder, merger } = this.#parts
    await eraser.run()
    const until = performance.now() + turnMs
    if ((await builder.run(undefined, until)) || (await builder.renewOutdated(until))) return true
    for (const subject of await database.column<number>('select subject from word_owner')) {
      await merger.cleanUp(subject)
      merger.schedule(subject)
    }
    return false
  }
}
