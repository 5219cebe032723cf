import type { FoundToken, StoredToken, TokenStore } from '../../../tokens/token-store.ts'
import { GRANT_COLUMNS, type TokenRow, tokenFromRow } from '../../rows/grant-rows.ts'
import type { Handle, WriteDatabases } from '../engine/database.ts'
import { grantFromRow } from './grant-store.ts'
import { readPackage } from './package-store.ts'

/** The setting that keeps the owner's reference. */
const REFERENCE = 'owner_reference'
const REFERENCE_SQL = 'select value from setting where subject_id = ? and name = ?'

export class SqliteTokenStore implements TokenStore {
  readonly #writer: Handle
  readonly #reader: Handle

  constructor(databases: WriteDatabases) {
    this.#writer = databases.writer
    this.#reader = databases.reader
  }

  async create(token: StoredToken): Promise<void> {
    const sql = `insert into token (hash, subject_id, kind, client_id, grant_id, package_id, audience, created_at, expires_at, authorization_id)
      values (@hash, @subjectId, @kind, @clientId, @grantId, @packageId, @audience, @createdAt, @expiresAt, @authorizationId)`
    const { hash, subjectId, kind, clientId, grantId, packageId, audience, createdAt, expiresAt, authorizationId } =
      token
    this.#writer.run(sql, {
      hash,
      subjectId,
      kind,
      clientId: clientId ?? null,
      grantId: grantId ?? null,
      packageId: packageId ?? null,
      audience: audience.join(' '),
      createdAt,
      expiresAt: expiresAt ?? null,
      authorizationId: authorizationId ?? null,
    })
  }

  async find(hash: Uint8Array | string, reference?: string): Promise<FoundToken | undefined> {
    const hex = typeof hash === 'string' ? hash : Buffer.from(hash).toString('hex')
    const kept = this.#reader.cachedUntilWrite(`token ${hex}`, () => this.#find(Buffer.from(hex, 'hex')))
    return kept && (reference === undefined || kept.reference === reference) ? kept.found : undefined
  }

  async ownerReference(subjectId: string, proposed: string): Promise<string | undefined> {
    return this.#writer.transaction(() => {
      const sql = `insert into setting select @subjectId, @name, @proposed
        where not exists (select 1 from setting where name = @name and value = @proposed) on conflict do nothing`
      this.#writer.run(sql, { subjectId, name: REFERENCE, proposed })
      return this.#writer.column<string>(REFERENCE_SQL, subjectId, REFERENCE)[0]
    })
  }

  async revoke(hash: Uint8Array, at: number): Promise<boolean> {
    return this.#writer.run('update token set revoked_at = ? where hash = ? and revoked_at is null', at, hash) === 1
  }

  /** The token, and the reference of its owner. */
  #find(hash: Uint8Array): { readonly found: FoundToken; readonly reference: string | undefined } | undefined {
    const sql = `select t.*, ${GRANT_COLUMNS} from token t
      left join access_grant g on g.subject_id = t.subject_id and g.grant_id = t.grant_id where t.hash = ?`
    const row = this.#reader.get<TokenRow>(sql, hash)
    if (!row) return
    const { subject_id: subjectId, package_id: packageId } = row
    const found = {
      token: tokenFromRow(row),
      grant: row.grant_key == null ? undefined : grantFromRow(this.#reader, subjectId, row),
      package: packageId === null ? undefined : readPackage(this.#reader, subjectId, packageId),
    }
    return { found, reference: this.#reader.column<string>(REFERENCE_SQL, subjectId, REFERENCE)[0] }
  }
}
