import type { Destination } from '@pdpp/importers'
import { requireDeclaration } from '@pdpp/protocol'
import type { ConnectionService } from '../connections/connection-service.ts'
import type { IngestService } from '../ingest/ingest-service.ts'
import type { SchemaService } from '../schema/schema-service.ts'
import type { Storage } from '../storage/contract.ts'

export interface OwnServices {
  readonly storage: Storage
  readonly connections: ConnectionService
  readonly ingest: IngestService
  readonly schema: SchemaService
}

/** This server as the place that records go to, by the same checks as anybody's request; what it writes is one import's. */
export function ownDestination(services: OwnServices, subjectId: string, importId: string): Destination {
  const { storage, connections, ingest, schema } = services
  return {
    sources: () => storage.sources.list(subjectId),
    declare: async (declaration) => {
      await storage.sources.declare(subjectId, requireDeclaration(declaration))
    },
    connections: async () =>
      (await storage.connections.list(subjectId)).map(({ connectionId, connectorKey }) => ({
        connectionId,
        connectorKey,
      })),
    connect: async (request) => (await connections.create(subjectId, request)).connectionId,
    recordCounts: async (connectionId) => {
      const sources = await schema.read([{ kind: 'owner', subjectId }], { connectionId })
      const counts = sources.flatMap(({ streams }) =>
        streams.map(({ declaration, statistics }): [string, number] => [
          declaration.name,
          statistics.find((one) => one.connectionId === connectionId)?.count ?? 0,
        ]),
      )
      return new Map(counts)
    },
    ingest: ({ connectorKey, connectionId, stream }, lines) => {
      const target = { subjectId, connectorKey, connectionId, stream }
      return ingest.ingest(target, bytesOf(lines), { importId, gently: true })
    },
  }
}

async function* bytesOf(lines: readonly string[]): AsyncIterable<Uint8Array> {
  yield Buffer.from(lines.join('\n'))
}
