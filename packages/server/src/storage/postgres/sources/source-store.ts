import { canonicalJson, parseJson, type SourceDeclaration, type StreamDeclaration } from '@pdpp/protocol'
import { storedJson } from '../../../lib/stored-json.ts'
import type { SourceStore } from '../../../sources/declarations/source-store.ts'
import { tooManyFields } from '../../records/added-fields.ts'
import { type Layout, type LayoutField, layoutOf } from '../../records/layout.ts'
import { lostRecords } from '../../records/lost-records.ts'
import { type EditionSpec, editionSpec } from '../../words/edition.ts'
import type { Database } from '../engine/database.ts'
import type { Session } from '../engine/session.ts'
import { noteSource } from '../imports/import-created.ts'
import { nextEpoch, type Owners } from '../installation/owners.ts'
import { arrayType, columnNames, slotValue } from '../records/slots.ts'
import { createEdition, dropEdition } from '../words/edition.ts'
import type { EditionBuilder } from '../words/edition-builder.ts'
import type { Declarations } from './declaration-reader.ts'

/** Rows in memory while a new column is filled. */
const BACKFILL_ROWS = 1000

export class PostgresSourceStore implements SourceStore {
  readonly #database: Database
  readonly #owners: Owners
  readonly #declarations: Declarations
  readonly #builder: EditionBuilder

  constructor(database: Database, owners: Owners, declarations: Declarations, builder: EditionBuilder) {
    this.#database = database
    this.#owners = owners
    this.#declarations = declarations
    this.#builder = builder
  }

  async declare(
    subjectId: string,
    declaration: SourceDeclaration,
    importId?: string,
  ): Promise<'created' | 'updated' | 'unchanged'> {
    const subject = await this.#owners.require(subjectId)
    const { connector_key: key, streams } = declaration
    const outcome = await this.#database.transaction(async (session) => {
      // The lock of the owner's row also makes two declarations take turns.
      await nextEpoch(session, subject)
      const [known] = await this.#declarations.read(session, subject, key)
      if (known && canonicalJson(known) === canonicalJson(declaration)) return 'unchanged'
      if (known) await refuseLoss(session, subject, known, declaration)
      if (known) await refuseTooMany(session, subject, declaration)
      for (const stream of streams) await prepareStream(session, subject, declaration, stream)
      const now = Date.now()
      const sql = `insert into source values (?, ?, ?, 1, ?, ?) on conflict (subject, connector_key) do update
        set declaration = excluded.declaration, revision = source.revision + 1, updated_at = excluded.updated_at`
      await session.run(sql, subject, key, JSON.stringify(declaration), now, now)
      if (importId !== undefined) await noteSource(session, subject, importId, key)
      return known ? 'updated' : 'created'
    })
    if (outcome === 'updated') await this.#builder.run(subject)
    return outcome
  }

  moment(subjectId: string): Promise<object> {
    return this.#owners.moment(subjectId)
  }

  async find(subjectId: string, connectorKey: string): Promise<SourceDeclaration | undefined> {
    const subject = await this.#owners.find(subjectId)
    if (subject === undefined) return
    return (await this.#declarations.read(this.#database, subject, connectorKey))[0]
  }

  async list(subjectId: string): Promise<SourceDeclaration[]> {
    const subject = await this.#owners.find(subjectId)
    return subject === undefined ? [] : this.#declarations.read(this.#database, subject)
  }
}

/** Removes a source that has no records. */
export async function removeSource(session: Session, subject: number, connectorKey: string): Promise<void> {
  await nextEpoch(session, subject)
  for (const table of ['stream', 'source'])
    await session.run(`delete from ${table} where subject = ? and connector_key = ?`, subject, connectorKey)
}

async function refuseLoss(
  session: Session,
  subject: number,
  known: SourceDeclaration,
  next: SourceDeclaration,
): Promise<void> {
  const sql = `select s.name, sum(f.record_count) records from feed f join stream s using (subject, stream_no)
    where s.subject = ? and s.connector_key = ? and f.erased = 0 group by s.name having sum(f.record_count) > 0`
  const rows = await session.all<{ name: string }>(sql, subject, known.connector_key)
  const problem = lostRecords(known, next, new Set(rows.map(({ name }) => name)))
  if (problem) throw problem
}

async function refuseTooMany(session: Session, subject: number, declaration: SourceDeclaration): Promise<void> {
  const sql = 'select name, layout from stream where subject = ? and connector_key = ?'
  const rows = await session.all<{ name: string; layout: string }>(sql, subject, declaration.connector_key)
  const problem = tooManyFields(
    new Map(rows.map(({ name, layout }) => [name, storedJson<Layout>(layout)])),
    declaration,
  )
  if (problem) throw problem
}

async function prepareStream(
  session: Session,
  subject: number,
  source: SourceDeclaration,
  stream: StreamDeclaration,
): Promise<void> {
  const sql = 'select stream_no, layout from stream where subject = ? and connector_key = ? and name = ? for update'
  const values = [subject, source.connector_key, stream.name]
  const row = await session.get<{ stream_no: number; layout: string }>(sql, ...values)
  const previous = row && storedJson<Layout>(row.layout)
  const layout = layoutOf(source, stream, columnNames, previous)
  if (!row || !previous) {
    const take = 'update owner set next_stream = next_stream + 1 where subject = ? returning next_stream - 1'
    const [streamNo] = await session.column<number>(take, subject)
    const insert = 'insert into stream (subject, stream_no, connector_key, name, layout) values (?, ?, ?, ?, ?)'
    await session.run(insert, subject, streamNo, source.connector_key, stream.name, JSON.stringify(layout))
    return
  }
  const save = 'update stream set layout = ?, revision = revision + 1 where subject = ? and stream_no = ?'
  await session.run(save, JSON.stringify(layout), subject, row.stream_no)
  const known = new Set(previous.fields.map(({ column }) => column))
  const fresh = layout.fields.filter(({ column }) => column !== undefined && !known.has(column))
  if (fresh.length > 0) await backfill(session, subject, row.stream_no, fresh)
  await renewEditions(session, subject, row.stream_no, editionSpec(stream))
}

/** If the indexed fields changed, creates new editions. They are filled after the declaration is stored. */
async function renewEditions(session: Session, subject: number, streamNo: number, spec: EditionSpec): Promise<void> {
  const sql = `select f.feed, f.record_count, e.spec from feed f left join word_edition e using (subject, feed)
    where f.subject = ? and f.stream_no = ? and f.erased = 0`
  const wanted = spec.fields.length === 0 ? null : JSON.stringify(spec)
  const feeds = await session.all<{ feed: number; record_count: number; spec: string | null }>(sql, subject, streamNo)
  for (const { feed, record_count: count, spec: known } of feeds) {
    if (known === wanted) continue
    await dropEdition(session, subject, feed)
    await createEdition(session, subject, { feed, isEmpty: count === 0 }, spec)
  }
}

/** Fills new columns for existing records. Locks their feeds first, so that no record is added meanwhile. */
async function backfill(
  session: Session,
  subject: number,
  streamNo: number,
  fields: readonly LayoutField[],
): Promise<void> {
  const locked = 'select feed from feed where subject = ? and stream_no = ? and erased = 0 order by feed for update'
  const sets = fields.map(({ column }, at) => `${column} = x.v${at}`).join(', ')
  const arrays = fields.map(({ column }) => `?::${arrayType(column!)}`).join(', ')
  const names = fields.map((_, at) => `v${at}`).join(', ')
  const update = `update record r set ${sets} from unnest(?::bigint[], ${arrays}) x(id, ${names})
    where r.subject = ? and r.feed = ? and r.id = x.id`
  const next = `select id, data from record where subject = ? and feed = ? and id > ? order by id limit ${BACKFILL_ROWS}`
  for (const feed of await session.column<number>(locked, subject, streamNo)) {
    for (let last = 0; ; ) {
      const rows = await session.all<{ id: number; data: string }>(next, subject, feed, last)
      if (rows.length === 0) break
      const members = rows.map(({ data }) => parseJson(data) as Record<string, unknown>)
      const columns = fields.map(({ kind, name }) => members.map((record) => slotValue(kind, record[name])))
      const ids = rows.map(({ id }) => id)
      await session.run(update, ids, ...columns, subject, feed)
      last = ids.at(-1)!
    }
  }
}
