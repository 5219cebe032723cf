import { blobPaths, blobReferences, declaredFields, PdppError, parseBlobId, parseJson } from '@pdpp/protocol'
import type { ReadAuthority } from '../grants/authority.ts'
import { enforce, visibleStreams } from '../grants/enforce.ts'
import { includesField, type ReadScope } from '../grants/read-scope.ts'
import { type VisibleSource, visibleSources } from '../grants/visible-sources.ts'
import type { RequestSignal } from '../lib/request-signal.ts'
import type { RecordReader } from '../records/record-store.ts'
import type { ConnectionStore } from '../sources/connections/connection-store.ts'
import { candidate, type SourceService } from '../sources/declarations/source-service.ts'
import type { BlobStore, BlobTarget, BlobUpload, ReferredBlob, StoredBlob } from './blob-store.ts'
import { safeFileName } from './file-name.ts'
import { mediaType, UNKNOWN_TYPE } from './media-type.ts'

export interface BlobStores {
  readonly blobs: BlobStore
  readonly connections: ConnectionStore
  readonly records: RecordReader
}

/** A blob that the reader may get, because a readable record refers to it. */
export interface FoundBlob {
  readonly authority: ReadAuthority
  /** Includes only the fields that were used, which the receipt lists. */
  readonly scope: ReadScope
  readonly referred: ReferredBlob
  readonly mimeType: string
  readonly fileName: string
}

/** Usual names of fields that contain a file name. */
const NAME_FIELDS = ['filename', 'file_name']

export class BlobService {
  readonly #stores: BlobStores
  readonly #sources: SourceService
  readonly #maxBytes: number

  constructor(storage: BlobStores, sources: SourceService, maxBytes: number) {
    this.#stores = storage
    this.#sources = sources
    this.#maxBytes = maxBytes
  }

  put(target: BlobTarget, upload: Omit<BlobUpload, 'maxBytes'>): Promise<StoredBlob> {
    return this.#stores.blobs.put(target, { ...upload, maxBytes: this.#maxBytes })
  }

  /**
   * Searches only through readable records. A blob in a hidden field, in another connection or outside the granted time
   * gets the same error as a blob that does not exist.
   */
  async find(
    authorities: readonly ReadAuthority[],
    id: string,
    connectionId: string | undefined,
    signal: RequestSignal,
  ): Promise<FoundBlob> {
    const sha256 = parseBlobId(id)
    const found = sha256 === undefined ? [] : await this.#search(authorities, sha256, connectionId, signal)
    const connections = [...new Set(found.map(({ referred }) => referred.record.connectionId))]
    if (connections.length === 1) return found[0]!
    if (connections.length === 0) throw blobNotFound()
    const named = await this.#stores.connections.list(authorities[0]!.subjectId)
    throw new PdppError('ambiguous_connection', `${connections.length} connections have this blob.`, {
      param: 'connection_id',
      retryWith: 'connection_id',
      candidates: found.flatMap(({ authority, referred }) => {
        const connection = named.find((each) => each.connectionId === referred.record.connectionId)
        return connection ? [candidate(connection, authority.kind === 'client' ? authority.grant.grant_id : null)] : []
      }),
    })
  }

  /** The blob that a readable record refers to at `path`. */
  async ofRecord(authority: ReadAuthority, scope: ReadScope, key: string, path: string): Promise<FoundBlob> {
    const record = (await this.#stores.records.find(scope, key))[0]
    const data = record ? (parseJson(record.json) as Record<string, unknown>) : {}
    const reference = blobReferences(blobPaths(scope.stream), data).find((each) => each.path === path)
    const sha256 = reference && parseBlobId(String(reference.members['blob_id']))
    const referring = sha256 === undefined ? [] : await this.#stores.blobs.referring(scope, sha256)
    const referred = referring.find((each) => each.record.connectionId === record?.connectionId)
    if (!record || !referred) throw blobNotFound()
    return described(authority, scope, { ...referred, record, path })
  }

  async #search(
    authorities: readonly ReadAuthority[],
    sha256: string,
    connectionId: string | undefined,
    signal: RequestSignal,
  ): Promise<FoundBlob[]> {
    const found: FoundBlob[] = []
    for (const source of await visibleSources(this.#sources, authorities)) {
      if (connectionId !== undefined && !source.connections.includes(connectionId)) continue
      for (const { name } of visibleStreams(source.authority, source.declaration)) {
        const scope = blobScope(source, name, connectionId)
        if (!scope) continue
        await signal.yieldIfDue()
        for (const referred of await this.#stores.blobs.referring(scope, sha256)) {
          const { authority } = source
          const { connectionId } = referred.record
          const used = usedFields(scope, referred)
          // The declaration may have changed since the reference was stored.
          if (used === undefined) continue
          found.push(described(authority, enforce(authority, source, name, { connectionId, fields: used }), referred))
        }
      }
    }
    return found
  }
}

/** Scope with the granted fields of a stream that refer to blobs or contain file names. */
function blobScope(source: VisibleSource, stream: string, connectionId: string | undefined): ReadScope | undefined {
  const scope = enforce(source.authority, source, stream)
  const fields = [...new Set(blobPaths(scope.stream).map(([field]) => field!))].filter((field) =>
    includesField(scope.usable, field),
  )
  if (fields.length === 0 || (connectionId !== undefined && !scope.connections.includes(connectionId))) return
  const names = nameFields(scope)
  return enforce(source.authority, source, stream, { connectionId, fields: [...fields, ...names] })
}

function nameFields({ stream, usable }: ReadScope): string[] {
  const declared = declaredFields(stream)
  return NAME_FIELDS.filter((name) => declared.get(name) === 'string' && includesField(usable, name))
}

function usedFields(scope: ReadScope, { record, path }: ReferredBlob): string[] | undefined {
  const data = parseJson(record.json) as Record<string, unknown>
  const field = blobReferences(blobPaths(scope.stream), data).find((each) => each.path === path)?.field
  if (field === undefined) return
  return [field, ...nameFields(scope).filter((name) => typeof data[name] === 'string')]
}

function described(authority: ReadAuthority, scope: ReadScope, referred: ReferredBlob): FoundBlob {
  const data = parseJson(referred.record.json) as Record<string, unknown>
  const reference = blobReferences(blobPaths(scope.stream), data).find(({ path }) => path === referred.path)?.members
  const recordType = mediaType(reference?.['mime_type'])
  const mimeType = recordType === UNKNOWN_TYPE ? mediaType(referred.blob.mimeType) : recordType
  const names = [...NAME_FIELDS.map((name) => reference?.[name]), ...nameFields(scope).map((name) => data[name])]
  const recordName = names.find((name): name is string => typeof name === 'string')
  const fileName = safeFileName(recordName, `blob-${referred.blob.sha256.slice(0, 12)}`, mimeType)
  return { authority, scope, referred, mimeType, fileName }
}

export function blobNotFound(): PdppError {
  return new PdppError('blob_not_found', 'There is no such blob for this token.', { param: 'blob_id' })
}
