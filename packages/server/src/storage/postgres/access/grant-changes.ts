import type { Grant } from '@pdpp/protocol'
import type { GrantWidening } from '../../../grants/grant-store.ts'
import type { Session } from '../engine/session.ts'

const INSERT = 'insert into access_grant (subject, grant_id, client_id, body, created_at) values (?, ?, ?, ?, ?)'
export const REVOKE = 'update access_grant set revoked_at = ? where subject = ? and grant_id = ? and revoked_at is null'

/** Undoes the transaction of a widening. */
export class ChangedMeanwhile extends Error {}

export async function insertGrant(session: Session, subject: number, grant: Grant, at: number): Promise<void> {
  await session.run(INSERT, subject, grant.grant_id, grant.client.client_id, JSON.stringify(grant), at)
}

/** Call inside a transaction. Returns false if the old grant was already revoked. */
export async function replace(
  session: Session,
  subject: number,
  grantId: string,
  grant: Grant,
  at: number,
): Promise<boolean> {
  if ((await session.run(REVOKE, at, subject, grantId)) === 0) return false
  await insertGrant(session, subject, grant, at)
  const pass = `update access_grant set (consumed_at, paused_at, expired_at, package_id, package_order) =
    (select consumed_at, paused_at, expired_at, package_id, package_order from access_grant
      where subject = @subject and grant_id = @old)
    where subject = @subject and grant_id = @new`
  await session.run(pass, { subject, old: grantId, new: grant.grant_id })
  const leave = `update access_grant set replaced_by = ?, package_id = null, package_order = null
    where subject = ? and grant_id = ?`
  const follow = 'update event_subscription set grant_id = ?, moved = 1 where subject = ? and grant_id = ?'
  for (const sql of [leave, 'update token set grant_id = ? where subject = ? and grant_id = ?', follow])
    await session.run(sql, grant.grant_id, subject, grantId)
  return true
}

export async function widen(session: Session, subject: number, widening: GrantWidening, at: number): Promise<boolean> {
  const { of, had, replaced, added, becomes } = widening
  await requireUnchanged(session, subject, of, had)
  for (const { grantId, grant } of replaced)
    if (!(await replace(session, subject, grantId, grant, at))) throw new ChangedMeanwhile()
  const first = await firstOf(session, subject, of, replaced)
  if (added.length === 0) return true
  if ('grantId' in of) {
    if (!becomes || first.package_id !== null) throw new ChangedMeanwhile()
    await becomePackage(session, subject, first.grant_id, becomes, at)
  }
  for (const grant of added) await join(session, subject, grant, first.grant_id, at)
  return true
}

/**
 * Without this check, two decisions at the same time could give a package two grants for one connection. The lock makes
 * them take turns.
 */
async function requireUnchanged(
  session: Session,
  subject: number,
  of: GrantWidening['of'],
  had: readonly string[],
): Promise<void> {
  const sql = `select g.grant_id from access_grant g left join package p
      on p.subject = g.subject and p.package_id = g.package_id
    where g.subject = ? and g.revoked_at is null and p.revoked_at is null`
  const ids =
    'grantId' in of
      ? await session.column<string>(
          `${sql} and g.grant_id = ? and g.package_id is null for update of g`,
          ...[subject, of.grantId],
        )
      : await session.column<string>(
          `${sql} and g.package_id = ? order by g.grant_id for update of g`,
          ...[subject, of.packageId],
        )
  if (ids.length !== had.length || !had.every((id) => ids.includes(id))) throw new ChangedMeanwhile()
}

interface FirstRow {
  grant_id: string
  package_id: string | null
}

/** The grant whose state the added grants get: the only one, or the first of the package. */
async function firstOf(
  session: Session,
  subject: number,
  of: GrantWidening['of'],
  replaced: GrantWidening['replaced'],
): Promise<FirstRow> {
  const columns = 'select grant_id, package_id from access_grant where subject = ? and revoked_at is null'
  const current = 'grantId' in of ? replaced.find(({ grantId }) => grantId === of.grantId)?.grant.grant_id : undefined
  const row =
    'grantId' in of
      ? await session.get<FirstRow>(`${columns} and grant_id = ?`, subject, current ?? of.grantId)
      : await session.get<FirstRow>(
          `${columns} and package_id = ? order by package_order limit 1`,
          ...[subject, of.packageId],
        )
  if (!row) throw new ChangedMeanwhile()
  return row
}

/**
 * Makes the single grant the first member of a package. Tokens and approvals of the grant then belong to the package.
 */
async function becomePackage(
  session: Session,
  subject: number,
  grantId: string,
  made: NonNullable<GrantWidening['becomes']>,
  at: number,
): Promise<void> {
  const { packageId, clientId, clientName } = made
  const insert = 'insert into package values (?, ?, ?, ?, ?, null)'
  await session.run(insert, subject, packageId, clientId, clientName ?? null, at)
  const first = 'update access_grant set package_id = ?, package_order = 0 where subject = ? and grant_id = ?'
  await session.run(first, packageId, subject, grantId)
  const token = `update token set kind = 'package', package_id = ?, grant_id = null where subject = ? and grant_id = ?`
  await session.run(token, packageId, subject, grantId)
  // An approval keeps the id of the grant that it gave, which may have been replaced several times since.
  const approval = `with recursive was (id) as (select @grantId::text collate "C" union
      select g.grant_id from access_grant g join was on g.replaced_by = was.id where g.subject = @subject)
    update "authorization" set kind = 'package', package_id = @packageId, grant_id = null
      where subject = @subject and kind = 'grant' and grant_id in (select id from was)`
  await session.run(approval, { subject, grantId, packageId })
}

async function join(session: Session, subject: number, grant: Grant, like: string, at: number): Promise<void> {
  await insertGrant(session, subject, grant, at)
  const sql = `update access_grant set (consumed_at, paused_at, package_id, package_order) =
    (select f.consumed_at, f.paused_at, f.package_id, (select max(package_order) + 1 from access_grant o
      where o.subject = f.subject and o.package_id = f.package_id)
      from access_grant f where f.subject = @subject and f.grant_id = @like)
    where subject = @subject and grant_id = @added`
  await session.run(sql, { subject, like, added: grant.grant_id })
}
