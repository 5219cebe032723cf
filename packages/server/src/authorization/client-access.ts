import type { GrantService } from '../grants/grant-service.ts'
import type { GrantStore } from '../grants/grant-store.ts'
import type { PackageService } from '../grants/packages/package-service.ts'
import type { PackageStore } from '../grants/packages/package-store.ts'
import type { SettingStore } from '../lib/setting-store.ts'
import type { TokenStore } from '../tokens/token-store.ts'
import { OwnerAgents } from './owner-agents.ts'
import type { AuthorizationStore } from './stores/authorization-store.ts'

const PAGE = 100

interface AccessStores extends SettingStore {
  readonly grants: GrantStore
  readonly packages: PackageStore
  readonly authorizations: AuthorizationStore
  readonly tokens: TokenStore
}

/** Reports whether a client has access, and ends all of it. */
export class ClientAccess {
  readonly #storage: AccessStores
  readonly #grants: GrantService
  readonly #packages: PackageService

  constructor(storage: AccessStores, grants: GrantService, packages: PackageService) {
    this.#storage = storage
    this.#grants = grants
    this.#packages = packages
  }

  /** Ends packages first, because they end their own grants; then single grants; then the remaining tokens. */
  async end(subjectId: string, clientId: string): Promise<{ grants: string[]; packages: string[] }> {
    const ended = { grants: [] as string[], packages: [] as string[] }
    for (const { packageId, revokedAt } of await this.#all((before) =>
      this.#storage.packages
        .list(subjectId, { limit: PAGE, before, clientId })
        .then((page) => page.map((one) => ({ ...one, id: one.packageId }))),
    )) {
      if (revokedAt !== undefined) continue
      ended.grants.push(...(await this.#packages.revoke(subjectId, packageId)))
      ended.packages.push(packageId)
    }
    for (const { id, revokedAt } of await this.#all((before) =>
      this.#storage.grants
        .list(subjectId, { limit: PAGE, before, clientId })
        .then((page) => page.map((one) => ({ ...one, id: one.grant.grant_id }))),
    )) {
      if (revokedAt !== undefined) continue
      await this.#grants.revoke(subjectId, id)
      ended.grants.push(id)
    }
    await this.#storage.authorizations.revokeByClient(subjectId, clientId, Date.now())
    // The client must not ask for full access again until the owner lists it again.
    await new OwnerAgents(this.#storage).remove(subjectId, clientId)
    return ended
  }

  /** True if the client has a grant that the owner has not revoked. */
  async hasAccess(subjectId: string, clientId: string): Promise<boolean> {
    return (await this.#storage.grants.list(subjectId, { limit: 1, clientId, unrevoked: true })).length > 0
  }

  async #all<T extends { id: string }>(page: (before: string | undefined) => Promise<T[]>): Promise<T[]> {
    const found: T[] = []
    for (;;) {
      const next = await page(found.at(-1)?.id)
      found.push(...next)
      if (next.length < PAGE) return found
    }
  }
}
