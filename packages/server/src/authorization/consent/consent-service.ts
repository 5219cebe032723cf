import { type Grant, PdppError } from '@pdpp/protocol'
import type { ClientService } from '../../clients/client-service.ts'
import type { Client } from '../../clients/client-store.ts'
import { isLoopbackRedirect } from '../../clients/redirect-uri.ts'
import type { GrantService } from '../../grants/grant-service.ts'
import type { PackageService } from '../../grants/packages/package-service.ts'
import { newId } from '../../lib/ids.ts'
import type { RecordService } from '../../records/record-service.ts'
import type { ConnectionStore } from '../../sources/connections/connection-store.ts'
import type { SourceService } from '../../sources/declarations/source-service.ts'
import type { SourceStore } from '../../sources/declarations/source-store.ts'
import type { OwnerAgents } from '../owner-agents.ts'
import { parseAuthorizationDetails } from '../requests/authorization-details.ts'
import { type RequestedAccess, type ResolvedDetails, resolveDetails } from '../requests/requested-access.ts'
import type { AuthorizationStore } from '../stores/authorization-store.ts'
import type { Choice } from './choice.ts'
import { type OfferedSource, readOffer } from './offer.ts'
import type { PendingRequest, PendingRequests } from './pending-request.ts'
import { type Preview, type PreviewOptions, readPreview } from './preview.ts'
import { type Review, reviewChoice, revisionOf } from './review.ts'

/** A pending request with everything that the consent page shows. */
export interface ConsentRequest extends PendingRequest {
  readonly client: Client
  /** The requested access that exists here, by source. Undefined if the client named nothing and the owner chooses. */
  readonly requested: readonly RequestedAccess[] | undefined
  /** Requested items that do not exist here, as text for the owner. */
  readonly missing: readonly string[]
  /** Everything that the owner can tick. Never more than the client asked for. */
  readonly offer: readonly OfferedSource[]
  /** True if the client asks for full access and may do so. */
  readonly isOwnerAgent: boolean
  /** Hash that changes if the request, the client or a source changes. */
  readonly revision: string
}

export interface ConsentOptions {
  readonly stores: {
    readonly sources: SourceStore
    readonly connections: ConnectionStore
    readonly authorizations: AuthorizationStore
  }
  readonly ownerAgents: OwnerAgents
  readonly clients: ClientService
  readonly grants: GrantService
  readonly packages: PackageService
  readonly sources: SourceService
  readonly records: RecordService
  /** The store that holds the request with this uid. */
  pendingOf(uid: string): PendingRequests
}

/** Reads a pending request for the owner, checks their decision, carries it out once, and passes it on. */
export class ConsentService {
  readonly #options: ConsentOptions

  constructor(options: ConsentOptions) {
    this.#options = options
  }

  async read(origin: string, subjectId: string, uid: string): Promise<ConsentRequest> {
    const { stores, clients, ownerAgents, pendingOf } = this.#options
    const pending = await pendingOf(uid).find(origin, uid)
    if (pending === 'decided') throw decided()
    const client = pending && (await clients.find(pending.clientId))
    if (!pending || !client) throw gone()
    requireRegistered(client, pending.redirectUri)
    const { requested, missing } = await this.#resolve(subjectId, pending.details)
    const offer = pending.profile === 'owner' ? [] : await readOffer(stores, subjectId, requested)
    const isOwnerAgent = pending.profile === 'owner' && (await ownerAgents.mayAsk(subjectId, client))
    const request = { ...pending, client, requested, missing, offer, isOwnerAgent }
    return { ...request, revision: revisionOf(request) }
  }

  /** If nothing requested exists here, the owner can only deny, and the client sees an ordinary denial. */
  async #resolve(
    subjectId: string,
    details: string | undefined,
  ): Promise<ResolvedDetails | { requested: undefined; missing: readonly string[] }> {
    if (details === undefined) return { requested: undefined, missing: [] }
    return resolveDetails(this.#options.stores, subjectId, parseAuthorizationDetails(details))
  }

  /** The grants that a choice would create. Creates nothing. */
  review(subjectId: string, request: ConsentRequest, choice: Choice): Promise<Review> {
    return reviewChoice(this.#options.grants, subjectId, request, choice)
  }

  /** Counts of the listed sources, and sample records of some. */
  preview(subjectId: string, options: PreviewOptions): Promise<Preview> {
    return readPreview(this.#options, subjectId, options)
  }

  /** Creates the reviewed grants, unless the request was already decided. Returns where the browser goes next. */
  async approve(
    origin: string,
    subjectId: string,
    request: ConsentRequest,
    review: Review,
  ): Promise<string | undefined> {
    if (review.problems.length > 0) throw new PdppError('invalid_argument', review.problems[0]!.message)
    if (request.profile === 'owner' && !request.isOwnerAgent)
      throw new PdppError('permission_error', 'This program is not on the list of programs that may have full access.')
    const pending = this.#options.pendingOf(request.uid)
    if (!(await pending.claim(request.uid))) throw decided()
    const authorizationId = await this.#authorize(subjectId, request, review)
    return pending.settle(origin, request.uid, { subjectId, authorizationId })
  }

  async deny(origin: string, uid: string): Promise<string | undefined> {
    const pending = this.#options.pendingOf(uid)
    if (!(await pending.claim(uid))) throw decided()
    return pending.settle(origin, uid, { denied: true })
  }

  /** Creates all grants or none: if one fails, revokes the grants that were created before it. */
  async #create(subjectId: string, { grants }: Review): Promise<Grant[]> {
    const created: Grant[] = []
    try {
      for (const { request } of grants) created.push(await this.#options.grants.create(subjectId, request))
      return created
    } catch (error) {
      for (const grant of created) await this.#options.grants.revoke(subjectId, grant.grant_id)
      throw error
    }
  }

  async #authorize(subjectId: string, request: ConsentRequest, review: Review): Promise<string> {
    const { packages, stores, clients } = this.#options
    const created = await this.#create(subjectId, review)
    const { clientId, metadata } = request.client
    const name = metadata.client_name ?? request.clientName
    const bundle =
      created.length < 2
        ? undefined
        : await packages.create(subjectId, {
            grantIds: created.map((grant) => grant.grant_id),
            client: { id: clientId, name },
          })
    const authorizationId = newId('ath')
    await clients.used(request.client)
    await stores.authorizations.create({
      authorizationId,
      subjectId,
      clientId,
      kind: request.profile === 'owner' ? 'owner' : bundle ? 'package' : 'grant',
      grantId: bundle ? undefined : created[0]?.grant_id,
      packageId: bundle?.packageId,
      audiences: request.audiences,
      singleUse: review.singleUse,
      createdAt: Date.now(),
      expiresAt: lastEnd(created),
      revokedAt: undefined,
    })
    return authorizationId
  }
}

/** Throws if the client has removed this redirect URI from its registration since it asked. */
function requireRegistered({ metadata }: Client, redirectUri: string | undefined): void {
  if (redirectUri === undefined || metadata.redirect_uris.some((known) => sameTarget(known, redirectUri))) return
  throw new PdppError('invalid_request', 'The application no longer accepts answers at the address that it named.', {
    nextStep: 'Start again from the application that wants to connect.',
  })
}

/** RFC 8252 section 7.3: a client may use another port on a loopback address each time, so ports are ignored. */
function sameTarget(known: string, asked: string): boolean {
  if (known === asked || !isLoopbackRedirect(known) || !isLoopbackRedirect(asked)) return known === asked
  const portless = (uri: string) => Object.assign(new URL(uri), { port: '' }).href
  return portless(known) === portless(asked)
}

function lastEnd(grants: readonly Grant[]): number | undefined {
  const ends = grants.map((grant) => grant.expires_at)
  return ends.length === 0 || ends.includes(null) ? undefined : Math.max(...ends.map((end) => Date.parse(end!)))
}

function gone(): PdppError {
  return new PdppError('not_found', 'This request has expired or was already decided.', {
    nextStep: 'Start again from the application that wants to connect.',
  })
}

function decided(): PdppError {
  return new PdppError('approval_conflict', 'This request was already decided.', {
    nextStep: 'You need not do anything. Agents shows what you decided.',
  })
}
