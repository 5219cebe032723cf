import type { ImportBody, ImportState, StoredImport, WrittenFeed } from '../../../imports/import.ts'
import type { ImportChange, ImportStore } from '../../../imports/import-store.ts'
import type { Database } from '../engine/database.ts'
import type { Session } from '../engine/session.ts'
import type { Owners } from '../installation/owners.ts'
import type { Streams } from '../records/feeds.ts'
import type { Eraser } from '../upkeep/eraser.ts'
import { ImportCleanup } from './import-cleanup.ts'
import { createdByImport } from './import-created.ts'
import { undoSome } from './import-undo.ts'

interface ImportRow {
  import_no: number
  import_id: string
  state: ImportState
  created_at: number
  updated_at: number
  body: string
  problems: number
  dropped: StoredImport['dropped'] | null
}

const COLUMNS = 'import_no, import_id, state, created_at, updated_at, body, problems, dropped'
const PARTS = ['import_problem', 'import_before', 'import_version', 'import_feed', 'import_made', 'import']

export class PostgresImportStore implements ImportStore {
  readonly #database: Database
  readonly #owners: Owners
  readonly #streams: Streams
  readonly #eraser: Eraser

  constructor(database: Database, owners: Owners, streams: Streams, eraser: Eraser) {
    this.#database = database
    this.#owners = owners
    this.#streams = streams
    this.#eraser = eraser
  }

  async create(subjectId: string, importId: string, state: ImportState, body: ImportBody, at: number): Promise<void> {
    const subject = await this.#owners.require(subjectId)
    await this.#database.transaction(async (session) => {
      const take = 'update owner set next_import = next_import + 1 where subject = ? returning next_import - 1'
      const [no] = await session.column<number>(take, subject)
      const sql = `insert into import (subject, import_no, import_id, state, created_at, updated_at, body)
        values (?, ?, ?, ?, ?, ?, ?)`
      await session.run(sql, subject, no, importId, state, at, at, JSON.stringify(body))
    })
  }

  async change(
    subjectId: string,
    importId: string,
    { state, body }: ImportChange,
    from?: readonly ImportState[],
  ): Promise<boolean> {
    return this.#change(subjectId, importId, false, async (session, subject, row) => {
      if (from && !from.includes(row.state)) return false
      const merged = JSON.stringify({ ...JSON.parse(row.body), ...body })
      const sql = 'update import set state = ?, body = ?, updated_at = ? where subject = ? and import_no = ?'
      await session.run(sql, state ?? row.state, merged, Date.now(), subject, row.import_no)
      return true
    })
  }

  async find(subjectId: string, importId: string): Promise<StoredImport | undefined> {
    return (await this.#list(subjectId, 'import_id = ?', importId))[0]
  }

  async list(subjectId: string, { limit, before }: { limit: number; before?: string | undefined }) {
    const older = `import_no < coalesce(
      (select b.import_no from import b where b.subject = import.subject and b.import_id = ?), 9000000000000000)`
    return this.#list(subjectId, `${older} order by import_no desc limit ?`, before ?? null, limit)
  }

  async inState(subjectId: string, states: readonly ImportState[]): Promise<StoredImport[]> {
    return this.#list(subjectId, 'state = any(?::text[]) order by import_no', states)
  }

  async remove(subjectId: string, importId: string): Promise<void> {
    await this.#change(subjectId, importId, undefined, async (session, subject, { import_no: no }) => {
      for (const table of PARTS)
        await session.run(`delete from ${table} where subject = ? and import_no = ?`, subject, no)
    })
  }

  async addProblems(
    subjectId: string,
    importId: string,
    problems: readonly object[],
    uncounted: number,
    maxKept: number,
  ): Promise<void> {
    await this.#change(subjectId, importId, undefined, async (session, subject, { import_no: no, problems: had }) => {
      const kept = problems.slice(0, Math.max(0, maxKept - had)).map((problem) => JSON.stringify(problem))
      const insert = `insert into import_problem select ?::bigint, ?::bigint, ?::bigint + x.at, x.body
        from unnest(?::text[]) with ordinality x(body, at)`
      if (kept.length > 0) await session.run(insert, subject, no, had, kept)
      const count = 'update import set problems = ? where subject = ? and import_no = ?'
      await session.run(count, had + problems.length + uncounted, subject, no)
    })
  }

  async clearProblems(subjectId: string, importId: string): Promise<void> {
    await this.#change(subjectId, importId, undefined, async (session, subject, { import_no: no }) => {
      await session.run('delete from import_problem where subject = ? and import_no = ?', subject, no)
      await session.run('update import set problems = 0 where subject = ? and import_no = ?', subject, no)
    })
  }

  async forgetProblems(subjectId: string, connectionId: string): Promise<void> {
    const subject = await this.#owners.find(subjectId)
    if (subject === undefined) return
    const sql = `delete from import_problem where subject = @subject and import_no in
      (select import_no from import_feed where subject = @subject and connection_id = @connectionId)`
    await this.#database.write(sql, { subject, connectionId })
  }

  async problems(subjectId: string, importId: string, { after, limit }: { after: number; limit: number }) {
    const subject = await this.#owners.find(subjectId)
    if (subject === undefined) return []
    const sql = `select p.at, p.body from import_problem p join import i using (subject, import_no)
      where i.subject = ? and i.import_id = ? and p.at > ? order by p.at limit ?`
    const rows = await this.#database.all<{ at: number; body: string }>(sql, subject, importId, after, limit)
    return rows.map(({ at, body }) => ({ at, body: JSON.parse(body) as unknown }))
  }

  async undo(subjectId: string, importId: string, records: number): Promise<boolean> {
    return this.#change(
      subjectId,
      importId,
      true,
      async (session, subject, { import_no: importNo }) =>
        !(await undoSome(session, this.#streams, { subject, subjectId, importNo }, records)),
    )
  }

  async removeUnused(subjectId: string, importId: string): Promise<void> {
    const clean = (work: (cleanup: ImportCleanup) => Promise<void>) =>
      this.#change(subjectId, importId, undefined, (session, subject, row) =>
        work(new ImportCleanup(session, subject, row.import_no)),
      )
    await clean((cleanup) => cleanup.removeConnections())
    await this.#eraser.run()
    await clean((cleanup) => cleanup.removeSources())
  }

  async prune(subjectId: string, { imports, since }: { imports: number; since: number }): Promise<void> {
    const subject = await this.#owners.find(subjectId)
    if (subject === undefined) return
    const sql = `select import_no from import where subject = @subject and dropped is null
      and state not in ('running', 'undoing') and (created_at < @since or import_no <=
        (select import_no from import where subject = @subject order by import_no desc limit 1 offset @imports))`
    for (const no of await this.#database.column<number>(sql, { subject, since, imports })) {
      await this.#database.transaction(async (session) => {
        for (const table of ['import_problem', 'import_before'])
          await session.run(`delete from ${table} where subject = ? and import_no = ?`, subject, no)
        const drop = `update import set dropped = 'too_old', before_bytes = 0 where subject = ? and import_no = ?`
        await session.run(drop, subject, no)
      })
    }
  }

  /** Changes an import in one transaction that locks it. */
  async #change<T>(
    subjectId: string,
    importId: string,
    absent: T,
    work: (session: Session, subject: number, row: ImportRow) => Promise<T>,
  ): Promise<T> {
    const subject = await this.#owners.find(subjectId)
    if (subject === undefined) return absent
    return this.#database.transaction(async (session) => {
      const sql = `select ${COLUMNS} from import where subject = ? and import_id = ? for update`
      const row = await session.get<ImportRow>(sql, subject, importId)
      return row ? work(session, subject, row) : absent
    })
  }

  async #list(subjectId: string, where: string, ...values: unknown[]): Promise<StoredImport[]> {
    const subject = await this.#owners.find(subjectId)
    if (subject === undefined) return []
    const sql = `select ${COLUMNS} from import where subject = ? and ${where}`
    const found: StoredImport[] = []
    for (const row of await this.#database.all<ImportRow>(sql, subject, ...values))
      found.push(await this.#fromRow(subject, row))
    return found
  }

  async #fromRow(subject: number, row: ImportRow): Promise<StoredImport> {
    const sql = `select connection_id "connectionId", stream, added, changed, removed, restored, kept from import_feed
      where subject = ? and import_no = ? order by feed`
    return {
      importId: row.import_id,
      state: row.state,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      body: JSON.parse(row.body) as ImportBody,
      problems: row.problems,
      written: await this.#database.all<WrittenFeed>(sql, subject, row.import_no),
      made: await createdByImport(this.#database, subject, row.import_no),
      dropped: row.dropped ?? undefined,
    }
  }
}
