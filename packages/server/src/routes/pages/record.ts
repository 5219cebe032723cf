import { parseResultId } from '@pdpp/protocol'
import type { Handler } from 'hono'
import type { Context } from '../../context.ts'
import type { HttpEnvironment } from '../../http/environment.ts'
import { recordPage } from '../../pages/record-page.ts'
import { sendPage } from '../../pages/send.ts'

/** GET /r/{id}: where the `url` of a record or hit leads (point 25), for the owner. */
export function showRecord(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const { connectionId, stream, recordKey } = parseResultId(c.req.param('id')!)
    const authority = { kind: 'owner', subjectId: c.get('authority').subjectId } as const
    const scope = await context.records.scope(authority, { stream, connectionId })
    const record = await context.records.find(scope, recordKey)
    const connection = await context.connections.require(authority.subjectId, record.connectionId)
    const { display } = await context.sources.requireDeclaration(authority.subjectId, scope.connectorKey)
    const source = { connection, name: display?.name ?? scope.connectorKey }
    return sendPage(c, recordPage({ visitor: c.get('visitor'), scope, record, source }))
  }
}
