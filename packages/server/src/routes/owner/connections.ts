import type { Handler } from 'hono'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import type { Connection } from '../../sources/connections/connection-store.ts'
import type { HttpEnvironment } from '../environment.ts'
import { Query } from '../request/query.ts'
import { parsedBody } from './body.ts'

const createSchema = z.strictObject({
  connector_key: z.string(),
  display_name: z.string().optional(),
  connection_id: z.string().optional(),
})
const renameSchema = z.strictObject({ display_name: z.string().nullable() })

export function listConnections(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const query = new Query(c.req.url, ['connector_id'])
    const { subjectId } = c.get('authority')
    const connector = query.text('connector_id')
    const key =
      connector === undefined
        ? undefined
        : (await context.sources.requireDeclaration(subjectId, connector)).connector_key
    const connections = await context.storage.connections.list(subjectId, key)
    return c.json({ object: 'list', has_more: false, data: connections.map(toWire) })
  }
}

export function createConnection(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const query = new Query(c.req.url, ['run_id'])
    const body = await parsedBody(c, createSchema)
    const { subjectId } = c.get('authority')
    const newConnection = {
      connectorKey: body.connector_key,
      displayName: body.display_name,
      connectionId: body.connection_id,
    }
    const importId = await context.imports.clientSide.find(subjectId, query.text('run_id'))
    const connection = await context.connections.create(subjectId, newConnection, importId)
    return c.json(toWire(connection), 201)
  }
}

export function renameConnection(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const { display_name: name } = await parsedBody(c, renameSchema)
    return c.json(
      toWire(await context.connections.rename(c.get('authority').subjectId, c.req.param('id')!, name ?? undefined)),
    )
  }
}

/** Deletes a connection with all its records, their history and its sync state. */
export function deleteConnection(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    await context.connections.remove(c.get('authority').subjectId, c.req.param('id')!)
    return c.body(null, 204)
  }
}

function toWire(connection: Connection) {
  return {
    object: 'owner_connection',
    connection_id: connection.connectionId,
    connector_key: connection.connectorKey,
    display_name: connection.displayName ?? null,
    label_status: connection.displayName === undefined ? 'fallback' : 'owner_set',
    created_at: new Date(connection.createdAt).toISOString(),
    updated_at: new Date(connection.updatedAt).toISOString(),
  }
}
