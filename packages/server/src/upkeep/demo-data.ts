import { PdppError } from '@pdpp/protocol'
import { grantedConnections } from '../grants/authority.ts'
import type { GrantService } from '../grants/grant-service.ts'
import type { GrantStore } from '../grants/grant-store.ts'
import type { SettingStore } from '../lib/setting-store.ts'
import { OWNER } from '../owner.ts'
import type { RecordService } from '../records/record-service.ts'
import type { SourceService } from '../sources/declarations/source-service.ts'
import { type DemoResult, type DemoServices, demoKeys, loadDemo } from './load-demo.ts'

/** The setting that stores the demo's connections, by the demo's own names for them. */
const LOADED = 'demo_connections'
const MAX_GRANTS = 1000

interface DemoDataServices extends DemoServices {
  readonly storage: DemoServices['storage'] & SettingStore & { readonly grants: GrantStore }
  readonly grants: GrantService
  readonly records: RecordService
  readonly sources: SourceService
}

/**
 * Keeps demo data separate from the owner's own data. The demo is never loaded next to other data. Its connections are
 * recorded, and removing it deletes only the demo's data.
 */
export class DemoData {
  readonly #services: DemoDataServices
  #loaded: ReadonlyMap<string, string> | undefined

  constructor(services: DemoDataServices) {
    this.#services = services
  }

  async isLoaded(): Promise<boolean> {
    return (await this.#connections()).size > 0
  }

  /** True if the owner has no source at all. */
  async isEmpty(): Promise<boolean> {
    return (await this.#services.storage.connections.list(OWNER)).length === 0
  }

  /** Refuses if the owner has data. Loading the demo again changes nothing. */
  async load(): Promise<DemoResult> {
    const before = await this.#connections()
    const all = await this.#services.storage.connections.list(OWNER)
    const ours = new Set(before.values())
    if (all.some(({ connectionId }) => !ours.has(connectionId)))
      throw new PdppError('already_exists', 'You already keep data of your own here, so the demo was not loaded.', {
        nextStep: 'To look around with demo data, start another server on an empty folder.',
      })
    // Stored while the demo loads, so that the remains of a crash can be removed, too.
    const made = new Map(before)
    return loadDemo(this.#services, before, async (name, connectionId) => {
      made.set(name, connectionId)
      await this.#save(made)
    })
  }

  /** Returns the number of removed sources. A source that got other records keeps them and stays. */
  async remove(): Promise<number> {
    const loaded = await this.#connections()
    const keys = await demoKeys()
    await this.#revokeGrants(new Set(loaded.values()))
    let removed = 0
    for (const [name, connectionId] of loaded) {
      if ((await this.#services.storage.connections.find(OWNER, connectionId)) === undefined) continue
      if (await this.#hasOtherRecords(connectionId, keys.get(name) ?? new Map()))
        await this.#removeRecords(connectionId, keys.get(name) ?? new Map())
      else {
        await this.#services.connections.remove(OWNER, connectionId)
        removed++
      }
    }
    await this.#save(new Map())
    return removed
  }

  async #connections(): Promise<ReadonlyMap<string, string>> {
    this.#loaded ??= new Map(
      Object.entries(JSON.parse((await this.#services.storage.setting(OWNER, LOADED)) ?? '{}') as object),
    )
    return this.#loaded
  }

  async #save(connections: ReadonlyMap<string, string>): Promise<void> {
    const text = connections.size === 0 ? undefined : JSON.stringify(Object.fromEntries(connections))
    await this.#services.storage.saveSetting(OWNER, LOADED, text)
    this.#loaded = new Map(connections)
  }

  /** Access to demo data alone would be access to nothing, so it is revoked. */
  async #revokeGrants(connections: ReadonlySet<string>): Promise<void> {
    const stored = await this.#services.storage.grants.list(OWNER, { limit: MAX_GRANTS, unrevoked: true })
    for (const { grant } of stored)
      if (grantedConnections(grant).every((id) => connections.has(id)))
        await this.#services.grants.revoke(OWNER, grant.grant_id)
  }

  /** True if the connection has more records than the demo put there. */
  async #hasOtherRecords(connectionId: string, keys: ReadonlyMap<string, readonly unknown[]>): Promise<boolean> {
    for (const { stream } of await this.#streams(connectionId)) {
      const scope = await this.#services.records.scope({ kind: 'owner', subjectId: OWNER }, { stream, connectionId })
      const { value = 0 } = await this.#services.records.count(scope, 'exact')
      if (value > (keys.get(stream)?.length ?? 0)) return true
    }
    return false
  }

  async #removeRecords(connectionId: string, keys: ReadonlyMap<string, readonly unknown[]>): Promise<void> {
    const emitted_at = new Date().toISOString()
    for (const { stream, connectorKey } of await this.#streams(connectionId)) {
      const rows = (keys.get(stream) ?? []).map((key) => ({ key, op: 'delete', emitted_at }))
      await this.#services.ingest.ingestRows({ subjectId: OWNER, connectorKey, connectionId, stream }, rows)
    }
  }

  async #streams(connectionId: string): Promise<{ stream: string; connectorKey: string }[]> {
    const { connectorKey } = await this.#services.connections.require(OWNER, connectionId)
    const { streams } = await this.#services.sources.requireDeclaration(OWNER, connectorKey)
    return streams.map(({ name }) => ({ stream: name, connectorKey }))
  }
}
