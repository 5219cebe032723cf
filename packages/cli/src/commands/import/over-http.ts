import { setTimeout as sleep } from 'node:timers/promises'
import type { Destination, IngestResult } from '@pdpp/importers'
import type { IngestReply, SourceDeclaration } from '@pdpp/protocol'
import { type OwnerApi, ServerRefusal } from '../../provider/owner-api.ts'
import { blobsOverHttp } from './blobs-over-http.ts'

const BUSY = 503
const PAUSES_MS = [500, 2000, 5000]

interface WireConnection {
  readonly connection_id: string
  readonly connector_key: string
  readonly display_name?: string
}

/** Sends records to the owner's routes, as NDJSON. `run` returns the id of the import that they belong to. */
export function overHttp(api: OwnerApi, run: () => Promise<string | undefined>): Destination {
  const named = async (path: string) => {
    const id = await run()
    return id === undefined ? path : `${path}?${new URLSearchParams({ run_id: id })}`
  }
  return {
    ...blobsOverHttp(api),
    sources: async () => {
      const { data } = await api.request<{ data: { connector_key: string }[] }>('GET', '/v1/connectors')
      return Promise.all(
        data.map(({ connector_key: key }) =>
          api.request<SourceDeclaration>('GET', `/connectors/${encodeURIComponent(key)}`),
        ),
      )
    },
    declare: async (declaration) => {
      await api.request('POST', await named('/connectors'), declaration)
    },
    connections: async () => {
      const { data } = await api.request<{ data: WireConnection[] }>('GET', '/v1/owner/connections')
      return data.map(({ connection_id: connectionId, connector_key: connectorKey, display_name: displayName }) => ({
        connectionId,
        connectorKey,
        displayName,
      }))
    },
    connect: async ({ connectorKey, connectionId, displayName }) => {
      const created = await api.request<WireConnection>('POST', await named('/v1/owner/connections'), {
        connector_key: connectorKey,
        display_name: displayName,
        ...(connectionId === undefined ? {} : { connection_id: connectionId }),
      })
      return created.connection_id
    },
    recordCounts: async (connectionId) => {
      const { data } = await api.request<{ data: { name: string; record_count: number }[] }>(
        'GET',
        `/v1/streams?connection_id=${encodeURIComponent(connectionId)}`,
      )
      return new Map(data.map(({ name, record_count: count }) => [name, count]))
    },
    ingest: async ({ connectorKey, connectionId, stream }, rows) => {
      const target = new URLSearchParams({ connector_id: connectorKey, connection_id: connectionId })
      const id = await run()
      if (id !== undefined) target.set('run_id', id)
      const path = `/v1/ingest/${encodeURIComponent(stream)}?${target}`
      const body = rows.map((row) => JSON.stringify(row)).join('\n')
      const reply = await waitUpTo(() => api.request<IngestReply>('POST', path, body))
      return fromWireIngest(reply)
    },
  }
}

function fromWireIngest(reply: IngestReply): IngestResult {
  return {
    attempted: reply.records_attempted,
    accepted: reply.records_accepted,
    unchanged: reply.records_unchanged,
    rejected: reply.records_rejected,
    rejections: reply.rejections.map(({ input_index: index, message }) => ({ index, message })),
  }
}

/** Repeats a request if the server is busy. Repeating a batch changes nothing. */
async function waitUpTo<T>(work: () => Promise<T>): Promise<T> {
  for (const pause of PAUSES_MS) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ServerRefusal) || error.status !== BUSY) throw error
      await sleep(pause)
    }
  }
  return work()
}
