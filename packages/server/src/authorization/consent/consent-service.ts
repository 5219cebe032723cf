import { hash } from 'node:crypto'
import { type Grant, narrowStream, PdppError } from '@pdpp/protocol'
import type { ClientService } from '../../clients/client-service.ts'
import type { Client } from '../../clients/client-store.ts'
import type { GrantRequest, GrantService } from '../../grants/grant-service.ts'
import { type GrantSelection, resolveSelection } from '../../grants/selection.ts'
import { newId } from '../../lib/ids.ts'
import type { PackageService } from '../../packages/package-service.ts'
import type { Storage } from '../../storage/contract.ts'
import { parseAuthorizationDetails, type RequestedAccess } from '../authorization-details.ts'
import type { PendingRequest, PendingRequests } from './pending-request.ts'

const AGENT_CONTEXT = 'https://pdpp.dev/purpose/agent_context'

/** What the owner is asked. */
export interface ConsentRequest extends PendingRequest {
  readonly client: Client
  /** What is asked for, source by source; undefined where the owner is to choose. */
  readonly requested: readonly RequestedAccess[] | undefined
  /** Names what was shown. A decision about anything else is refused. */
  readonly revision: string
}

/** What the owner decided: one selection for each source. Several make a package, with one token for all. */
export interface Approval {
  readonly revision: string
  readonly selections: readonly GrantSelection[]
  readonly singleUse?: boolean | undefined
  readonly expiresAt?: string | undefined
}

export interface ConsentOptions {
  readonly storage: Pick<Storage, 'sources' | 'connections' | 'authorizations'>
  readonly clients: ClientService
  readonly grants: GrantService
  readonly packages: PackageService
  /** Which kind of request a uid names. */
  pendingOf(uid: string): PendingRequests
}

/** The owner's decision on a pending request: shown, checked, made once, passed on. */
export class ConsentService {
  readonly #options: ConsentOptions

  constructor(options: ConsentOptions) {
    this.#options = options
  }

  async read(origin: string, subjectId: string, uid: string): Promise<ConsentRequest> {
    const { storage, clients, pendingOf } = this.#options
    const pending = await pendingOf(uid).find(origin, uid)
    const client = pending && (await clients.find(pending.clientId))
    if (!pending || !client) throw gone()
    const requested =
      pending.details === undefined ? undefined : await parseAuthorizationDetails(storage, subjectId, pending.details)
    return { ...pending, client, requested, revision: revisionOf(pending, client, requested) }
  }

  /** Answers where the owner's browser goes on. */
  async approve(origin: string, subjectId: string, uid: string, approval: Approval): Promise<string | undefined> {
    const request = await this.read(origin, subjectId, uid)
    if (approval.revision !== request.revision)
      throw new PdppError('approval_conflict', 'What was asked for has changed since it was shown.')
    const grants = request.profile === 'owner' ? [] : await this.#drafts(subjectId, request, approval)
    const pending = this.#options.pendingOf(uid)
    if (!(await pending.claim(uid))) throw decided()
    const authorizationId = await this.#authorize(subjectId, request, grants)
    return pending.settle(origin, uid, { subjectId, authorizationId })
  }

  async deny(origin: string, uid: string): Promise<string | undefined> {
    const pending = this.#options.pendingOf(uid)
    if (!(await pending.find(origin, uid))) throw gone()
    if (!(await pending.claim(uid))) throw decided()
    return pending.settle(origin, uid, { denied: true })
  }

  /** Every grant as it would be made: whatever is wrong with one shows before the decision is taken. */
  async #drafts(subjectId: string, request: ConsentRequest, approval: Approval): Promise<GrantRequest[]> {
    if (approval.selections.length === 0)
      throw new PdppError('invalid_argument', 'Choose at least one source, or deny the request.')
    const requests: GrantRequest[] = []
    const drafts: Grant[] = []
    for (const selection of approval.selections) {
      const made = await this.#grantRequest(subjectId, request, approval, selection)
      drafts.push(await this.#options.grants.draft(subjectId, made))
      requests.push(made)
    }
    const connections = drafts.flatMap(({ streams }) => [...new Set(streams.flatMap((one) => one.instance_ids))])
    if (new Set(connections).size < connections.length)
      throw new PdppError('invalid_argument', 'A connection is chosen twice.')
    if (request.requested) for (const draft of drafts) requireWithin(draft, request.requested)
    return requests
  }

  async #grantRequest(
    subjectId: string,
    { client, clientName, requested }: ConsentRequest,
    { singleUse, expiresAt }: Approval,
    selection: GrantSelection,
  ): Promise<GrantRequest> {
    const connection = await this.#options.storage.connections.find(subjectId, selection.connections[0] ?? '')
    const asked = requested?.find(({ declaration }) => declaration.connector_key === connection?.connectorKey)
    return {
      ...selection,
      clientId: client.clientId,
      clientName: client.metadata.client_name ?? clientName ?? client.clientId,
      purposeCode: asked?.purposeCode ?? AGENT_CONTEXT,
      purposeDescription: asked?.purposeDescription,
      retention: asked?.retention,
      singleUse: singleUse ?? asked?.singleUse ?? false,
      expiresAt,
    }
  }

  /** All of them or none: what cannot be finished is not left behind. */
  async #create(subjectId: string, requests: readonly GrantRequest[]): Promise<Grant[]> {
    const made: Grant[] = []
    try {
      for (const one of requests) made.push(await this.#options.grants.create(subjectId, one))
      return made
    } catch (error) {
      for (const grant of made) await this.#options.grants.revoke(subjectId, grant.grant_id)
      throw error
    }
  }

  async #authorize(subjectId: string, request: ConsentRequest, requests: readonly GrantRequest[]): Promise<string> {
    const { packages, storage, clients } = this.#options
    const made = await this.#create(subjectId, requests)
    const { clientId, metadata } = request.client
    const name = metadata.client_name ?? request.clientName
    const bundle =
      made.length < 2
        ? undefined
        : await packages.create(subjectId, {
            grantIds: made.map((grant) => grant.grant_id),
            client: { id: clientId, name },
          })
    const authorizationId = newId('ath')
    await clients.used(request.client)
    await storage.authorizations.create({
      authorizationId,
      subjectId,
      clientId,
      grantId: bundle ? undefined : made[0]?.grant_id,
      packageId: bundle?.packageId,
      audiences: request.audiences,
      singleUse: requests.some((one) => one.singleUse),
      createdAt: Date.now(),
      expiresAt: lastEnd(made),
      revokedAt: undefined,
    })
    return authorizationId
  }
}

/** The owner may give less than was asked for, never more: the client did not say what it would do with it. */
function requireWithin(draft: Grant, requested: readonly RequestedAccess[]): void {
  const asked = requested.find(({ declaration }) => declaration.connector_key === draft.source.connector_key)
  const allowed = asked ? resolveSelection(asked.declaration, asked.selection) : []
  for (const stream of draft.streams) {
    const within = allowed.find(({ name }) => name === stream.name)
    const { instance_ids: connections, fields, time_constraint: time, resources } = stream
    const narrowed =
      within &&
      narrowStream(within, { connections, fields, since: time?.since, until: time?.until, resources }, time?.field)
    if (JSON.stringify(sorted(narrowed)) !== JSON.stringify(sorted(stream)))
      throw new PdppError('invalid_argument', `"${stream.name}": more was chosen than was asked for.`)
  }
}

function sorted(stream: Grant['streams'][number] | undefined) {
  if (!stream) return
  const { name, instance_ids: connections, fields, time_constraint: time, resources } = stream
  return [name, connections.toSorted(), fields.toSorted(), time?.since, time?.until, resources?.toSorted()]
}

function revisionOf(
  { clientId, redirectUri, audiences, profile }: PendingRequest,
  { metadata }: Client,
  requested: readonly RequestedAccess[] | undefined,
): string {
  const asked = requested?.map(({ declaration, selection, ...rest }) => [
    declaration.connector_key,
    declaration.declaration_version,
    resolveSelection(declaration, selection),
    rest,
  ])
  const shown = [clientId, metadata.client_name, redirectUri, audiences, profile, asked]
  return hash('sha256', JSON.stringify(shown), 'base64url')
}

function lastEnd(grants: readonly Grant[]): number | undefined {
  const ends = grants.map((grant) => grant.expires_at)
  return ends.length === 0 || ends.includes(null) ? undefined : Math.max(...ends.map((end) => Date.parse(end!)))
}

function gone(): PdppError {
  return new PdppError('not_found', 'This request has expired, or was decided before.', {
    nextStep: 'Start again from the application that wants to connect.',
  })
}

function decided(): PdppError {
  return new PdppError('approval_conflict', 'This request was decided before.', {
    nextStep: 'Nothing is left to do; your grants show what was decided.',
  })
}
