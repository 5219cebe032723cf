import { PdppError } from '@pdpp/protocol'
import { newId } from '../../lib/ids.ts'
import { grantedConnections } from '../authority.ts'
import type { GrantService } from '../grant-service.ts'
import type { StoredGrant } from '../grant-store.ts'
import { grantRefusal } from '../refusal.ts'
import type { PackageStore, StoredPackage } from './package-store.ts'

/** Max. grants in a package. Every request with a package's token loads all of them. */
export const MAX_MEMBERS = 50

export interface PackageRequest {
  readonly grantIds: readonly string[]
  /** The client that gets the package. Default: the client of all its grants, or a new client if they differ. */
  readonly client?: { readonly id: string; readonly name?: string | undefined } | undefined
  readonly clientName?: string | undefined
}

/** Packages of grants: one token for several sources, each with its own grant. */
export class PackageService {
  readonly #packages: PackageStore
  readonly #grants: GrantService

  constructor(stores: { readonly packages: PackageStore }, grants: GrantService) {
    this.#packages = stores.packages
    this.#grants = grants
  }

  /** Creates a package without a token. */
  async create(subjectId: string, request: PackageRequest): Promise<StoredPackage> {
    const { grantIds } = request
    if (grantIds.length === 0 || grantIds.length > MAX_MEMBERS)
      throw invalid(`A package must have 1 to ${MAX_MEMBERS} grants.`)
    if (new Set(grantIds).size < grantIds.length) throw invalid('A grant is named twice.')
    const members = await Promise.all(grantIds.map((id) => this.#grants.require(subjectId, id)))
    for (const member of members) requireFree(member)
    if (new Set(members.map(({ grant }) => grant.access_mode)).size > 1)
      throw invalid('The grants of a package must be all continuous or all single-use.')
    requireDisjoint(members)
    const packageId = newId('pkg')
    const newPackage = { packageId, ...clientOf(members, request), grantIds }
    if (await this.#packages.create(subjectId, newPackage, Date.now())) return this.require(subjectId, packageId)
    throw new PdppError('already_exists', 'One of these grants was just revoked or added to another package.', {
      param: 'grants',
    })
  }

  async require(subjectId: string, packageId: string): Promise<StoredPackage> {
    const found = await this.#packages.find(subjectId, packageId)
    if (found) return found
    throw new PdppError('not_found', 'There is no such package.', {
      param: 'package_id',
      reason: 'package',
    })
  }

  /** Revokes a package and all its grants. Returns the ids of the grants that this call revoked. */
  async revoke(subjectId: string, packageId: string): Promise<string[]> {
    await this.require(subjectId, packageId)
    const ended = await this.#packages.revoke(subjectId, packageId, Date.now())
    if (ended) return ended
    throw revoked()
  }

  /** Pauses a package: its tokens are refused until it is resumed. Nothing else changes. */
  async pause(subjectId: string, packageId: string): Promise<StoredPackage> {
    await this.require(subjectId, packageId)
    if (!(await this.#packages.pause(subjectId, packageId, Date.now()))) throw revoked()
    return this.require(subjectId, packageId)
  }

  /** Resumes every paused grant of the package, including those that were paused individually. */
  async resume(subjectId: string, packageId: string): Promise<StoredPackage> {
    await this.require(subjectId, packageId)
    if (!(await this.#packages.resume(subjectId, packageId))) throw revoked()
    return this.require(subjectId, packageId)
  }
}

function requireFree(stored: StoredGrant): void {
  const { grant, packageId, consumedAt } = stored
  const refusal = grantRefusal(stored, Date.now())
  if (refusal) throw new PdppError(refusal.code, `${grant.grant_id}: ${refusal.message}`, { param: 'grants' })
  if (grant.access_mode === 'single_use' && consumedAt !== undefined)
    throw new PdppError('grant_consumed', `${grant.grant_id}: this single-use grant has already been used.`)
  if (packageId === undefined) return
  throw new PdppError('already_exists', `The grant ${grant.grant_id} is in the package ${packageId}.`, {
    param: 'grants',
    nextStep: 'Create another grant for this package.',
  })
}

/** A connection_id must identify one member, so two members cannot share a connection. */
function requireDisjoint(members: readonly StoredGrant[]): void {
  const grantByConnection = new Map<string, string>()
  for (const { grant } of members) {
    for (const connection of grantedConnections(grant)) {
      const other = grantByConnection.get(connection)
      if (other !== undefined) {
        throw new PdppError(
          'invalid_argument',
          `The grants ${other} and ${grant.grant_id} both read the connection "${connection}"; in a package each connection has one grant.`,
          { param: 'grants', nextStep: 'Leave one of them out, or make one grant with what both allow.' },
        )
      }
      grantByConnection.set(connection, grant.grant_id)
    }
  }
}

function clientOf(members: readonly StoredGrant[], { client, clientName }: PackageRequest) {
  if (client) return { clientId: client.id, clientName: client.name ?? clientName }
  const clients = members.map(({ grant }) => grant.client)
  const ids = new Set(clients.map(({ client_id: id }) => id))
  const name = clientName ?? clients[0]!.client_display?.name
  return { clientId: ids.size === 1 ? [...ids][0]! : newId('cli'), clientName: name }
}

/** When the last member expires. Undefined if a member never expires. */
export function lastEnd(members: readonly StoredGrant[]): number | undefined {
  const ends = members.map(({ grant }) => grant.expires_at)
  return ends.includes(null) ? undefined : Math.max(...ends.map((end) => Date.parse(end!)))
}

const revoked = (): PdppError => new PdppError('already_revoked', 'This package is already revoked.')

function invalid(message: string): PdppError {
  return new PdppError('invalid_argument', message, { param: 'grants' })
}
