import type { MadeByImport, StayReason } from '../../../imports/import.ts'
import type { Handle } from '../engine/database.ts'

const NUMBER = '(select import_no from import where import_id = ?)'
export const NOT_REMOVED = "coalesce(outcome, '') <> 'removed'"

/** Call in the transaction that creates the connection. */
export function noteConnection(db: Handle, importId: string, connectionId: string): void {
  db.run(`insert into import_made values (${NUMBER}, 'connection', ?, null, null)`, importId, connectionId)
}

/** Call in the transaction that stores the source. A source that only imports have changed can still be undone. */
export function noteSource(db: Handle, importId: string, connectorKey: string): void {
  const sql = `select s.subject_id, s.revision from source s join import i using (subject_id)
    where i.import_id = ? and s.connector_key = ?`
  const { subject_id: subjectId, revision } = db.get<{ subject_id: string; revision: number }>(
    sql,
    importId,
    connectorKey,
  )!
  if (revision === 1) db.run(`insert into import_made values (${NUMBER}, 'source', ?, 1, null)`, importId, connectorKey)
  else
    db.run(
      `update import_made set revision = ? where kind = 'source' and name = ? and revision = ? and ${NOT_REMOVED}
        and import_no in (select import_no from import where subject_id = ?)`,
      revision,
      connectorKey,
      revision - 1,
      subjectId,
    )
}

export function createdByImport(db: Handle, importNo: number): MadeByImport[] {
  const sql = 'select kind, name, outcome from import_made where import_no = ? order by kind desc, name'
  const rows = db.all<{ kind: MadeByImport['kind']; name: string; outcome: 'removed' | StayReason | null }>(
    sql,
    importNo,
  )
  return rows.map(({ outcome, ...row }) => ({ ...row, outcome: outcome ?? undefined }))
}
