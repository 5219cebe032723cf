import { PdppError } from '@pdpp/protocol'
import type { Handler } from 'hono'
import { blobNotFound } from '../../blobs/blob-service.ts'
import type { Context } from '../../context.ts'
import type { Authority, ReadAuthority } from '../../grants/authority.ts'
import { authoritiesFor } from '../../grants/packages/choose-member.ts'
import type { HttpEnvironment } from '../environment.ts'
import { Query } from '../request/query.ts'
import { sendBlob } from '../response/blob-response.ts'

const PARAMETERS = ['connection_id']

/** GET /v1/blobs/{blob} */
export function readBlob(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const query = new Query(c.req.url, PARAMETERS)
    const { connectionId } = query
    for (const { code, param } of query.warnings) c.header('PDPP-Warning', `${code}: ${param}`)
    const authorities = authoritiesIn(c.get('authority'), connectionId)
    const found = await context.blobs.find(authorities, c.req.param('blob')!, connectionId, c.get('signal'))
    if (found.authority.kind === 'client') c.set('grantsRead', [found.authority.grant.grant_id])
    return sendBlob(c, found, { idleMs: context.requestMs })
  }
}

/** Answers "blob not found" for a connection outside the grant, so that it does not reveal whether one exists. */
function authoritiesIn(authority: Authority, connectionId: string | undefined): readonly ReadAuthority[] {
  try {
    return authoritiesFor(authority, connectionId)
  } catch (error) {
    throw error instanceof PdppError && error.status === 404 ? blobNotFound() : error
  }
}
