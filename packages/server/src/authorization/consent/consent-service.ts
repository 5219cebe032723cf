import { type Grant, PdppError } from '@pdpp/protocol'
import type { ClientService } from '../../clients/client-service.ts'
import type { Client } from '../../clients/client-store.ts'
import { isLoopbackRedirect } from '../../clients/redirect-uri.ts'
import type { GrantService } from '../../grants/grant-service.ts'
import type { PackageService } from '../../grants/packages/package-service.ts'
import { newId } from '../../lib/ids.ts'
import type { RecordService } from '../../records/record-service.ts'
import type { SourceService } from '../../sources/declarations/source-service.ts'
import type { Storage } from '../../storage/contract.ts'
import type { OwnerAgents } from '../owner-agents.ts'
import { parseAuthorizationDetails } from '../requests/authorization-details.ts'
import { type RequestedAccess, type ResolvedDetails, resolveDetails } from '../requests/requested-access.ts'
import type { Choice } from './choice.ts'
import { type OfferedSource, readOffer } from './offer.ts'
import type { PendingRequest, PendingRequests } from './pending-request.ts'
import { type Preview, readPreview } from './preview.ts'
import { type Review, reviewChoice, revisionOf } from './review.ts'

/** What the owner is asked. */
export interface ConsentRequest extends PendingRequest {
  readonly client: Client
  /** What is asked for and is here, source by source; undefined where the owner is to choose. */
  readonly requested: readonly RequestedAccess[] | undefined
  /** What is asked for and is not here, in words for the owner. */
  readonly missing: readonly string[]
  /** What can be given: never more than was asked for. */
  readonly offer: readonly OfferedSource[]
  /** For the owner profile: whether this client may ask for it at all. */
  readonly isOwnerAgent: boolean
  /** Changes with what is asked, who asks, and the sources it is about. */
  readonly revision: string
}

export interface ConsentOptions {
  readonly storage: Pick<Storage, 'sources' | 'connections' | 'authorizations'>
  readonly ownerAgents: OwnerAgents
  readonly clients: ClientService
  readonly grants: GrantService
  readonly packages: PackageService
  readonly sources: SourceService
  readonly records: RecordService
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
    const { storage, clients, ownerAgents, pendingOf } = this.#options
    const pending = await pendingOf(uid).find(origin, uid)
    if (pending === 'decided') throw decided()
    const client = pending && (await clients.find(pending.clientId))
    if (!pending || !client) throw gone()
    requireRegistered(client, pending.redirectUri)
    const { requested, missing } = await this.#asked(subjectId, pending.details)
    const offer = pending.profile === 'owner' ? [] : await readOffer(storage, subjectId, requested)
    const isOwnerAgent = pending.profile === 'owner' && (await ownerAgents.mayAsk(subjectId, client))
    const request = { ...pending, client, requested, missing, offer, isOwnerAgent }
    return { ...request, revision: revisionOf(request) }
  }

  /** Where nothing of it is here, the owner can only deny: the client hears the same as of any other denial. */
  async #asked(
    subjectId: string,
    details: string | undefined,
  ): Promise<ResolvedDetails | { requested: undefined; missing: readonly string[] }> {
    if (details === undefined) return { requested: undefined, missing: [] }
    return resolveDetails(this.#options.storage, subjectId, parseAuthorizationDetails(details))
  }

  /** What a choice would come to; nothing is made. */
  review(subjectId: string, request: ConsentRequest, choice: Choice): Promise<Review> {
    return reviewChoice(this.#options.grants, subjectId, request, choice)
  }

  /** Numbers of what stands on the page, and of what is chosen. */
  preview(
    subjectId: string,
    request: ConsentRequest,
    review: Review,
    listed: readonly OfferedSource[],
  ): Promise<Preview> {
    return readPreview(this.#options, subjectId, request, review, listed)
  }

  /** Makes what was reviewed, if nobody has decided before. Answers where the owner's browser goes on. */
  async approve(
    origin: string,
    subjectId: string,
    request: ConsentRequest,
    review: Review,
  ): Promise<string | undefined> {
    if (review.problems.length > 0) throw new PdppError('invalid_argument', review.problems[0]!.message)
    if (request.profile === 'owner' && !request.isOwnerAgent)
      throw new PdppError('permission_error', 'This program is not allowed to have full access.')
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

  /** All of them or none: what cannot be finished is not left behind. */
  async #create(subjectId: string, { grants }: Review): Promise<Grant[]> {
    const made: Grant[] = []
    try {
      for (const { request } of grants) made.push(await this.#options.grants.create(subjectId, request))
      return made
    } catch (error) {
      for (const grant of made) await this.#options.grants.revoke(subjectId, grant.grant_id)
      throw error
    }
  }

  async #authorize(subjectId: string, request: ConsentRequest, review: Review): Promise<string> {
    const { packages, storage, clients } = this.#options
    const made = await this.#create(subjectId, review)
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
      kind: request.profile === 'owner' ? 'owner' : bundle ? 'package' : 'grant',
      grantId: bundle ? undefined : made[0]?.grant_id,
      packageId: bundle?.packageId,
      audiences: request.audiences,
      singleUse: review.singleUse,
      createdAt: Date.now(),
      expiresAt: lastEnd(made),
      revokedAt: undefined,
    })
    return authorizationId
  }
}

/** A client that no longer says that answers may go there is not sent one, whatever it said when it asked. */
function requireRegistered({ metadata }: Client, redirectUri: string | undefined): void {
  if (redirectUri === undefined || metadata.redirect_uris.some((known) => sameTarget(known, redirectUri))) return
  throw new PdppError(
    'invalid_request',
    'The application no longer accepts an answer at the address that it asked from.',
    {
      nextStep: 'Start again from the application that wants to connect.',
    },
  )
}

/** RFC 8252 section 7.3: the port of a loopback address is chosen anew each time. */
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
  return new PdppError('not_found', 'This request has expired or is already decided.', {
    nextStep: 'Start again from the application that wants to connect.',
  })
}

function decided(): PdppError {
  return new PdppError('approval_conflict', 'This request is already decided.', {
    nextStep: 'Nothing is left to do; your grants show what was decided.',
  })
}
