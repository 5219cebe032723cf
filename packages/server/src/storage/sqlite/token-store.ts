import type { StoredGrant } from '../../grants/grant-store.ts'
import type { StoredToken, TokenStore } from '../../tokens/token-store.ts'
import type { Databases, Handle } from './database.ts'
import { GRANT_COLUMNS, type GrantRow, grantFromRow } from './grant-store.ts'

interface TokenRow extends GrantRow {
  hash: Uint8Array
  subject_id: string
  kind: 'owner' | 'client'
  client_id: string | null
  grant_id: string | null
  created_at: number
  expires_at: number | null
  revoked_at: number | null
}

export class SqliteTokenStore implements TokenStore {
  readonly #writer: Handle
  readonly #reader: Handle

  constructor(databases: Databases) {
    this.#writer = databases.writer
    this.#reader = databases.reader
  }

  async create(token: StoredToken): Promise<void> {
    const sql = 'insert into token values (?, ?, ?, ?, ?, ?, ?, null)'
    const { hash, subjectId, kind, clientId, grantId, createdAt, expiresAt } = token
    this.#writer.run(sql, hash, subjectId, kind, clientId ?? null, grantId ?? null, createdAt, expiresAt ?? null)
  }

  async find(hash: Uint8Array): Promise<{ token: StoredToken; grant: StoredGrant | undefined } | undefined> {
    return this.#reader.unchanged(`token ${Buffer.from(hash).toString('latin1')}`, () => this.#find(hash))
  }

  async revoke(hash: Uint8Array, at: number): Promise<boolean> {
    return this.#writer.run('update token set revoked_at = ? where hash = ? and revoked_at is null', at, hash) === 1
  }

  #find(hash: Uint8Array): { token: StoredToken; grant: StoredGrant | undefined } | undefined {
    const sql = `select t.*, ${GRANT_COLUMNS} from token t
      left join access_grant g on g.subject_id = t.subject_id and g.grant_id = t.grant_id where t.hash = ?`
    const row = this.#reader.get<TokenRow>(sql, hash)
    if (!row) return
    const token: StoredToken = {
      hash: row.hash,
      subjectId: row.subject_id,
      kind: row.kind,
      clientId: row.client_id ?? undefined,
      grantId: row.grant_id ?? undefined,
      createdAt: row.created_at,
      expiresAt: row.expires_at ?? undefined,
      revokedAt: row.revoked_at ?? undefined,
    }
    return { token, grant: row.grant_key == null ? undefined : grantFromRow(this.#reader, row.subject_id, row) }
  }
}
