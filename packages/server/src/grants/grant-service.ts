import { type Grant, PdppError, type Retention } from '@pdpp/protocol'
import { newId } from '../lib/ids.ts'
import type { ConnectionStore } from '../sources/connections/connection-store.ts'
import type { SourceService } from '../sources/declarations/source-service.ts'
import type { GrantStore, StoredGrant, UseStore } from './grant-store.ts'
import { type GrantNarrowing, narrowGrant } from './narrow.ts'
import { type GrantSelection, resolveSelection } from './selection.ts'

const SINGLE_USE_LIFETIME_MS = 3_600_000

export interface GrantRequest extends GrantSelection {
  readonly clientName: string
  readonly clientId?: string | undefined
  readonly purposeCode: string
  readonly purposeDescription?: string | undefined
  readonly retention?: Retention | undefined
  readonly singleUse: boolean
  readonly expiresAt?: string | undefined
}

interface GrantStores {
  readonly grants: GrantStore
  readonly connections: ConnectionStore
  readonly receipts: UseStore
}

export class GrantService {
  readonly #stores: GrantStores
  readonly #sources: SourceService

  constructor(stores: GrantStores, sources: SourceService) {
    this.#stores = stores
    this.#sources = sources
  }

  /** Creates a grant without a token. It becomes usable when it gets a token or joins a package. */
  async create(subjectId: string, request: GrantRequest): Promise<Grant> {
    const grant = await this.draft(subjectId, request)
    await this.#stores.grants.create(subjectId, grant, Date.parse(grant.issued_at))
    return grant
  }

  /** Returns the grant that `create` would store, without storing it. Throws the same errors. */
  async draft(subjectId: string, request: GrantRequest): Promise<Grant> {
    const now = Date.now()
    const expiresAt = expiry(request, now)
    const source = await this.#sourceOf(subjectId, request.connections)
    const clientId = request.clientId ?? newId('cli')
    return {
      version: '0.1.0',
      grant_id: newId('grt'),
      issued_at: new Date(now).toISOString(),
      subject: { id: subjectId },
      client: { client_id: clientId, client_display: { name: request.clientName } },
      source: { ...source.source, connector_key: source.connector_key },
      source_declaration: { version: source.declaration_version },
      purpose_code: request.purposeCode,
      ...(request.purposeDescription === undefined ? {} : { purpose_description: request.purposeDescription }),
      access_mode: request.singleUse ? 'single_use' : 'continuous',
      ...(request.retention === undefined ? {} : { retention: request.retention }),
      streams: resolveSelection(source, request),
      expires_at: expiresAt === undefined ? null : new Date(expiresAt).toISOString(),
    }
  }

  /** Call before issuing a token. Atomic: of several concurrent calls for a single-use grant, one succeeds. */
  async consume(subjectId: string, grant: Grant): Promise<void> {
    if (grant.access_mode !== 'single_use') return
    if (await this.#stores.grants.consume(subjectId, grant.grant_id, Date.now())) return
    throw new PdppError('grant_consumed', 'This single-use grant has already been used.')
  }

  async require(subjectId: string, grantId: string): Promise<StoredGrant> {
    const stored = await this.#stores.grants.find(subjectId, grantId)
    if (stored) return stored
    throw new PdppError('not_found', 'There is no such grant.', {
      param: 'grant_id',
      reason: 'grant',
    })
  }

  async revoke(subjectId: string, grantId: string): Promise<void> {
    await this.require(subjectId, grantId)
    if (await this.#stores.grants.revoke(subjectId, grantId, Date.now())) return
    throw await this.#ended(subjectId, grantId)
  }

  /** Pauses a grant: its tokens are refused until it is resumed. Nothing else changes. */
  async pause(subjectId: string, grantId: string): Promise<StoredGrant> {
    await this.require(subjectId, grantId)
    if (!(await this.#stores.grants.pause(subjectId, grantId, Date.now()))) throw await this.#ended(subjectId, grantId)
    return this.require(subjectId, grantId)
  }

  async resume(subjectId: string, grantId: string): Promise<StoredGrant> {
    await this.require(subjectId, grantId)
    if (!(await this.#stores.grants.resume(subjectId, grantId))) throw await this.#ended(subjectId, grantId)
    return this.require(subjectId, grantId)
  }

  /** Replaces a grant with a smaller one. The agent's token keeps working; only its cursors become invalid. */
  async narrow(subjectId: string, grantId: string, narrowing: GrantNarrowing): Promise<StoredGrant> {
    const { grant, revokedAt } = await this.require(subjectId, grantId)
    if (revokedAt !== undefined) throw await this.#ended(subjectId, grantId)
    const declaration = await this.#sources.requireDeclaration(subjectId, grant.source.connector_key)
    const now = Date.now()
    const smaller: Grant = {
      ...grant,
      ...narrowGrant(grant, declaration, narrowing),
      grant_id: newId('grt'),
      issued_at: new Date(now).toISOString(),
    }
    if (!(await this.#stores.grants.replace(subjectId, grantId, smaller, now)))
      throw await this.#ended(subjectId, grantId)
    await this.#stores.receipts.passUse(subjectId, grantId, smaller.grant_id)
    return this.require(subjectId, smaller.grant_id)
  }

  /** The grant that replaced this one by narrowing or widening, or this grant itself. */
  async current(subjectId: string, grantId: string): Promise<StoredGrant> {
    let stored = await this.require(subjectId, grantId)
    while (stored.replacedBy !== undefined) stored = await this.require(subjectId, stored.replacedBy)
    return stored
  }

  /**
   * The error for changing an ended grant. If the grant was replaced, the error names the replacement, which is still
   * active.
   */
  async #ended(subjectId: string, grantId: string): Promise<PdppError> {
    const { grant, revokedAt } = await this.current(subjectId, grantId)
    if (grant.grant_id === grantId || revokedAt !== undefined)
      return new PdppError('already_revoked', 'This grant is already revoked.')
    return new PdppError(
      'already_revoked',
      `This grant was changed. ${grant.grant_id} replaces it, and the token still works.`,
      { param: 'grant_id', nextStep: `Use ${grant.grant_id} instead.` },
    )
  }

  /** The declaration that all these connections belong to. A grant cannot span several sources. */
  async #sourceOf(subjectId: string, connectionIds: readonly string[]) {
    const connections = await Promise.all(connectionIds.map((id) => this.#stores.connections.find(subjectId, id)))
    const missing = connectionIds.find((_id, index) => connections[index] === undefined)
    if (missing !== undefined) {
      throw new PdppError('connection_not_found', `There is no connection "${missing}".`, {
        param: 'connections',
        reason: 'owned',
      })
    }
    const keys = new Set(connections.map((connection) => connection!.connectorKey))
    if (keys.size === 1) return this.#sources.requireDeclaration(subjectId, [...keys][0]!)
    throw new PdppError('invalid_argument', 'A grant reads the connections of one source.', {
      param: 'connections',
      nextStep: 'Create one grant for each source.',
    })
  }
}

function expiry(request: GrantRequest, now: number): number | undefined {
  if (request.expiresAt === undefined) return request.singleUse ? now + SINGLE_USE_LIFETIME_MS : undefined
  const at = Date.parse(request.expiresAt)
  if (Number.isNaN(at) || at <= now) {
    throw new PdppError('invalid_argument', 'expires_at must be a time in the future.', { param: 'expires_at' })
  }
  return at
}
