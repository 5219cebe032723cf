import { canonicalJson, PdppError, parseJson } from '@pdpp/protocol'
import type { FeedKey, RecordData, RecordWrite, RecordWriter, WriteOutcome } from '../../../records/record-store.ts'
import type { BlobReferences } from '../blobs/blob-references.ts'
import { columnValue } from '../engine/column-value.ts'
import type { Databases, Handle, Value } from '../engine/database.ts'
import { ImportTrace } from '../imports/import-journal.ts'
import { readDeclaration } from '../sources/source-store.ts'
import type { Eraser } from '../upkeep/eraser.ts'
import {
  buildIndexes,
  type FeedIndex,
  feedIndex,
  indexRecord,
  mergeIndex,
  unindexRecord,
} from '../words/search-index.ts'
import { EVERYTHING, type Mask, maskOf } from './change-mask.ts'
import { type Feed, openFeed, type StreamTable, streamTable } from './feeds.ts'
import { fieldOf, type LayoutField } from './layout.ts'

/** After so many new records, and as many as this share of all, the word index of a feed is made one again. */
const MERGED_RECORDS = 5000
const MERGED_SHARE = 0.5

/** Left to itself SQLite walks all of a feed's changes for those of one record. */
const CHANGES_OF = 'change indexed by change_record'

interface Existing {
  id: number
  data: string
}

export class SqliteRecordWriter implements RecordWriter {
  readonly #writer: Handle
  readonly #eraser: Eraser
  readonly #blobs: BlobReferences
  /** Records written to each feed since its word index was last made one. */
  readonly #unmerged = new Map<number, number>()

  constructor(databases: Databases, eraser: Eraser, blobs: BlobReferences) {
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
      // No receipt names a record by the number zero.
      const forgotten = this.#writer.run('update tombstone set number = 0 where feed = ? and key = ?', write.feed, key)
      const outcome = deleted === 'accepted' ? 'erased' : forgotten > 0 ? 'again' : 'absent'
      return { feed: write.feed, outcome, lostBlobs: write.lostBlobs } as const
    })
    this.#blobs.release(target.subjectId, lostBlobs)
    // A deleted record's words stay in their piece of the index until it is made anew.
    if (outcome !== 'absent' && feedIndex(this.#writer, feed)) await mergeIndex(this.#writer, feed)
    return outcome
  }

  async resume(): Promise<void> {
    await this.#eraser.run()
    await buildIndexes(this.#writer)
  }
}

/** One transaction's work on one feed: counters are read once and written once. */
export class FeedWrite {
  readonly #db: Handle
  readonly #table: StreamTable
  readonly #feed: Feed
  readonly #appendOnly: boolean
  readonly #time: LayoutField | undefined
  readonly #columns: LayoutField[]
  readonly #insertSql: string
  readonly #index: FeedIndex | undefined
  readonly #blobs: BlobReferences
  readonly #subjectId: string
  /** Blobs that a record referred to and does not any more. */
  readonly lostBlobs = new Set<string>()
  readonly #trace: ImportTrace | undefined
  #version: number
  #count: number
  #nextRecord: number
  /** Whether the feed remembers deleted records, so that new ones must look for their past. */
  #hasTombstones: boolean
  /** Whether records of the feed refer to blobs, or any were sent for them. */
  #hasBlobs: boolean

  constructor(db: Handle, target: FeedKey, blobs: BlobReferences, importId?: string) {
    this.#db = db
    this.#blobs = blobs
    this.#subjectId = target.subjectId
    this.#table = requireTable(db, target)
    this.#feed = openFeed(db, target, this.#table)
    this.#index = feedIndex(db, this.#feed.feed)
    const stream = requireDeclared(db, target)
    this.#appendOnly = stream.semantics === 'append_only'
    this.#time = stream.consent_time_field == null ? undefined : fieldOf(this.#table.layout, stream.consent_time_field)
    this.#columns = this.#table.layout.fields.filter((field) => field.column !== undefined)
    const names = ['id', 'feed', 'key', 'emitted_at', 'extra', 'data', ...this.#columns.map((field) => field.column)]
    this.#insertSql = `insert into ${this.#table.table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')}) on conflict (feed, key) do nothing`
    this.#version = this.#feed.version
    this.#trace = importId === undefined ? undefined : new ImportTrace(db, importId, this.#feed, target.stream)
    this.#count = this.#feed.recordCount
    this.#nextRecord = db.get<{ n: number }>(
      'select next_record n from stream where stream_no = ?',
      this.#table.streamNo,
    )!.n
    this.#hasTombstones = db.get('select 1 from tombstone where feed = ? limit 1', this.#feed.feed) !== undefined
    this.#hasBlobs = blobs.has(this.#feed.feed)
  }

  get feed(): number {
    return this.#feed.feed
  }

  /** Of the last change. */
  get version(): number {
    return this.#version
  }

  apply(records: readonly RecordWrite[]): WriteOutcome[] {
    const outcomes = records.map((record) =>
      record.data ? this.#upsertReferring(record, record.data) : this.#delete(record),
    )
    this.#db.run(
      'update feed set version = ?, record_count = ? where feed = ?',
      this.#version,
      this.#count,
      this.#feed.feed,
    )
    this.#db.run('update stream set next_record = ? where stream_no = ?', this.#nextRecord, this.#table.streamNo)
    this.#trace?.wrote(this.#version)
    return outcomes
  }

  /** Also a record that is as it was: its stream may have come to declare that a field refers to blobs. */
  #upsertReferring(record: RecordWrite, { members, blobs = [] }: RecordData): WriteOutcome {
    if (blobs.length > 0 && !this.#blobs.areStored(this.#subjectId, blobs)) return 'blob_not_found'
    const outcome = this.#upsert(record, members)
    if (outcome === 'append_only_conflict' || (blobs.length === 0 && !this.#hasBlobs)) return outcome
    this.#hasBlobs = true
    this.#blobs.refer(this.#subjectId, { feed: this.#feed.feed, key: record.key }, blobs, this.lostBlobs)
    return outcome
  }

  #upsert(record: RecordWrite, members: Readonly<Record<string, unknown>>): WriteOutcome {
    const { json, extra } = this.#serialise(members)
    const values = this.#columns.map((field) => columnValue(field.kind, members[field.name]))
    const number = this.#nextRecord
    const inserted = this.#db.run(
      this.#insertSql,
      number,
      this.#feed.feed,
      record.key,
      record.emittedAt,
      extra,
      json,
      ...values,
    )
    if (inserted === 0) return this.#update(record, members, json, extra, values)
    this.#nextRecord++
    this.#count++
    if (this.#hasTombstones) this.#linkPast(record.key, number)
    if (this.#index) indexRecord(this.#db, this.#index, number, members)
    this.#log(number, EVERYTHING, record.emittedAt)
    this.#trace?.added()
    return 'accepted'
  }

  #update(
    record: RecordWrite,
    members: Readonly<Record<string, unknown>>,
    json: string,
    extra: number,
    values: Value[],
  ): WriteOutcome {
    const { table } = this.#table
    const existing = this.#db.get<Existing>(
      `select id, data from ${table} where feed = ? and key = ?`,
      this.#feed.feed,
      record.key,
    )!
    if (existing.data === json) return 'unchanged'
    const changed = changedMembers(parseJson(existing.data) as Record<string, unknown>, members)
    if (changed.length === 0) return 'unchanged'
    if (this.#appendOnly) return 'append_only_conflict'
    this.#trace?.changing(existing.id, existing.data)
    if (this.#time && changed.includes(this.#time.name)) this.#writeTombstone(existing.id, record)
    const columns = this.#columns.map((field) => `${field.column} = ?`)
    const sql = `update ${table} set ${['emitted_at = ?', 'touched = 1', 'extra = ?', 'data = ?', ...columns].join(', ')} where id = ?`
    this.#db.run(sql, record.emittedAt, extra, json, ...values, existing.id)
    if (this.#index?.fields.some((field) => changed.includes(field))) {
      unindexRecord(this.#db, this.#index, existing.id)
      indexRecord(this.#db, this.#index, existing.id, members)
    }
    const mask = maskOf(this.#table.layout, changed)
    this.#takeBits(existing.id, mask)
    this.#log(existing.id, mask, record.emittedAt)
    return 'accepted'
  }

  #delete(record: RecordWrite): WriteOutcome {
    const { table } = this.#table
    if (this.#hasBlobs) this.#blobs.forget({ feed: this.#feed.feed, key: record.key }, this.lostBlobs)
    const existing = this.#db.get<Existing>(
      `select id from ${table} where feed = ? and key = ?`,
      this.#feed.feed,
      record.key,
    )
    if (!existing) return 'unchanged'
    this.#writeTombstone(existing.id, record)
    this.#db.run(`delete from ${table} where id = ?`, existing.id)
    if (this.#index) unindexRecord(this.#db, this.#index, existing.id)
    this.#db.run(`delete from ${CHANGES_OF} where feed = ? and record = ?`, this.#feed.feed, existing.id)
    this.#db.run('delete from import_before where feed = ? and record = ?', this.#feed.feed, existing.id)
    this.#log(existing.id, EVERYTHING, record.emittedAt, true)
    this.#count--
    return 'accepted'
  }

  /** Members in the declaration's order, so that the same record is mostly the same text. */
  #serialise(members: Readonly<Record<string, unknown>>): { json: string; extra: number } {
    const ordered: Record<string, unknown> = {}
    let declared = 0
    for (const { name } of this.#table.layout.fields) {
      if (!Object.hasOwn(members, name)) continue
      ordered[name] = members[name]
      declared++
    }
    const extra = Object.keys(members).length > declared ? 1 : 0
    return { json: JSON.stringify(extra ? { ...ordered, ...members } : ordered), extra }
  }

  /** Keeps the consent time that the record has now: whoever saw it there must learn that it has left. */
  #writeTombstone(id: number, record: RecordWrite): void {
    const time = this.#time?.column ?? 'null'
    const sql = `insert into tombstone (feed, number, current, key, time, at, version)
      select feed, id, id, key, ${time}, ?, ? from ${this.#table.table} where id = ?`
    // The change itself is logged next.
    this.#db.run(sql, record.emittedAt, this.#version + 1, id)
    this.#hasTombstones = true
  }

  /** A record that came back is the successor of the deleted one: its tombstone gives way to it. */
  #linkPast(key: string, number: number): void {
    const past = this.#db.all<{ current: number }>(
      'select distinct current from tombstone where feed = ? and key = ?',
      this.#feed.feed,
      key,
    )
    for (const { current } of past)
      this.#db.run(`delete from ${CHANGES_OF} where feed = ? and record = ?`, this.#feed.feed, current)
    this.#db.run('update tombstone set current = ? where feed = ? and key = ?', number, this.#feed.feed, key)
  }

  #takeBits(id: number, mask: Mask): void {
    for (const [part, bits] of mask) {
      this.#db.run(
        `update ${CHANGES_OF} set mask = mask & ~? where feed = ? and record = ? and part = ?`,
        bits,
        this.#feed.feed,
        id,
        part,
      )
    }
    this.#db.run(`delete from ${CHANGES_OF} where feed = ? and record = ? and mask = 0`, this.#feed.feed, id)
  }

  #log(id: number, mask: Mask, emittedAt: number, deleted = false): void {
    const version = ++this.#version
    for (const [part, bits] of mask) {
      this.#db.run(
        'insert into change values (?, ?, ?, ?, ?, ?, ?)',
        this.#feed.feed,
        version,
        part,
        id,
        bits,
        emittedAt,
        deleted ? 1 : 0,
      )
    }
  }
}

function changedMembers(before: Record<string, unknown>, after: Readonly<Record<string, unknown>>): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].filter((name) => {
    const [had, has] = [Object.hasOwn(before, name), Object.hasOwn(after, name)]
    return had !== has || canonicalJson(before[name]) !== canonicalJson(after[name])
  })
}

export function requireTable(db: Handle, target: FeedKey): StreamTable {
  const table = streamTable(db, target.subjectId, target.connectorKey, target.stream)
  if (table) return table
  throw new PdppError(
    'stream_not_declared',
    `The source "${target.connectorKey}" declares no stream "${target.stream}".`,
  )
}

export function requireDeclared(db: Handle, target: FeedKey) {
  const declaration = readDeclaration(db, target.subjectId, target.connectorKey)
  const stream = declaration?.streams.find((candidate) => candidate.name === target.stream)
  if (stream) return stream
  throw new PdppError(
    'stream_not_declared',
    `The source "${target.connectorKey}" declares no stream "${target.stream}".`,
  )
}
