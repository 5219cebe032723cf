import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FeedKey, RecordWrite, WriteOutcome } from '../../../records/record-store.ts'
import { fieldOf } from '../../records/layout.ts'
import type { SegmentBuilding } from '../../words/segment-building.ts'
import { BlobBatch } from '../blobs/blob-batch.ts'
import type { Session } from '../engine/session.ts'
import { ImportJournal } from '../imports/import-journal.ts'
import { WordBatch } from '../words/word-batch.ts'
import { writeBatch } from './batch-rows.ts'
import type { Feed, OpenFeed, Streams } from './feeds.ts'
import { RecordBatch, type RecordState } from './record-batch.ts'

/** The writes of one transaction to one feed. The feed is locked until the transaction ends. */
export class FeedWrite {
  readonly #session: Session
  readonly #target: FeedKey
  readonly #building: SegmentBuilding
  readonly #importId: string | undefined
  #open: OpenFeed

  private constructor(
    session: Session,
    target: FeedKey,
    open: OpenFeed,
    building: SegmentBuilding,
    importId: string | undefined,
  ) {
    this.#session = session
    this.#target = target
    this.#open = open
    this.#building = building
    this.#importId = importId
  }

  static async open(
    session: Session,
    subject: number,
    target: FeedKey,
    streams: Streams,
    importId?: string,
  ): Promise<FeedWrite> {
    const open = await streams.openFeed(session, subject, target)
    return new FeedWrite(session, target, open, streams.building, importId)
  }

  get feed(): Feed {
    return this.#open.feed
  }

  /** The version of the last change. */
  get version(): number {
    return this.#open.feed.version
  }

  async apply(records: readonly RecordWrite[]): Promise<WriteOutcome[]> {
    const session = this.#session
    const { stream, feed, declared, edition, nextRecord, hasBlobs } = this.#open
    const { subject, layout } = stream
    const feedId = { subject, feed: feed.feed }
    const timeField = declared.consent_time_field ?? undefined
    const keys = [...new Set(records.map(({ key }) => key))]
    const [stored, formerly, blobs] = await Promise.all([
      this.#stored(keys, timeField),
      this.#formerly(keys),
      BlobBatch.open(session, feedId, records, hasBlobs),
    ])
    const words = edition && new WordBatch(session, edition, this.#building)
    const journal =
      this.#importId === undefined
        ? undefined
        : await ImportJournal.open(session, feedId, this.#importId, [...stored.values()], feed.version)
    const start = {
      ...{ layout, timeField, stored, formerly, nextRecord },
      ...{ isAppendOnly: declared.semantics === 'append_only', version: feed.version },
    }
    const batch = new RecordBatch(start, {
      added: (row) => {
        words?.add(row.id, row.members, true)
        journal?.added()
      },
      changing: (before) => journal?.changing(before),
      changed: (row, members) => words?.update(row.id, row.members, members),
      removed: (id) => words?.remove(id),
    })
    const outcomes = await inTurns(records, (record) => writeOne(batch, blobs, record))
    if (batch.log.version > feed.version) {
      words?.begin()
      await Promise.all([writeBatch(session, feedId, batch, layout.fields), this.#count(batch)])
      await words?.flush()
      await journal?.wrote(batch.log.version, feed, this.#target.stream)
    }
    await blobs.write()
    return outcomes
  }

  async #count(batch: RecordBatch): Promise<void> {
    const { stream, feed } = this.#open
    const sql = `with counted as (update feed set version = @version, record_count = record_count + @added
        where subject = @subject and feed = @feed)
      update stream set next_record = @next where subject = @subject and stream_no = @streamNo`
    const { version } = batch.log
    const { subject, streamNo } = stream
    const values = { version, added: batch.added, subject, feed: feed.feed, next: batch.nextRecord, streamNo }
    await this.#session.run(sql, values)
    this.#open = {
      ...this.#open,
      ...{ feed: { ...feed, version, recordCount: feed.recordCount + batch.added }, nextRecord: batch.nextRecord },
      ...{ hasTombstones: true, hasBlobs: true },
    }
  }

  async #stored(keys: readonly string[], timeField: string | undefined): Promise<Map<string, RecordState>> {
    const { subject, layout } = this.#open.stream
    const time = timeField === undefined ? undefined : fieldOf(layout, timeField)?.column
    const sql = `select r.id, r.key, r.data, ${time === undefined ? 'null::bigint' : `r.${time}`} "time"
      from unnest(?::text[]) k(key) join record r on r.subject = ? and r.feed = ? and r.key = k.key`
    const rows = await this.#session.all<RecordState>(sql, keys, subject, this.feed.feed)
    return new Map(rows.map((row) => [row.key, row]))
  }

  async #formerly(keys: readonly string[]): Promise<Map<string, number[]>> {
    if (!this.#open.hasTombstones) return new Map()
    const sql = 'select distinct key, current from tombstone where subject = ? and feed = ? and key = any(?::text[])'
    const rows = await this.#session.all<{ key: string; current: number }>(
      sql,
      ...[this.#open.stream.subject, this.feed.feed, keys],
    )
    const formerly = new Map<string, number[]>()
    for (const { key, current } of rows) formerly.set(key, [...(formerly.get(key) ?? []), current])
    return formerly
  }
}

/** Lets other work run after this many milliseconds. */
const TURN_MS = 3

async function inTurns<T, Result>(list: readonly T[], work: (one: T) => Result): Promise<Result[]> {
  const results: Result[] = []
  let yieldedAt = performance.now()
  for (const one of list) {
    if (performance.now() - yieldedAt > TURN_MS) {
      await nextTurn()
      yieldedAt = performance.now()
    }
    results.push(work(one))
  }
  return results
}

/** Stores references even of an unchanged record, because its stream may have declared a blob field since then. */
function writeOne(batch: RecordBatch, blobs: BlobBatch, record: RecordWrite): WriteOutcome {
  const uses = record.data?.blobs ?? []
  if (!blobs.areStored(uses)) return 'blob_not_found'
  const outcome = batch.apply(record)
  if (!record.data) blobs.forget(record.key)
  else if (outcome !== 'append_only_conflict') blobs.refer(record.key, uses)
  return outcome
}
