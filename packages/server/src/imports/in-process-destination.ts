import type { Destination } from '@pdpp/importers'
import { blobId, PdppError, requireDeclaration } from '@pdpp/protocol'
import type { BlobService } from '../blobs/blob-service.ts'
import { mediaType, UNKNOWN_TYPE } from '../blobs/media-type.ts'
import type { IngestService } from '../ingest/ingest-service.ts'
import { abortSourceOf, RequestSignal } from '../lib/request-signal.ts'
import type { SettingStore } from '../lib/setting-store.ts'
import type { SchemaService } from '../schema/schema-service.ts'
import type { ConnectionService } from '../sources/connections/connection-service.ts'
import type { ConnectionStore } from '../sources/connections/connection-store.ts'
import type { SourceStore } from '../sources/declarations/source-store.ts'
import type { ImportStore } from './import-store.ts'

interface ImportStores extends SettingStore {
  readonly sources: SourceStore
  readonly connections: ConnectionStore
  readonly imports: ImportStore
}

export interface OwnServices {
  readonly stores: ImportStores
  readonly connections: ConnectionService
  readonly ingest: IngestService
  readonly blobs: BlobService
  readonly schema: SchemaService
}

/**
 * Writes records to this server, with the same checks as for a request. Everything that it writes belongs to one
 * import.
 */
export function ownDestination(services: OwnServices, subjectId: string, importId: string): Destination {
  const { stores, connections, ingest, blobs, schema } = services
  return {
    sources: () => stores.sources.list(subjectId),
    declare: async (declaration) => {
      await stores.sources.declare(subjectId, requireDeclaration(declaration), importId)
    },
    connections: async () =>
      (await stores.connections.list(subjectId)).map(({ connectionId, connectorKey, displayName }) => ({
        connectionId,
        connectorKey,
        displayName,
      })),
    connect: async (request) => (await connections.create(subjectId, request, importId)).connectionId,
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
    ingest: ({ connectorKey, connectionId, stream }, rows) => {
      const target = { subjectId, connectorKey, connectionId, stream }
      return ingest.ingestRows(target, rows, { importId })
    },
    hasBlob: async (connectionId, sha256) => {
      const signal = new RequestSignal(abortSourceOf(new AbortController().signal), LOOKUP_MS)
      try {
        await blobs.find([{ kind: 'owner', subjectId }], blobId(sha256), connectionId, signal)
        return true
      } catch (error) {
        if (error instanceof PdppError && error.code === 'blob_not_found') return false
        throw error
      }
    },
    putBlob: async ({ connectorKey, connectionId, stream, key }, blob) => {
      const target = { subjectId, connectorKey, connectionId, stream }
      const type = mediaType(blob.mimeType)
      const stored = await blobs.put(
        { ...target, key: typeof key === 'string' ? key : JSON.stringify(key), path: blob.path },
        {
          bytes: blob.open(),
          mimeType: type === UNKNOWN_TYPE ? undefined : type,
          declaredBytes: blob.sizeBytes,
        },
      )
      return stored.sha256
    },
  }
}

const LOOKUP_MS = 30_000
