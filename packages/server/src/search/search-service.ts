import { createHash } from 'node:crypto'
import { type CursorSealer, PdppError, type Warning } from '@pdpp/protocol'
import type { Connection } from '../connections/connection-store.ts'
import type { FieldCondition, FilterParameter } from '../filters/filter.ts'
import { resolveFilter } from '../filters/filter.ts'
import type { Authority } from '../grants/authority.ts'
import { type DeclaredSource, enforce, visibleStreams } from '../grants/enforce.ts'
import { includesField, type ReadScope } from '../grants/read-scope.ts'
import type { Walk } from '../records/walk.ts'
import type { SourceService } from '../sources/source-service.ts'
import type { Storage } from '../storage/contract.ts'
import type { FoundRecord, SearchOutcome, SearchTarget } from './search-store.ts'

export interface SearchRequest {
  readonly text: string
  readonly streams: readonly string[] | undefined
  readonly connectionId: string | undefined
  readonly filters: readonly FilterParameter[]
  readonly since: string | undefined
  readonly until: string | undefined
  readonly limit: number
  readonly cursor: string | undefined
}

export interface SearchAnswer {
  readonly outcome: SearchOutcome
  readonly targets: readonly SearchTarget[]
  readonly walk: Walk<FoundRecord>
  /** Names of connections and sources, for labels. */
  readonly names: ReadonlyMap<string, Connection>
}

type Source = DeclaredSource & { readonly named: readonly Connection[] }

export class SearchService {
  readonly #storage: Storage
  readonly #sources: SourceService
  readonly #cursors: CursorSealer

  constructor(storage: Storage, sources: SourceService, cursors: CursorSealer) {
    this.#storage = storage
    this.#sources = sources
    this.#cursors = cursors
  }

  async search(authority: Authority, request: SearchRequest, warnings: Warning[]): Promise<SearchAnswer> {
    const sources = await this.#sources.visible(authority)
    const targets = this.#targets(authority, sources, request, warnings)
    const outcome = await this.#storage.search.search(targets, request.text)
    const binding = cursorBinding(authority, request)
    const digest = rankingDigest(outcome.found)
    const offset = request.cursor === undefined ? 0 : this.#offset(binding, request.cursor, digest)
    const rows = outcome.found.slice(offset, offset + request.limit)
    const position = (row: FoundRecord) => offset + rows.indexOf(row) + 1
    return {
      outcome,
      targets,
      names: new Map(
        sources.flatMap(({ named }) => named.map((connection) => [connection.connectionId, connection] as const)),
      ),
      walk: {
        rows,
        hasMore: offset + rows.length < outcome.found.length,
        cursorAfter: (row) => this.#cursors.seal(binding, [digest, position(row)]),
      },
    }
  }

  count(targets: readonly SearchTarget[], text: string): Promise<number> {
    return this.#storage.search.count(targets, text)
  }

  /** The ranking is made again for each page; where it came out otherwise, the old page's end means nothing. */
  #offset(binding: string, cursor: string, digest: string): number {
    const [known, offset] = this.#cursors.open(binding, cursor) as [string, number]
    if (known === digest) return offset
    throw new PdppError('cursor_expired', 'What is searched has changed since that page.', {
      param: 'cursor',
      nextStep: 'Send the same search again without the cursor.',
    })
  }

  #targets(
    authority: Authority,
    sources: readonly Source[],
    request: SearchRequest,
    warnings: Warning[],
  ): SearchTarget[] {
    const known = sources.flatMap((source) =>
      visibleStreams(authority, source.declaration).map(({ name }) => ({ source, name })),
    )
    for (const name of request.streams ?? [])
      requireStream(
        authority,
        sources,
        known.some((entry) => entry.name === name),
        name,
      )
    const wanted = known.filter(({ name }) => request.streams === undefined || request.streams.includes(name))
    const scopes = wanted.flatMap(({ source, name }) => scopeOf(authority, source, name, request.connectionId))
    if (request.connectionId !== undefined && scopes.length === 0) {
      throw new PdppError('connection_not_found', 'There is no such connection for this token.', {
        param: 'connection_id',
      })
    }
    return scopes.flatMap((scope) => targetOf(scope, request, warnings))
  }
}

function requireStream(authority: Authority, sources: readonly Source[], known: boolean, name: string): void {
  if (known) return
  const [source] = sources
  // Decided where every such refusal is, so that the words are the same.
  if (authority.kind === 'client' && source) {
    try {
      enforce(authority, source, name)
    } catch (error) {
      if (error instanceof PdppError)
        throw new PdppError(error.code, error.message, { ...error.detail, param: 'streams' })
      throw error
    }
  }
  throw new PdppError('not_found', 'There is no such stream.', { param: 'streams' })
}

function scopeOf(authority: Authority, source: Source, name: string, connectionId: string | undefined): ReadScope[] {
  const scope = enforce(authority, source, name)
  if (connectionId === undefined) return [scope]
  return scope.connections.includes(connectionId) ? [enforce(authority, source, name, { connectionId })] : []
}

function targetOf(scope: ReadScope, request: SearchRequest, warnings: Warning[]): SearchTarget[] {
  const declared = scope.stream.query?.search?.lexical_fields ?? []
  const fields = declared.filter((field) => includesField(scope.usable, field))
  const time = scope.stream.consent_time_field
  if ((request.since !== undefined || request.until !== undefined) && time == null) {
    const message = `The stream "${scope.stream.name}" has no time, so since and until leave it out.`
    warnings.push({ code: 'source_skipped_not_applicable', message, detail: { stream: scope.stream.name } })
    return []
  }
  const conditions = resolveFilter(scope, [...request.filters, ...timeFilters(request, time)], warnings)
  return fields.length === 0 ? [] : [{ scope, fields, conditions: conditions as FieldCondition[] }]
}

function timeFilters({ since, until }: SearchRequest, field: string | null | undefined): FilterParameter[] {
  if (field == null) return []
  return [
    ...(since === undefined ? [] : [{ field, operator: 'gte', value: since, param: 'since' }]),
    ...(until === undefined ? [] : [{ field, operator: 'lt', value: until, param: 'until' }]),
  ]
}

function cursorBinding(authority: Authority, request: SearchRequest): string {
  const { text, streams = null, connectionId = null, filters, since = null, until = null } = request
  const holder = authority.kind === 'owner' ? 'owner' : authority.grant.grant_id
  const conditions = filters.map(({ field, operator, value }) => [field, operator, value])
  return JSON.stringify(['search', authority.subjectId, holder, text, streams, connectionId, conditions, since, until])
}

function rankingDigest(found: readonly FoundRecord[]): string {
  const hash = createHash('sha256')
  for (const { target, number } of found)
    hash.update(`${target.scope.connectorKey}/${target.scope.stream.name}/${number},`)
  return hash.digest('base64url').slice(0, 11)
}
