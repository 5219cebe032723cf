import { PdppError, parseResultId } from '@pdpp/protocol'
import type { Handler } from 'hono'
import type { Context } from '../../context.ts'
import type { ReadAuthority } from '../../grants/authority.ts'
import type { HttpEnvironment } from '../../http/environment.ts'
import { recordPage } from '../../pages/record-page.ts'
import { sendPage } from '../../pages/send.ts'

/** GET /r/{id}: where the `url` of a record or hit leads (point 25), for the owner. */
export function showRecord(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const authority = { kind: 'owner', subjectId: c.get('authority').subjectId } as const
    const { scope, record } = await find(context, authority, c.req.param('id')!)
    const connection = await context.connections.require(authority.subjectId, record.connectionId)
    const { display } = await context.sources.requireDeclaration(authority.subjectId, scope.connectorKey)
    const source = { connection, name: display?.name ?? scope.connectorKey }
    return sendPage(c, recordPage({ visitor: c.get('visitor'), scope, record, source }))
  }
}

async function find(context: Context, authority: ReadAuthority, id: string) {
  const { connectionId, stream, recordKey } = parseResultId(id)
  try {
    const scope = await context.records.scope(authority, { stream, connectionId })
    return { scope, record: await context.records.find(scope, recordKey) }
  } catch (error) {
    // One answer for people, whichever part of the name leads nowhere.
    if (!(error instanceof PdppError) || error.status !== 404) throw error
    throw new PdppError('not_found', 'There is no such record. It may have been deleted since.')
  }
}
