import type { MadeByImport, StayReason } from '../../../imports/import.ts'
import type { Session } from '../engine/session.ts'

const NUMBER = '(select import_no from import where subject = @subject and import_id = @importId)'
export const NOT_REMOVED = "coalesce(outcome, '') <> 'removed'"

/** Call in the transaction that creates the connection. */
export async function noteConnection(
  session: Session,
  subject: number,
  importId: string,
  connectionId: string,
): Promise<void> {
  const sql = `insert into import_made values (@subject, ${NUMBER}, 'connection', @connectionId, null, null)`
  await session.run(sql, { subject, importId, connectionId })
}

/** Call in the transaction that stores the source. A source that only imports have changed can still be undone. */
export async function noteSource(
  session: Session,
  subject: number,
  importId: string,
  connectorKey: string,
): Promise<void> {
  const find = 'select revision from source where subject = ? and connector_key = ?'
  const [revision] = await session.column<number>(find, subject, connectorKey)
  const sql =
    revision === 1
      ? `insert into import_made values (@subject, ${NUMBER}, 'source', @connectorKey, 1, null)`
      : `update import_made set revision = @revision where subject = @subject and kind = 'source' and name = @connectorKey
          and revision = @revision - 1 and ${NOT_REMOVED}`
  await session.run(sql, { subject, importId, connectorKey, revision })
}

export async function createdByImport(session: Session, subject: number, importNo: number): Promise<MadeByImport[]> {
  const sql = `select kind, name, outcome from import_made where subject = ? and import_no = ? order by kind desc, name`
  const rows = await session.all<{
    kind: MadeByImport['kind']
    name: string
    outcome: 'removed' | StayReason | null
  }>(sql, subject, importNo)
  return rows.map(({ outcome, ...row }) => ({ ...row, outcome: outcome ?? undefined }))
}
