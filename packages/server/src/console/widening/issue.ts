import type { Grant } from '@pdpp/protocol'
import type { Context } from '../../context.ts'
import type { GrantRequest } from '../../grants/grant-service.ts'

/** Creates one grant, or a package of several, with a token. Creates all of them or none. */
export const issueAccess = (context: Context, subjectId: string, requests: readonly GrantRequest[]) =>
  requests.length === 1 ? issueOne(context, subjectId, requests[0]!) : issueAll(context, subjectId, requests)

async function issueOne(context: Context, subjectId: string, request: GrantRequest) {
  const { grant, token } = await context.issuer.grant(subjectId, request)
  return { accessToken: token.accessToken, grants: [grant], path: `/agents/grants/${grant.grant_id}` }
}

async function issueAll(context: Context, subjectId: string, requests: readonly GrantRequest[]) {
  const grants: Grant[] = []
  try {
    for (const request of requests) grants.push(await context.grants.create(subjectId, request))
    const grantIds = grants.map(({ grant_id: id }) => id)
    const made = await context.issuer.package(subjectId, { grantIds, clientName: requests[0]!.clientName })
    return { accessToken: made.token.accessToken, grants, path: `/agents/packages/${made.package.packageId}` }
  } catch (error) {
    for (const { grant_id: id } of grants) await context.grants.revoke(subjectId, id)
    throw error
  }
}
