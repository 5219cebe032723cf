import type { Handler } from 'hono'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import type { HttpEnvironment } from '../environment.ts'
import { Query } from '../request/query.ts'
import { parsedBody } from './body.ts'

const stateSchema = z.strictObject({ state: z.record(z.string(), z.unknown()) })

/** GET /v1/state/{connector} */
export function readState(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const query = new Query(c.req.url, ['connection_id'])
    const { subjectId } = c.get('authority')
    const { connector_key: connectorKey } = await context.sources.requireDeclaration(
      subjectId,
      c.req.param('connector')!,
    )
    const connection = await context.connections.choose(subjectId, connectorKey, query.connectionId)
    if (!connection) return c.json({ object: 'state', connection_id: null, state: {} })
    const { connectionId } = connection
    const state = await context.storage.syncState.read({ subjectId, connectorKey, connectionId })
    return c.json({ object: 'state', connection_id: connectionId, state })
  }
}

/** PUT /v1/state/{connector} */
export function writeState(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const key = await stateKey(context, c.get('authority').subjectId, c.req.param('connector')!, c.req.url)
    const { state } = await parsedBody(c, stateSchema)
    return c.json({
      object: 'state',
      connection_id: key.connectionId,
      state: await context.storage.syncState.merge(key, state),
    })
  }
}

async function stateKey(context: Context, subjectId: string, connector: string, url: string) {
  const query = new Query(url, ['connection_id'])
  const { connector_key: connectorKey } = await context.sources.requireDeclaration(subjectId, connector)
  const { connectionId } = await context.connections.forWrite(subjectId, connectorKey, query.connectionId)
  return { subjectId, connectorKey, connectionId }
}
