import type { Handler } from 'hono'
import type { Context } from '../../context.ts'
import type { HttpEnvironment } from '../environment.ts'
import { Query } from '../request/query.ts'
import { jsonBody } from './body.ts'

const DECLARATION_BYTES = 4_194_304

/** POST /connectors: declares a source or a newer version of it. Accepts the format of published manifests too. */
export function declareConnector(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const query = new Query(c.req.url, ['run_id'])
    const input = await jsonBody(c, DECLARATION_BYTES)
    const { subjectId } = c.get('authority')
    const importId = await context.imports.clientSide.find(subjectId, query.text('run_id'))
    const { connectorKey, outcome, warnings } = await context.sources.declare(subjectId, input, importId)
    const body = { object: 'connector', connector_key: connectorKey, connector_id: connectorKey, outcome, warnings }
    return c.json(body, outcome === 'created' ? 201 : 200)
  }
}

/** GET /connectors/{id} */
export function readConnector(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    new Query(c.req.url, [])
    return c.json(await context.sources.requireDeclaration(c.get('authority').subjectId, c.req.param('id')!))
  }
}

/** GET /connectors/{id}/warnings: the server's corrections of the latest declaration. */
export function readConnectorWarnings(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    new Query(c.req.url, [])
    const data = await context.sources.warnings(c.get('authority').subjectId, c.req.param('id')!)
    return c.json({ object: 'list', has_more: false, data })
  }
}
