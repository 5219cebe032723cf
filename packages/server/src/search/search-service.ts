import { createHash } from 'node:crypto'
import { type CursorSealer, PdppError, type Warning } from '@pdpp/protocol'
import type { Connection } from '../connections/connection-store.ts'
import type { FieldCondition, FilterParameter } from '../filters/filter.ts'
import { resolveFilter } from '../filters/filter.ts'
import { type Authority, type ClientAuthority, holderOf } from '../grants/authority.ts'
import { enforce, requireUsable, streamNotGranted, visibleStreams } from '../grants/enforce.ts'
import { includesField, type ReadScope } from '../grants/read-scope.ts'
import type { Caller } from '../lib/caller.ts'
import { readersFor, refusalOf, unavailable } from '../packages/choose-member.ts'
import type { Walk } from '../records/walk.ts'
import type { ReaderSource, SourceService } from '../sources/source-service.ts'
import type { Storage } from '../storage/contract.ts'
import { fieldNamed, namesIn } from './query.ts'
import type { FoundRecord, RankedRecord, SearchOutcome, SearchTarget } from './search-store.ts'

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

export class SearchService {
  readonly #storage: Storage
  readonly #sources: SourceService
  readonly #cursors: CursorSealer

  constructor(storage: Storage, sources: SourceService, cursors: CursorSealer) {
    this.#storage = storage
    this.#sources = sources
    this.#cursors = cursors
  }

  async search(
    authority: Authority,
    request: SearchRequest,
    warnings: Warning[],
    caller?: Caller,
  ): Promise<SearchAnswer> {
    const sources = await this.#sources.visible(readersFor(authority, request.connectionId))
    const targets = this.#targets(authority, sources, request, warnings)
    const outcome = await this.#storage.search.search(targets, request.text, caller)
    const binding = cursorBinding(authority, request)
    const digest = rankingDigest(outcome.found)
    const offset = request.cursor === undefined ? 0 : this.#offset(binding, request.cursor, digest)
    const shown = outcome.found.slice(offset, offset + request.limit)
    const position = ({ target, number }: FoundRecord) =>
      offset + shown.findIndex((ranked) => ranked.number === number && ranked.target === target) + 1
    return {
      outcome,
      targets,
      names: new Map(
        sources.flatMap(({ named }) => named.map((connection) => [connection.connectionId, connection] as const)),
      ),
      walk: {
        rows: outcome.read(shown),
        hasMore: offset + shown.length < outcome.found.length,
        cursorAfter: (row) => this.#cursors.seal(binding, [digest, position(row)]),
      },
    }
  }

  count(targets: readonly SearchTarget[], text: string, caller: Caller): Promise<number> {
    return this.#storage.search.count(targets, text, caller)
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
    sources: readonly ReaderSource[],
    request: SearchRequest,
    warnings: Warning[],
  ): SearchTarget[] {
    const known = sources.flatMap((source) =>
      visibleStreams(source.reader, source.declaration).map(({ name }) => ({ source, name })),
    )
    const missing = request.streams?.find((asked) => !known.some(({ name }) => name === asked))
    if (missing !== undefined) throw notSearchable(authority, sources, missing)
    const asked = (name: string) => request.streams === undefined || request.streams.includes(name)
    if (request.connectionId === undefined)
      warnings.push(...unavailable(authority, ({ streams }) => streams.some(({ name }) => asked(name))))
    // Each member is asked only for what is its own: one that has none of the streams is not read (003.16.3).
    const wanted = known.filter(({ name }) => asked(name))
    const scopes = wanted.flatMap(({ source, name }) => scopeOf(source, name, request.connectionId))
    if (request.connectionId !== undefined && scopes.length === 0) {
      throw new PdppError('connection_not_found', 'There is no such connection for this token.', {
        param: 'connection_id',
      })
    }
    requireGrantedNames(scopes, request.text)
    return scopes.flatMap((scope) => targetOf(scope, request, warnings))
  }
}

/** In the words of every such refusal; a stream that only an unusable member has is refused in that member's. */
function notSearchable(authority: Authority, sources: readonly ReaderSource[], name: string): PdppError {
  if (authority.kind === 'owner') return new PdppError('not_found', 'There is no such stream.', { param: 'streams' })
  const unusable =
    authority.kind === 'package'
      ? authority.unusable.find(({ grant }) => grant.streams.some((stream) => stream.name === name))
      : undefined
  if (unusable) return refusalOf(unusable)
  const grants = sources.map(({ reader }) => (reader as ClientAuthority).grant)
  return streamNotGranted(
    name,
    [...new Set(grants.flatMap((grant) => grant.streams.map((stream) => stream.name)))],
    'streams',
  )
}

function scopeOf(source: ReaderSource, name: string, connectionId: string | undefined): ReadScope[] {
  const scope = enforce(source.reader, source, name)
  if (connectionId === undefined) return [scope]
  return scope.connections.includes(connectionId) ? [enforce(source.reader, source, name, { connectionId })] : []
}

/** `field:word` in a field that is hidden wherever it is searched would find nothing, and seem to say that nothing is there. */
function requireGrantedNames(scopes: readonly ReadScope[], text: string): void {
  const searched = scopes.map((scope) => ({ scope, fields: scope.stream.query?.search?.lexical_fields ?? [] }))
  for (const name of namesIn(text)) {
    const named = searched.flatMap(({ scope, fields }) => {
      const field = fieldNamed(name, fields)
      return field === null ? [] : [{ scope, field }]
    })
    if (named.length === 0 || named.some(({ scope, field }) => includesField(scope.usable, field))) continue
    requireUsable(named[0]!.scope, named[0]!.field, 'q')
  }
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
  const conditions = filters.map(({ field, operator, value }) => [field, operator, value])
  return JSON.stringify([
    'search',
    authority.subjectId,
    holderOf(authority),
    text,
    streams,
    connectionId,
    conditions,
    since,
    until,
  ])
}

function rankingDigest(found: readonly RankedRecord[]): string {
  const hash = createHash('sha256')
  for (const { target, number } of found)
    hash.update(`${target.scope.connectorKey}/${target.scope.stream.name}/${number},`)
  return hash.digest('base64url').slice(0, 11)
}
