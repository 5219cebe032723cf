import type { FeedKey, RecordWrite, WriteOutcome } from '../../../records/record-store.ts'
import { fieldOf } from '../../records/layout.ts'
import { BlobBatch } from '../blobs/blob-batch.ts'
import type { Session } from '../engine/session.ts'
import { ImportJournal } from '../imports/import-journal.ts'
import { editionsOf } from '../words/edition.ts'
import { WordBatch } from '../words/word-batch.ts'
import { writeBatch } from './batch-rows.ts'
import type { Feed, StoredStream, Streams } from './feeds.ts'
import { RecordBatch, type RecordState } from './record-batch.ts'

export interface FeedWriteResult {
  readonly outcomes: WriteOutcome[]
  /** The version of the last change. */
  readonly version: number
}

/** The writes of one transaction to one feed, which is locked until the end. */
export class FeedWrite {
  readonly feed: Feed
  readonly stream: StoredStream
  readonly #session: Session
  readonly #target: FeedKey
  readonly #streams: Streams
  readonly #importId: string | undefined
  #version: number

  private constructor(
    session: Session,
    target: FeedKey,
    streams: Streams,
    opened: { stream: StoredStream; feed: Feed },
    importId: string | undefined,
  ) {
    this.#session = session
    this.#target = target
    this.#streams = streams
    this.stream = opened.stream
    this.feed = opened.feed
    this.#importId = importId
    this.#version = opened.feed.version
  }

  static async open(
    session: Session,
    subject: number,
    target: FeedKey,
    streams: Streams,
    importId?: string,
  ): Promise<FeedWrite> {
    const stream = await streams.require(session, subject, target)
    const feed = await streams.openFeed(session, target, stream)
    return new FeedWrite(session, target, streams, { stream, feed }, importId)
  }

  get version(): number {
    return this.#version
  }

  async apply(records: readonly RecordWrite[]): Promise<WriteOutcome[]> {
    const session = this.#session
    const { subject, streamNo, layout } = this.stream
    const place = { subject, feed: this.feed.feed }
    const declared = await this.#streams.requireDeclared(session, subject, this.#target)
    const timeField = declared.consent_time_field ?? undefined
    const keys = [...new Set(records.map(({ key }) => key))]
    const stored = await this.#stored(keys, timeField)
    const [edition] = await editionsOf(session, subject, [place.feed])
    const words = edition && new WordBatch(session, edition)
    const blobs = await BlobBatch.open(session, place, records)
    const journal =
      this.#importId === undefined
        ? undefined
        : await ImportJournal.open(session, place, this.#importId, [...stored.values()], this.#version)
    const next = 'select next_record from stream where subject = ? and stream_no = ? for update'
    const [nextRecord] = await session.column<number>(next, subject, streamNo)
    const start = {
      ...{ layout, timeField, stored, formerly: await this.#formerly(keys) },
      ...{ isAppendOnly: declared.semantics === 'append_only', version: this.#version, nextRecord: nextRecord! },
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
    const outcomes = records.map((record) => writeOne(batch, blobs, record))
    await writeBatch(session, place, batch, layout.fields)
    await blobs.write()
    await words?.flush()
    this.#version = batch.log.version
    const counted = `update feed set version = ?, record_count = record_count + ? where subject = ? and feed = ?`
    await session.run(counted, batch.log.version, batch.added, subject, place.feed)
    if (batch.nextRecord > nextRecord!)
      await session.run(
        'update stream set next_record = ? where subject = ? and stream_no = ?',
        ...[batch.nextRecord, subject, streamNo],
      )
    await journal?.wrote(batch.log.version, this.feed, this.#target.stream)
    return outcomes
  }

  async #stored(keys: readonly string[], timeField: string | undefined): Promise<Map<string, RecordState>> {
    const { subject, layout } = this.stream
    const time = timeField === undefined ? undefined : fieldOf(layout, timeField)?.column
    const sql = `select id, key, data, ${time === undefined ? 'null::bigint' : `r.${time}`} "time" from record r
      where subject = ? and feed = ? and key = any(?::text[])`
    const rows = await this.#session.all<RecordState>(sql, subject, this.feed.feed, keys)
    return new Map(rows.map((row) => [row.key, row]))
  }

  async #formerly(keys: readonly string[]): Promise<Map<string, number[]>> {
    const sql = 'select distinct key, current from tombstone where subject = ? and feed = ? and key = any(?::text[])'
    const rows = await this.#session.all<{ key: string; current: number }>(
      sql,
      ...[this.stream.subject, this.feed.feed, keys],
    )
    const formerly = new Map<string, number[]>()
    for (const { key, current } of rows) formerly.set(key, [...(formerly.get(key) ?? []), current])
    return formerly
  }
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
