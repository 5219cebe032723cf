import { PdppError } from '@pdpp/protocol'
import type { Context } from '../../context.ts'
import type { Authority, ReadAuthority } from '../../grants/authority.ts'
import { memberOf } from '../../grants/packages/choose-member.ts'
import { packageAuthority } from '../../grants/packages/package-authority.ts'
import { grantRefusal } from '../../grants/refusal.ts'
import type { Http } from '../../routes/environment.ts'
import type { ViewedAs } from './view-as-banner.ts'

export interface ViewAs {
  readonly authority: Authority
  /** The agent whose view the owner is looking at; undefined for the owner's own view. */
  readonly as: ViewedAs | undefined
}

/**
 * The authority for reading a page: the owner's, or exactly that of a grant or package (`as`). Writes no receipt,
 * because the owner is the one who reads.
 */
export async function resolveViewAs(context: Context, c: Http, as: string | undefined): Promise<ViewAs> {
  const { subjectId } = c.get('authority')
  if (as === undefined) return { authority: { kind: 'owner', subjectId }, as: undefined }
  if (as.startsWith('pkg_')) {
    const found = await context.packages.require(subjectId, as)
    const authority = packageAuthority(subjectId, found, Date.now())
    if (authority instanceof PdppError) throw nothingVisible(authority.code)
    return { authority, as: { id: as, kind: 'package', name: found.clientName ?? found.clientId } }
  }
  const stored = await context.grants.current(subjectId, as)
  const refusal = grantRefusal(stored, Date.now())
  if (refusal) throw nothingVisible(refusal.code)
  const { grant } = stored
  const { client_id: clientId, client_display: display } = grant.client
  return {
    authority: { kind: 'client', subjectId, clientId, grant },
    as: { id: grant.grant_id, kind: 'grant', name: display?.name ?? clientId },
  }
}

/** A message for the owner. The standard message tells an agent to ask the owner. */
function nothingVisible(code: PdppError['code']): PdppError {
  const why = { grant_paused: 'is paused', grant_expired: 'has ended', grant_revoked: 'is revoked' }[code as string]
  return new PdppError(code, `This agent sees nothing: its access ${why ?? 'is revoked, has ended or is paused'}.`, {
    nextStep: 'Its page under Agents shows what it could read, and lets you resume paused access.',
  })
}

/** The authority for one connection. In a package, that of the member that includes it. */
export function authorityFor(authority: Authority, connectionId: string): ReadAuthority {
  return authority.kind === 'package' ? memberOf(authority, connectionId) : authority
}
