import { type LackingAccess, PdppError } from '@pdpp/protocol'
import { newId } from '../../lib/ids.ts'
import type { SourceService } from '../../sources/declarations/source-service.ts'
import type { GrantService } from '../grant-service.ts'
import type { GrantStore, UseStore } from '../grant-store.ts'
import type { PackageService } from '../packages/package-service.ts'
import { type CurrentAccess, currentAccess } from './access.ts'
import type { WideningChoice } from './choice.ts'
import { draftWidening, type WideningDraft } from './draft.ts'
import { offerOf } from './offer.ts'
import type { WideningSubject } from './subject.ts'

interface WideningServices {
  readonly store: Pick<GrantStore, 'widen'>
  readonly receipts: UseStore
  readonly grants: GrantService
  readonly packages: PackageService
  readonly sources: SourceService
}

/**
 * Widens an access that keeps its tokens. It decides nothing itself: call `apply` only for a decision of the signed-in
 * owner, made on the page that showed the draft.
 */
export class WideningService {
  readonly #services: WideningServices

  constructor(services: WideningServices) {
    this.#services = services
  }

  current(subjectId: string, accessId: string): Promise<CurrentAccess | undefined> {
    return currentAccess(this.#services, subjectId, accessId)
  }

  /** Everything that can be added to an access. Undefined if it has ended. */
  async read(subjectId: string, accessId: string, lacks?: LackingAccess): Promise<WideningSubject | undefined> {
    const access = await this.current(subjectId, accessId)
    if (!access) return
    const { purpose_code, purpose_description, retention } = access.members[0]!.grant
    return {
      access,
      client: { id: access.clientId, name: access.clientName ?? access.clientId },
      purpose: { purposeCode: purpose_code, purposeDescription: purpose_description, retention },
      lacks,
      offer: offerOf(await this.#services.sources.all(subjectId), access, lacks),
    }
  }

  /** Everything that a new agent could get. */
  async readNew(subjectId: string, name: string, purposeCode: string): Promise<WideningSubject> {
    const offer = offerOf(await this.#services.sources.all(subjectId), undefined)
    return { access: undefined, client: { id: undefined, name }, purpose: { purposeCode }, lacks: undefined, offer }
  }

  draft(subjectId: string, subject: WideningSubject, choice: WideningChoice): Promise<WideningDraft> {
    return draftWidening(this.#services.grants, subjectId, subject, choice)
  }

  /**
   * Applies the drafted change. The existing tokens can use it from their next request on. Returns the changed access.
   */
  async apply(subjectId: string, { access }: WideningSubject, draft: WideningDraft): Promise<CurrentAccess> {
    if (!access || draft.problems.length > 0 || draft.replaced.length + draft.added.length === 0)
      throw new PdppError('invalid_argument', draft.problems[0] ?? 'Tick at least one thing.')
    const added = draft.added.map(({ grant }) => grant)
    const becomes = { packageId: newId('pkg'), clientId: access.clientId, clientName: access.clientName }
    const done = await this.#services.store.widen(
      subjectId,
      {
        of: access.kind === 'grant' ? { grantId: access.id } : { packageId: access.id },
        had: access.members.map(({ grant }) => grant.grant_id),
        replaced: draft.replaced,
        added,
        becomes: draft.becomesPackage ? becomes : undefined,
      },
      Date.now(),
    )
    if (done)
      for (const { grantId, grant } of draft.replaced)
        await this.#services.receipts.passUse(subjectId, grantId, grant.grant_id)
    const now = done ? await this.current(subjectId, draft.becomesPackage ? becomes.packageId : access.id) : undefined
    if (now) return now
    throw new PdppError('approval_conflict', 'This access was changed meanwhile. Nothing was added.')
  }
}
