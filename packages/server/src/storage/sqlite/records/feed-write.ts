import { canonicalJson, PdppError, parseJson } from '@pdpp/protocol'
import type { FeedKey, RecordData, RecordWrite, WriteOutcome } from '../../../records/record-store.ts'
import { ALL_FIELDS, type Mask, maskOf } from '../../records/change-mask.ts'
import { columnValue } from '../../records/column-value.ts'
import { fieldOf, type LayoutField } from '../../records/layout.ts'
import type { BlobReferences } from '../blobs/blob-references.ts'
import type { Handle, Value } from '../engine/database.ts'
import { ImportJournal } from '../imports/import-journal.ts'
import { readDeclaration } from '../sources/declaration-reader.ts'
import { editionOf } from '../words/edition.ts'
import { WordBatch } from '../words/word-batch.ts'
import { type Feed, openFeed, type StreamTable, streamTable } from './feeds.ts'
import { forgetBrief, noteBrief } from './record-brief.ts'

/** Without this, SQLite would read all changes of a feed to find those of one record. */
const CHANGES_OF = 'change indexed by change_record'

interface Existing {
  id: number
  data: string
}

/** The writes of one transaction to one feed. Reads the feed's counters once and writes them once. */
export class FeedWrite {
  readonly #db: Handle
  readonly #table: StreamTable
  readonly #feed: Feed
  readonly #appendOnly: boolean
  readonly #time: LayoutField | undefined
  readonly #columns: LayoutField[]
  readonly #insertSql: string
  readonly #words: WordBatch | undefined
  readonly #blobs: BlobReferences
  readonly #subjectId: string
  /** Blobs that a record referred to before and no longer does. */
  readonly lostBlobs = new Set<string>()
  readonly #journal: ImportJournal | undefined
  #version: number
  #count: number
  #nextRecord: number
  /** New records at the end that are not in the change log yet. */
  #unlogged = 0
  /** Whether the feed has tombstones, which means that a new record may replace a deleted one. */
  #hasTombstones: boolean
  /** Whether any blob was sent for records of the feed. */
  #hasBlobs: boolean

  constructor(db: Handle, target: FeedKey, blobs: BlobReferences, importId?: string) {
    this.#db = db
    this.#blobs = blobs
    this.#subjectId = target.subjectId
    this.#table = requireTable(db, target)
    this.#feed = openFeed(db, target, this.#table)
    const edition = editionOf(db, this.#feed.feed)
    this.#words = edition && new WordBatch(db, edition)
    const stream = requireDeclared(db, target)
    this.#appendOnly = stream.semantics === 'append_only'
    this.#time = stream.consent_time_field == null ? undefined : fieldOf(this.#table.layout, stream.consent_time_field)
    this.#columns = this.#table.layout.fields.filter((field) => field.column !== undefined)
    const names = ['id', 'feed', 'key', 'emitted_at', 'extra', 'data', ...this.#columns.map((field) => field.column)]
    this.#insertSql = `insert into ${this.#table.table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')}) on conflict (feed, key) do nothing`
    this.#version = this.#feed.version
    this.#journal = importId === undefined ? undefined : new ImportJournal(db, importId, this.#feed, target.stream)
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

  /** The version of the last change. */
  get version(): number {
    return this.#version
  }

  apply(records: readonly RecordWrite[]): WriteOutcome[] {
    const outcomes = records.map((record) =>
      record.data ? this.#upsertReferring(record, record.data) : this.#delete(record),
    )
    this.#logNew()
    this.#words?.flush()
    this.#db.run(
      'update feed set version = ?, record_count = ? where feed = ?',
      this.#version,
      this.#count,
      this.#feed.feed,
    )
    this.#db.run('update stream set next_record = ? where stream_no = ?', this.#nextRecord, this.#table.streamNo)
    this.#journal?.wrote(this.#version)
    return outcomes
  }

  /** Stores references even of an unchanged record, because its stream may have declared a blob field since then. */
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
    if (this.#hasTombstones) this.#linkTombstones(record.key, number)
    noteBrief(this.#db, this.#feed.feed, number, json)
    this.#words?.add(number, members, true)
    this.#version++
    this.#unlogged++
    this.#journal?.added()
    return 'accepted'
  }

  #update(
    record: RecordWrite,
    members: Readonly<Record<string, unknown>>,
    json: string,
    extra: number,
    values: Value[],
  ): WriteOutcome {
    this.#logNew()
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
    this.#journal?.changing(existing.id, existing.data)
    if (this.#time && changed.includes(this.#time.name)) this.#writeTombstone(existing.id, record)
    const columns = this.#columns.map((field) => `${field.column} = ?`)
    const sql = `update ${table} set ${['emitted_at = ?', 'touched = 1', 'extra = ?', 'data = ?', ...columns].join(', ')} where id = ?`
    this.#db.run(sql, record.emittedAt, extra, json, ...values, existing.id)
    forgetBrief(this.#db, this.#feed.feed, existing.id)
    noteBrief(this.#db, this.#feed.feed, existing.id, json)
    this.#words?.update(existing.id, members, changed)
    const mask = maskOf(this.#table.layout, changed)
    this.#clearBits(existing.id, mask)
    this.#log(existing.id, mask, record.emittedAt)
    return 'accepted'
  }

  #delete(record: RecordWrite): WriteOutcome {
    this.#logNew()
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
    forgetBrief(this.#db, this.#feed.feed, existing.id)
    this.#words?.remove(existing.id)
    this.#db.run(`delete from ${CHANGES_OF} where feed = ? and record = ?`, this.#feed.feed, existing.id)
    this.#db.run('delete from import_before where feed = ? and record = ?', this.#feed.feed, existing.id)
    this.#log(existing.id, ALL_FIELDS, record.emittedAt, true)
    this.#count--
    return 'accepted'
  }

  /** Serialises members in the declaration's order, so that equal records usually have equal text. */
  #serialise(members: Readonly<Record<string, unknown>>): { json: string; extra: number } {
    if (this.#isInOrder(members)) return { json: JSON.stringify(members), extra: 0 }
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

  /** True if the members are declared and in order, as most sources write them. */
  #isInOrder(members: Readonly<Record<string, unknown>>): boolean {
    const { fields } = this.#table.layout
    let at = 0
    for (const name in members) {
      while (at < fields.length && fields[at]!.name !== name) at++
      if (at++ >= fields.length) return false
    }
    return true
  }

  /** Keeps the record's current consent time, because clients who saw it then must learn that it left. */
  #writeTombstone(id: number, record: RecordWrite): void {
    const time = this.#time?.column ?? 'null'
    const sql = `insert into tombstone (feed, number, current, key, time, at, version)
      select feed, id, id, key, ${time}, ?, ? from ${this.#table.table} where id = ?`
    // The change gets the next version when it is logged.
    this.#db.run(sql, record.emittedAt, this.#version + 1, id)
    this.#hasTombstones = true
  }

  /** Logs the last new records, whose numbers and versions follow each other, with one statement. */
  #logNew(): void {
    if (this.#unlogged === 0) return
    const sql = `insert into change select feed, id - ?, 0, id, ?, emitted_at, 0 from ${this.#table.table}
      where id >= ? and id < ?`
    const first = this.#nextRecord - this.#unlogged
    const version = this.#version - this.#unlogged + 1
    this.#db.run(sql, first - version, ALL_FIELDS.get(0), first, this.#nextRecord)
    this.#unlogged = 0
  }

  /** Links a key's tombstones to the new record and removes their changes, because the new record replaces them. */
  #linkTombstones(key: string, number: number): void {
    const former = this.#db.all<{ current: number }>(
      'select distinct current from tombstone where feed = ? and key = ?',
      this.#feed.feed,
      key,
    )
    for (const { current } of former)
      this.#db.run(`delete from ${CHANGES_OF} where feed = ? and record = ?`, this.#feed.feed, current)
    this.#db.run('update tombstone set current = ? where feed = ? and key = ?', number, this.#feed.feed, key)
  }

  #clearBits(id: number, mask: Mask): void {
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
