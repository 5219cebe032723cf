import type { MadeByImport, StayReason } from '../../../imports/import.ts'
import type { Handle } from '../engine/database.ts'
import { removeConnection } from '../sources/connection-store.ts'
import { removeSource } from '../sources/source-store.ts'
import { NOT_REMOVED } from './import-created.ts'

type Kind = MadeByImport['kind']

/** Removes sources and connections that an import created, unless something uses them. Safe to repeat. */
export class ImportCleanup {
  readonly #db: Handle
  readonly #no: number
  readonly #subjectId: string

  constructor(db: Handle, importNo: number) {
    this.#db = db
    this.#no = importNo
    const sql = 'select subject_id from import where import_no = ?'
    this.#subjectId = db.get<{ subject_id: string }>(sql, importNo)!.subject_id
  }

  removeConnections(): void {
    this.#inherit()
    for (const id of this.#left('connection')) {
      const why = this.#whyConnectionStays(id)
      if (why === undefined) removeConnection(this.#db, this.#subjectId, id)
      this.#note('connection', id, why)
    }
  }

  /** Call after the records of their connections are deleted. */
  removeSources(): void {
    for (const key of this.#left('source')) {
      const why = this.#whySourceStays(key)
      if (why === undefined) removeSource(this.#db, this.#subjectId, key)
      this.#note('source', key, why)
    }
  }

  /**
   * Takes over the sources and connections of an earlier import that was undone. It had to leave them because of this
   * import's records.
   */
  #inherit(): void {
    this.#db.run(
      `insert or ignore into import_made
        select @no, m.kind, m.name, m.revision, null from import_made m join import i using (import_no)
        where i.subject_id = @subject and i.state = 'undone' and ${NOT_REMOVED} and (
          (m.kind = 'connection' and m.name in (select connection_id from import_feed where import_no = @no)) or
          (m.kind = 'source' and m.name in (select c.connector_key from import_feed f join connection c using (connection_id)
            where f.import_no = @no and c.subject_id = @subject)))`,
      { no: this.#no, subject: this.#subjectId },
    )
  }

  #left(kind: Kind): string[] {
    const sql = `select name from import_made where import_no = ? and kind = ? and ${NOT_REMOVED} order by name`
    return this.#db.column<string>(sql, this.#no, kind)
  }

  #note(kind: Kind, name: string, why: StayReason | undefined): void {
    this.#db.run(
      `update import_made set outcome = ? where kind = ? and name = ? and ${NOT_REMOVED}
        and (import_no = ? or ? is null and import_no in (select import_no from import where subject_id = ?))`,
      why ?? 'removed',
      kind,
      name,
      this.#no,
      why ?? null,
      this.#subjectId,
    )
  }

  #whyConnectionStays(id: string): StayReason | undefined {
    return this.#firstThatHolds(id, [
      [
        'records',
        'select 1 from feed where subject_id = @subject and connection_id = @name and record_count > 0 and erased = 0',
      ],
      [
        'grant',
        `select 1 from access_grant g, json_each(g.body, '$.streams') s, json_each(s.value, '$.instance_ids') c
          where g.subject_id = @subject and c.value = @name`,
      ],
      [
        'changed',
        'select 1 from connection where subject_id = @subject and connection_id = @name and updated_at <> created_at',
      ],
      ['connector', 'select 1 from sync_state where subject_id = @subject and connection_id = @name'],
    ])
  }

  #whySourceStays(key: string): StayReason | undefined {
    return this.#firstThatHolds(key, [
      ['connections', 'select 1 from connection where subject_id = @subject and connector_key = @name'],
      [
        'records',
        'select 1 from feed join stream s using (stream_no) where s.subject_id = @subject and s.connector_key = @name',
      ],
      [
        'grant',
        "select 1 from access_grant where subject_id = @subject and json_extract(body, '$.source.connector_key') = @name",
      ],
      [
        'changed',
        `select 1 from source s join import_made m on m.import_no = @no and m.kind = 'source' and m.name = s.connector_key
          where s.subject_id = @subject and s.connector_key = @name and s.revision <> m.revision`,
      ],
    ])
  }

  #firstThatHolds(name: string, reasons: readonly [StayReason, string][]): StayReason | undefined {
    const named = { subject: this.#subjectId, no: this.#no, name }
    return reasons.find(([, sql]) => this.#db.get(`${sql} limit 1`, named))?.[0]
  }
}
