import type { Grant } from '@pdpp/protocol'
import type { MadeByImport, StayReason } from '../../../imports/import.ts'
import { storedJson } from '../../../lib/stored-json.ts'
import type { Session } from '../engine/session.ts'
import { removeConnection } from '../sources/connection-store.ts'
import { removeSource } from '../sources/source-store.ts'
import { NOT_REMOVED } from './import-created.ts'

type Kind = MadeByImport['kind']

/** Removes sources and connections that an import created, unless something uses them. Safe to repeat. */
export class ImportCleanup {
  readonly #session: Session
  readonly #subject: number
  readonly #no: number

  constructor(session: Session, subject: number, importNo: number) {
    this.#session = session
    this.#subject = subject
    this.#no = importNo
  }

  async removeConnections(): Promise<void> {
    await this.#inherit()
    for (const id of await this.#left('connection')) {
      const why = await this.#whyConnectionStays(id)
      if (why === undefined) await removeConnection(this.#session, this.#subject, id)
      await this.#note('connection', id, why)
    }
  }

  /** Call after the records of their connections are deleted. */
  async removeSources(): Promise<void> {
    for (const key of await this.#left('source')) {
      const why = await this.#whySourceStays(key)
      if (why === undefined) await removeSource(this.#session, this.#subject, key)
      await this.#note('source', key, why)
    }
  }

  /**
   * Takes over the sources and connections of an earlier import that was undone. It had to leave them because of this
   * import's records.
   */
  async #inherit(): Promise<void> {
    await this.#session.run(
      `insert into import_made
        select distinct on (m.kind, m.name) m.subject, @no::bigint, m.kind, m.name, m.revision, null
        from import_made m join import i using (subject, import_no)
        where i.subject = @subject and i.state = 'undone' and ${NOT_REMOVED} and (
          (m.kind = 'connection' and m.name in
            (select connection_id from import_feed where subject = @subject and import_no = @no)) or
          (m.kind = 'source' and m.name in (select c.connector_key from import_feed f
            join connection c using (subject, connection_id) where f.subject = @subject and f.import_no = @no)))
        on conflict do nothing`,
      { no: this.#no, subject: this.#subject },
    )
  }

  #left(kind: Kind): Promise<string[]> {
    const sql = `select name from import_made
      where subject = ? and import_no = ? and kind = ? and ${NOT_REMOVED} order by name`
    return this.#session.column<string>(sql, this.#subject, this.#no, kind)
  }

  async #note(kind: Kind, name: string, why: StayReason | undefined): Promise<void> {
    await this.#session.run(
      `update import_made set outcome = @outcome where subject = @subject and kind = @kind and name = @name
        and ${NOT_REMOVED} and (import_no = @no or @outcome = 'removed')`,
      { outcome: why ?? 'removed', subject: this.#subject, kind, name, no: this.#no },
    )
  }

  async #whyConnectionStays(id: string): Promise<StayReason | undefined> {
    const records = `select 1 from feed
      where subject = @subject and connection_id = @name and record_count > 0 and erased = 0`
    if (await this.#holds(records, id)) return 'records'
    if ((await this.#grants()).some(({ streams }) => streams.some(({ instance_ids: ids }) => ids?.includes(id))))
      return 'grant'
    const changed = `select 1 from connection
      where subject = @subject and connection_id = @name and updated_at <> created_at`
    if (await this.#holds(changed, id)) return 'changed'
    const synced = 'select 1 from sync_state where subject = @subject and connection_id = @name'
    return (await this.#holds(synced, id)) ? 'connector' : undefined
  }

  async #whySourceStays(key: string): Promise<StayReason | undefined> {
    const connections = 'select 1 from connection where subject = @subject and connector_key = @name'
    if (await this.#holds(connections, key)) return 'connections'
    const records = `select 1 from feed f join stream s using (subject, stream_no)
      where s.subject = @subject and s.connector_key = @name`
    if (await this.#holds(records, key)) return 'records'
    if ((await this.#grants()).some(({ source }) => source.connector_key === key)) return 'grant'
    const changed = `select 1 from source s join import_made m on m.subject = s.subject and m.import_no = @no
        and m.kind = 'source' and m.name = s.connector_key
      where s.subject = @subject and s.connector_key = @name and s.revision <> m.revision`
    return (await this.#holds(changed, key)) ? 'changed' : undefined
  }

  async #holds(sql: string, name: string): Promise<boolean> {
    const named = { subject: this.#subject, no: this.#no, name }
    return (await this.#session.get(`${sql} limit 1`, named)) !== undefined
  }

  async #grants(): Promise<Grant[]> {
    const sql = 'select body from access_grant where subject = ?'
    return (await this.#session.column<string>(sql, this.#subject)).map((body) => storedJson<Grant>(body))
  }
}
