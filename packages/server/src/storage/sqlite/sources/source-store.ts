import { canonicalJson, parseJson, type SourceDeclaration, type StreamDeclaration } from '@pdpp/protocol'
import { storedJson } from '../../../lib/stored-json.ts'
import type { SourceStore } from '../../../sources/declarations/source-store.ts'
import { tooManyFields } from '../../records/added-fields.ts'
import { columnValue } from '../../records/column-value.ts'
import { fieldOf, type Layout, type LayoutField, layoutOf } from '../../records/layout.ts'
import { lostRecords } from '../../records/lost-records.ts'
import { type EditionSpec, editionSpec } from '../../words/edition.ts'
import type { Handle, WriteDatabases } from '../engine/database.ts'
import { noteSource } from '../imports/import-created.ts'
import { addColumn, columnIndex, columnNames, createTable, indexName, tableName } from '../records/stream-table.ts'
import { createEdition, dropEdition } from '../words/edition.ts'
import { buildEditions } from '../words/edition-builder.ts'
import { readDeclaration } from './declaration-reader.ts'

interface StreamRow {
  stream_no: number
  layout: string
}

/** Rows in memory while a new column is filled. */
const BACKFILL_ROWS = 2000

/** Removes a source that has no records, with its stream tables. */
export function removeSource(db: Handle, subjectId: string, connectorKey: string): void {
  const sql = 'delete from stream where subject_id = ? and connector_key = ? returning stream_no'
  for (const { stream_no: streamNo } of db.all<StreamRow>(sql, subjectId, connectorKey))
    db.db.exec(`drop table ${tableName(streamNo)}`)
  db.run('delete from source where subject_id = ? and connector_key = ?', subjectId, connectorKey)
}

function newColumns(previous: Layout, layout: Layout): LayoutField[] {
  const known = new Set(previous.fields.map(({ column }) => column))
  return layout.fields.filter(({ column }) => column !== undefined && !known.has(column))
}

export class SqliteSourceStore implements SourceStore {
  readonly #writer: Handle
  readonly #reader: Handle
  readonly #databases: WriteDatabases

  constructor(databases: WriteDatabases) {
    this.#writer = databases.writer
    this.#reader = databases.reader
    this.#databases = databases
  }

  async declare(
    subjectId: string,
    declaration: SourceDeclaration,
    importId?: string,
  ): Promise<'created' | 'updated' | 'unchanged'> {
    if (this.isDeclared(subjectId, declaration)) return 'unchanged'
    const known = await this.find(subjectId, declaration.connector_key)
    if (known) this.#refuseLoss(subjectId, known, declaration)
    if (known) this.#refuseTooMany(subjectId, declaration)
    const now = Date.now()
    this.#writer.transaction(() => {
      for (const stream of declaration.streams) this.#prepareStream(subjectId, declaration, stream)
      this.#writer.run(
        `insert into source values (?, ?, ?, 1, ?, ?) on conflict (subject_id, connector_key) do update
         set declaration = excluded.declaration, revision = revision + 1, updated_at = excluded.updated_at`,
        subjectId,
        declaration.connector_key,
        JSON.stringify(declaration),
        now,
        now,
      )
      if (importId !== undefined) noteSource(this.#writer, importId, declaration.connector_key)
    })
    this.#databases.forgetStatements()
    await buildEditions(this.#writer)
    return known ? 'updated' : 'created'
  }

  /** Whether exactly this declaration is stored. */
  isDeclared(subjectId: string, declaration: SourceDeclaration): boolean {
    const known = readDeclaration(this.#reader, subjectId, declaration.connector_key)
    return known !== undefined && canonicalJson(known) === canonicalJson(declaration)
  }

  /** Returns a new object after every write to the file, which is more often than necessary. */
  async moment(): Promise<object> {
    return this.#reader.cachedUntilWrite('moment', () => ({}))
  }

  async find(subjectId: string, connectorKey: string): Promise<SourceDeclaration | undefined> {
    return readDeclaration(this.#reader, subjectId, connectorKey)
  }

  async list(subjectId: string): Promise<SourceDeclaration[]> {
    const keys = this.#reader.cachedUntilWrite(JSON.stringify(['sources', subjectId]), () => {
      const sql = 'select connector_key from source where subject_id = ? order by connector_key'
      return this.#reader.column<string>(sql, subjectId)
    })
    return keys.flatMap((key) => readDeclaration(this.#reader, subjectId, key) ?? [])
  }

  /** Refuses a declaration that would make stored records unreachable. */
  #refuseLoss(subjectId: string, known: SourceDeclaration, next: SourceDeclaration): void {
    const filled = known.streams.filter(({ name }) => this.#countRecords(subjectId, known.connector_key, name) > 0)
    const problem = lostRecords(known, next, new Set(filled.map(({ name }) => name)))
    if (problem) throw problem
  }

  #refuseTooMany(subjectId: string, declaration: SourceDeclaration): void {
    const declared = this.#reader.all<{ name: string; layout: string }>(
      'select name, layout from stream where subject_id = ? and connector_key = ?',
      subjectId,
      declaration.connector_key,
    )
    const layouts = new Map(declared.map(({ name, layout }) => [name, storedJson<Layout>(layout)]))
    const problem = tooManyFields(layouts, declaration)
    if (problem) throw problem
  }

  #countRecords(subjectId: string, connectorKey: string, stream: string): number {
    const sql = `select coalesce(sum(f.record_count), 0) n from feed f join stream s using (stream_no)
      where s.subject_id = ? and s.connector_key = ? and s.name = ? and f.erased = 0`
    return this.#reader.get<{ n: number }>(sql, subjectId, connectorKey, stream)?.n ?? 0
  }

  #prepareStream(subjectId: string, source: SourceDeclaration, stream: StreamDeclaration): void {
    const sql = 'select stream_no, layout from stream where subject_id = ? and connector_key = ? and name = ?'
    const row = this.#writer.get<StreamRow>(sql, subjectId, source.connector_key, stream.name)
    const previous: Layout | undefined = row && storedJson<Layout>(row.layout)
    const layout = layoutOf(source, stream, columnNames, previous)
    const streamNo = row?.stream_no ?? this.#createStream(subjectId, source.connector_key, stream.name, layout)
    this.#writer.run(
      'update stream set layout = ?, revision = revision + 1 where stream_no = ?',
      JSON.stringify(layout),
      streamNo,
    )
    const fresh = previous ? newColumns(previous, layout) : []
    for (const field of fresh) this.#writer.db.exec(addColumn(tableName(streamNo), field))
    if (fresh.length > 0) this.#backfill(tableName(streamNo), fresh)
    if (previous) this.#renewEditions(subjectId, streamNo, editionSpec(stream))
    const cursor = stream.cursor_field == null ? undefined : fieldOf(layout, stream.cursor_field)
    for (const field of layout.fields) {
      if (!field.column || !field.indexed) continue
      const before = previous?.fields.find((old) => old.column === field.column)
      // The last columns of the index depend on `sortable`, so it must be rebuilt.
      if (before && before.sortable !== field.sortable)
        this.#writer.db.exec(`drop index if exists ${indexName(tableName(streamNo), field.column)}`)
      this.#writer.db.exec(columnIndex(tableName(streamNo), field, cursor))
    }
  }

  #createStream(subjectId: string, connectorKey: string, name: string, { fields }: Layout): number {
    const sql = `insert into stream (subject_id, connector_key, name, layout) values (?, ?, ?, '') returning stream_no`
    const { stream_no: streamNo } = this.#writer.get<StreamRow>(sql, subjectId, connectorKey, name)!
    this.#writer.db.exec(createTable(tableName(streamNo), fields))
    return streamNo
  }

  /** If the indexed fields changed, creates new editions. They are filled after the declaration is stored. */
  #renewEditions(subjectId: string, streamNo: number, spec: EditionSpec): void {
    const sql = `select f.feed, f.record_count, e.spec from feed f left join word_edition e using (feed)
      where f.stream_no = ? and f.erased = 0`
    const wanted = spec.fields.length === 0 ? null : JSON.stringify(spec)
    const feeds = this.#writer.all<{ feed: number; record_count: number; spec: string | null }>(sql, streamNo)
    for (const { feed, record_count: count, spec: known } of feeds) {
      // An empty spec belongs to an index of an older version. Building the index sets its fields.
      if (known === wanted || known === '') continue
      dropEdition(this.#writer, feed)
      createEdition(this.#writer, { feed, subjectId, isEmpty: count === 0 }, spec)
    }
  }

  /** Fills new columns for existing records. */
  #backfill(table: string, fields: readonly LayoutField[]): void {
    const update = `update ${table} set ${fields.map((field) => `${field.column} = ?`).join(', ')} where id = ?`
    for (let last = 0; ; ) {
      const rows = this.#writer.all<{ id: number; data: string }>(
        `select id, data from ${table} where id > ? order by id limit ${BACKFILL_ROWS}`,
        last,
      )
      if (rows.length === 0) return
      for (const row of rows) {
        const data = parseJson(row.data) as Record<string, unknown>
        this.#writer.run(update, ...fields.map((field) => columnValue(field.kind, data[field.name])), row.id)
      }
      last = rows.at(-1)!.id
    }
  }
}
