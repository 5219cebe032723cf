import { PdppError, type Warning } from '@pdpp/protocol'
import type { Authority, ClientAuthority } from '../../grants/authority.ts'
import { enforce, requireUsable, streamNotGranted, visibleStreams } from '../../grants/enforce.ts'
import { refusalOf, unavailable } from '../../grants/packages/choose-member.ts'
import { includesField, type ReadScope } from '../../grants/read-scope.ts'
import type { VisibleSource } from '../../grants/visible-sources.ts'
import { type FilterParameter, resolveFilter } from '../../records/filter.ts'
import type { SearchedStream } from '../search-store.ts'
import { fieldNamed, namesIn } from './query.ts'

export interface SearchRequest {
  readonly text: string
  readonly streams: readonly string[] | undefined
  readonly connectionId: string | undefined
  readonly filters: readonly FilterParameter[]
  readonly since: string | undefined
  readonly until: string | undefined
  readonly limit: number
  readonly cursor: string | undefined
  /** Whether it is to be told how many match. */
  readonly counted?: boolean
}

/** The streams to search, each under its own scope and with the request's conditions. */
export function searchTargets(
  authority: Authority,
  sources: readonly VisibleSource[],
  request: SearchRequest,
  warnings: Warning[],
): SearchedStream[] {
  const known = sources.flatMap((source) =>
    visibleStreams(source.authority, source.declaration).map(({ name }) => ({ source, name })),
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
    const others = known.filter(({ source, name }) => scopeOf(source, name, request.connectionId).length > 0)
    throw notThere(
      authority,
      request.streams,
      others.map(({ name }) => name),
    )
  }
  requireGrantedNames(scopes, request.text)
  return targetsInTime(scopes, request, warnings)
}

/** In the words of every such refusal; a stream that only an unusable member has is refused in that member's. */
function notSearchable(authority: Authority, sources: readonly VisibleSource[], name: string): PdppError {
  if (authority.kind === 'owner') return new PdppError('not_found', 'There is no such stream.', { param: 'streams' })
  const unusable =
    authority.kind === 'package'
      ? authority.unusable.find(({ grant }) => grant.streams.some((stream) => stream.name === name))
      : undefined
  if (unusable) return refusalOf(unusable)
  const grants = sources.map(({ authority }) => (authority as ClientAuthority).grant)
  return streamNotGranted(
    name,
    [...new Set(grants.flatMap((grant) => grant.streams.map((stream) => stream.name)))],
    'streams',
  )
}

/** A connection in reach that has other streams is not said to be missing. */
function notThere(authority: Authority, streams: readonly string[] | undefined, others: readonly string[]): PdppError {
  if (others.length === 0) {
    const message = 'There is no such connection for this token.'
    return new PdppError('connection_not_found', message, { param: 'connection_id' })
  }
  if (authority.kind !== 'owner') return streamNotGranted(streams![0]!, others, 'streams')
  const message = `The connection has no stream "${streams![0]}". It has: ${others.join(', ')}.`
  return new PdppError('not_found', message, { param: 'streams' })
}

function scopeOf(source: VisibleSource, name: string, connectionId: string | undefined): ReadScope[] {
  const scope = enforce(source.authority, source, name)
  if (connectionId === undefined) return [scope]
  return scope.connections.includes(connectionId) ? [enforce(source.authority, source, name, { connectionId })] : []
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

/** A stream that is granted for another time is left out, and said; only where none remains is the search refused. */
function targetsInTime(scopes: readonly ReadScope[], request: SearchRequest, warnings: Warning[]): SearchedStream[] {
  const targets: SearchedStream[] = []
  let outside: PdppError | undefined
  for (const scope of scopes) {
    try {
      targets.push(...targetOf(scope, request, warnings))
    } catch (error) {
      if (!(error instanceof PdppError) || error.code !== 'grant_time_range_exceeded') throw error
      outside ??= error
      warnings.push(skipped(scope, `was left out. ${error.message}`))
    }
  }
  if (targets.length === 0 && outside) throw outside
  return targets
}

function skipped({ stream }: ReadScope, why: string): Warning {
  const message = `The stream "${stream.name}" ${why}`
  return { code: 'source_skipped_not_applicable', message, detail: { stream: stream.name } }
}

function targetOf(scope: ReadScope, request: SearchRequest, warnings: Warning[]): SearchedStream[] {
  const declared = scope.stream.query?.search?.lexical_fields ?? []
  const fields = declared.filter((field) => includesField(scope.usable, field))
  // What is neither searched nor asked for by name need not have the fields of the filter, nor a time.
  if (fields.length === 0 && !request.streams?.includes(scope.stream.name)) return []
  const time = scope.stream.consent_time_field
  if ((request.since !== undefined || request.until !== undefined) && time == null) {
    warnings.push(skipped(scope, 'has no time, so since and until leave it out.'))
    return []
  }
  const conditions = resolveFilter(scope, [...request.filters, ...timeFilters(request, time)], warnings)
  return fields.length === 0 ? [] : [{ scope, fields, conditions }]
}

function timeFilters({ since, until }: SearchRequest, field: string | null | undefined): FilterParameter[] {
  if (field == null) return []
  return [
    ...(since === undefined ? [] : [{ field, operator: 'gte', value: since, param: 'since' }]),
    ...(until === undefined ? [] : [{ field, operator: 'lt', value: until, param: 'until' }]),
  ]
}
