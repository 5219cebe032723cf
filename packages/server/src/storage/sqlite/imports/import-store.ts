import type { ImportBody, ImportState, StoredImport, WrittenFeed } from '../../../imports/import.ts'
import type { ImportChange, ImportStore } from '../../../imports/import-store.ts'
import type { BlobReferences } from '../blobs/blob-references.ts'
import type { Handle, WriteDatabases } from '../engine/database.ts'
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

export class SqliteImportStore implements ImportStore {
  readonly #writer: Handle
  readonly #databases: WriteDatabases
  readonly #blobs: BlobReferences
  readonly #eraser: Eraser

  constructor(databases: WriteDatabases, blobs: BlobReferences, eraser: Eraser) {
    this.#writer = databases.writer
    this.#databases = databases
    this.#blobs = blobs
    this.#eraser = eraser
  }

  async create(subjectId: string, importId: string, state: ImportState, body: ImportBody, at: number): Promise<void> {
    const sql =
      'insert into import (import_id, subject_id, state, created_at, updated_at, body) values (?, ?, ?, ?, ?, ?)'
    this.#writer.run(sql, importId, subjectId, state, at, at, JSON.stringify(body))
  }

  async change(
    subjectId: string,
    importId: string,
    { state, body }: ImportChange,
    from?: readonly ImportState[],
  ): Promise<boolean> {
    return this.#writer.transaction(() => {
      const sql = `select ${COLUMNS} from import where subject_id = ? and import_id = ?`
      const row = this.#writer.get<ImportRow>(sql, subjectId, importId)
      if (!row || (from && !from.includes(row.state))) return false
      const merged = JSON.stringify({ ...JSON.parse(row.body), ...body })
      const save = 'update import set state = ?, body = ?, updated_at = ? where import_no = ?'
      this.#writer.run(save, state ?? row.state, merged, Date.now(), row.import_no)
      return true
    })
  }

  async find(subjectId: string, importId: string): Promise<StoredImport | undefined> {
    const sql = `select ${COLUMNS} from import where subject_id = ? and import_id = ?`
    const row = this.#writer.get<ImportRow>(sql, subjectId, importId)
    return row && this.#fromRow(row)
  }

  async list(subjectId: string, { limit, before }: { limit: number; before?: string | undefined }) {
    const sql = `select ${COLUMNS} from import where subject_id = ?
      and import_no < coalesce((select import_no from import where import_id = ?), 9e15) order by import_no desc limit ?`
    return this.#writer.all<ImportRow>(sql, subjectId, before ?? null, limit).map((row) => this.#fromRow(row))
  }

  async inState(subjectId: string, states: readonly ImportState[]): Promise<StoredImport[]> {
    const sql = `select ${COLUMNS} from import where subject_id = ? and state in (select value from json_each(?)) order by import_no`
    return this.#writer.all<ImportRow>(sql, subjectId, JSON.stringify(states)).map((row) => this.#fromRow(row))
  }

  async remove(subjectId: string, importId: string): Promise<void> {
    this.#writer.transaction(() => {
      const no = this.#number(subjectId, importId)
      for (const table of ['import_problem', 'import_before', 'import_version', 'import_feed', 'import_made', 'import'])
        this.#writer.run(`delete from ${table} where import_no = ?`, no)
    })
  }

  async addProblems(
    subjectId: string,
    importId: string,
    problems: readonly object[],
    uncounted: number,
    maxKept: number,
  ): Promise<void> {
    this.#writer.transaction(() => {
      const sql = 'select import_no, problems from import where subject_id = ? and import_id = ?'
      const { import_no: no, problems: had } = this.#writer.get<ImportRow>(sql, subjectId, importId)!
      for (const [index, problem] of problems.slice(0, Math.max(0, maxKept - had)).entries())
        this.#writer.run('insert into import_problem values (?, ?, ?)', no, had + index + 1, JSON.stringify(problem))
      this.#writer.run('update import set problems = ? where import_no = ?', had + problems.length + uncounted, no)
    })
  }

  async clearProblems(subjectId: string, importId: string): Promise<void> {
    this.#writer.transaction(() => {
      const no = this.#number(subjectId, importId)
      this.#writer.run('delete from import_problem where import_no = ?', no)
      this.#writer.run('update import set problems = 0 where import_no = ?', no)
    })
  }

  async forgetProblems(subjectId: string, connectionId: string): Promise<void> {
    const sql = `delete from import_problem where import_no in
      (select import_no from import_feed join import using (import_no) where subject_id = ? and connection_id = ?)`
    this.#writer.run(sql, subjectId, connectionId)
  }

  async problems(subjectId: string, importId: string, { after, limit }: { after: number; limit: number }) {
    const sql = 'select at, body from import_problem where import_no = ? and at > ? order by at limit ?'
    const rows = this.#writer.all<{ at: number; body: string }>(sql, this.#number(subjectId, importId), after, limit)
    return rows.map(({ at, body }) => ({ at, body: JSON.parse(body) as unknown }))
  }

  async undo(subjectId: string, importId: string, records: number): Promise<boolean> {
    const no = this.#number(subjectId, importId)!
    const undone = this.#writer.transaction(() => undoSome(this.#writer, this.#blobs, no, records))
    if (undone) this.#blobs.release(undone.subjectId, undone.lostBlobs)
    return undone === undefined
  }

  async removeUnused(subjectId: string, importId: string): Promise<void> {
    const unused = new ImportCleanup(this.#writer, this.#number(subjectId, importId)!)
    this.#writer.transaction(() => unused.removeConnections())
    await this.#eraser.run()
    this.#writer.transaction(() => unused.removeSources())
    this.#databases.forgetStatements()
  }

  async prune(subjectId: string, { imports, since }: { imports: number; since: number }): Promise<void> {
    const sql = `select import_no from import where subject_id = ? and dropped is null and state not in ('running', 'undoing')
      and (created_at < ? or import_no <= (select import_no from import where subject_id = ? order by import_no desc limit 1 offset ?))`
    const old = this.#writer.all<{ import_no: number }>(sql, subjectId, since, subjectId, imports)
    for (const { import_no: no } of old) {
      this.#writer.transaction(() => {
        for (const table of ['import_problem', 'import_before'])
          this.#writer.run(`delete from ${table} where import_no = ?`, no)
        this.#writer.run("update import set dropped = 'too_old', before_bytes = 0 where import_no = ?", no)
      })
    }
  }

  #number(subjectId: string, importId: string): number | undefined {
    const sql = 'select import_no from import where subject_id = ? and import_id = ?'
    return this.#writer.get<ImportRow>(sql, subjectId, importId)?.import_no
  }

  #fromRow(row: ImportRow): StoredImport {
    const sql = `select connection_id connectionId, stream, added, changed, removed, restored, kept from import_feed
      where import_no = ? order by feed`
    return {
      importId: row.import_id,
      state: row.state,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      body: JSON.parse(row.body) as ImportBody,
      problems: row.problems,
      written: this.#writer.all<WrittenFeed & Record<string, unknown>>(sql, row.import_no),
      made: createdByImport(this.#writer, row.import_no),
      dropped: row.dropped ?? undefined,
    }
  }
}
