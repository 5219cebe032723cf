import { requireDeclaration } from '@pdpp/protocol'
import { type Context, OWNER } from './context.ts'

export interface DemoResult {
  readonly records: number
  readonly connections: number
}

/** Loads the invented owner's year through the same door as any other data. Safe to repeat. */
export async function loadDemo(context: Context): Promise<DemoResult> {
  const { demoConnections, demoRecords, demoSources } = await import('@pdpp/demo')
  for (const source of demoSources) await context.storage.sources.declare(OWNER, requireDeclaration(source))
  for (const connection of demoConnections) {
    if (await context.storage.connections.find(OWNER, connection.connection_id)) continue
    await context.connections.create(OWNER, {
      connectorKey: connection.connector_key,
      connectionId: connection.connection_id,
      displayName: connection.display_name,
    })
  }
  let records = 0
  for (const { connectionId, stream, rows } of batches(demoRecords())) {
    const connectorKey = demoConnections.find((connection) => connection.connection_id === connectionId)!.connector_key
    const reply = await context.ingest.ingestRows({ subjectId: OWNER, connectorKey, connectionId, stream }, rows)
    if (reply.records_rejected > 0)
      throw new Error(
        `The demo data of ${connectionId}/${stream} does not fit its declaration: ${JSON.stringify(reply.rejections[0])}`,
      )
    records += reply.records_attempted
  }
  return { records, connections: demoConnections.length }
}

/** Whether anything is here that a demo would sit beside. */
export async function isEmpty(context: Context): Promise<boolean> {
  return (await context.storage.sources.list(OWNER)).length === 0
}

interface DemoRecord {
  readonly connection_id: string
  readonly stream: string
  readonly key: string | readonly string[]
  readonly data: Record<string, unknown>
  readonly emitted_at: string
}

/** Records of one feed come one after another; each run of them is one batch. */
function* batches(records: Iterable<DemoRecord>) {
  let current: { connectionId: string; stream: string; rows: Record<string, unknown>[] } | undefined
  for (const { connection_id: connectionId, stream, ...row } of records) {
    if (current && (current.connectionId !== connectionId || current.stream !== stream)) {
      yield current
      current = undefined
    }
    current ??= { connectionId, stream, rows: [] }
    current.rows.push(row)
  }
  if (current) yield current
}
