import { LruCache } from '../../../lib/caches/lru-cache.ts'
import type { FoundToken, StoredToken, TokenStore } from '../../../tokens/token-store.ts'
import { GRANT_COLUMNS, PACKAGE_COLUMNS, type PackageRow, type TokenRow, tokenFromRow } from '../../rows/grant-rows.ts'
import type { Database } from '../engine/database.ts'
import type { Owners } from '../installation/owners.ts'
import type { GrantBodies } from './grant-store.ts'
import { storedPackages } from './package-store.ts'

const MAX_KNOWN = 2000

type FoundRow = TokenRow & { subject: number; owner_epoch: number }

export class PostgresTokenStore implements TokenStore {
  readonly #database: Database
  readonly #owners: Owners
  readonly #bodies: GrantBodies
  readonly #known = new LruCache<string, { readonly state: string; readonly found: FoundToken }>(MAX_KNOWN)

  constructor(database: Database, owners: Owners, bodies: GrantBodies) {
    this.#database = database
    this.#owners = owners
    this.#bodies = bodies
  }

  async create(token: StoredToken): Promise<void> {
    const sql = `insert into token
      (hash, subject, kind, client_id, grant_id, package_id, audience, created_at, expires_at, authorization_id)
      values (@hash, @subject, @kind, @clientId, @grantId, @packageId, @audience, @createdAt, @expiresAt, @authorizationId)`
    await this.#database.write(sql, {
      ...token,
      subject: await this.#owners.require(token.subjectId),
      audience: token.audience.join(' '),
    })
  }

  async find(given: Uint8Array | string, reference?: string): Promise<FoundToken | undefined> {
    const hash = typeof given === 'string' ? Buffer.from(given, 'hex') : given
    const { writes } = this.#database
    const sql = `select t.*, o.subject_id, o.epoch owner_epoch, ${GRANT_COLUMNS} from token t join owner o using (subject)
      left join access_grant g on g.subject = t.subject and g.grant_id = t.grant_id
      where t.hash = @hash and (@reference::text is null or o.reference = @reference)`
    const found = await this.#database.get<FoundRow>(sql, { hash, reference: reference ?? null })
    if (!found) return
    const { owner_epoch: epoch, ...row } = found
    const { subject, package_id: packageId } = row
    this.#owners.note(subject, epoch, writes)
    const grants = row.grant_key == null ? [] : await this.#bodies.stored(this.#database, subject, [row])
    const packages = packageId === null ? [] : await this.#packages(subject, packageId)
    return this.#same(row, { token: tokenFromRow(row), grant: grants[0], package: packages[0] })
  }

  async ownerReference(subjectId: string, proposed: string): Promise<string | undefined> {
    const subject = await this.#owners.require(subjectId)
    const sql = `update owner set reference = @proposed where subject = @subject and reference is null
      and not exists (select 1 from owner where reference = @proposed)`
    await this.#database.quiet((session) => session.run(sql, { subject, proposed }))
    const known = 'select reference from owner where subject = ?'
    return (await this.#database.column<string | null>(known, subject))[0] ?? undefined
  }

  async revoke(hash: Uint8Array, at: number): Promise<boolean> {
    const sql = 'update token set revoked_at = ? where hash = ? and revoked_at is null'
    return (await this.#database.write(sql, at, hash)) === 1
  }

  /** Returns the same object as before if nothing has changed, so that other values can be cached with it. */
  #same(row: TokenRow, found: FoundToken): FoundToken {
    const name = Buffer.from(row.hash).toString('latin1')
    const state = JSON.stringify([row, found.package])
    const known = this.#known.get(name)
    if (known?.state === state) return known.found
    this.#known.set(name, { state, found })
    return found
  }

  async #packages(subject: number, packageId: string) {
    const sql = `select ${PACKAGE_COLUMNS} from package p where p.subject = ? and p.package_id = ?`
    const rows = await this.#database.all<PackageRow>(sql, subject, packageId)
    return storedPackages(this.#database, this.#bodies, subject, rows)
  }
}
