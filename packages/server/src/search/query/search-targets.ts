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
  /** True if matches in excerpts are put between `<mark>` and `</mark>`. */
  readonly highlight?: boolean
}

/** The members of a request that limit what is searched. */
export type SearchLimits = Pick<SearchRequest, 'streams' | 'connectionId' | 'filters' | 'since' | 'until'>

/**
 * The streams that a request may search, whether or not they have search fields, and the streams that it does search.
 */
export interface SearchTargets {
  readonly scopes: readonly ReadScope[]
  /** The searched streams, each with its scope and the conditions of the request. */
  readonly targets: readonly SearchedStream[]
}

/** Does not check the text of the query. `requireGrantedNames` does. */
export function searchTargets(
  authority: Authority,
  sources: readonly VisibleSource[],
  request: SearchLimits,
  warnings: Warning[],
): SearchTargets {
  const known = sources.flatMap((source) =>
    visibleStreams(source.authority, source.declaration).map(({ name }) => ({ source, name })),
  )
  const missing = request.streams?.find((requested) => !known.some(({ name }) => name === requested))
  if (missing !== undefined) throw notSearchable(authority, sources, missing)
  const isRequested = (name: string) => request.streams === undefined || request.streams.includes(name)
  if (request.connectionId === undefined)
    warnings.push(...unavailable(authority, ({ streams }) => streams.some(({ name }) => isRequested(name))))
  // Skip members of the package that have none of the requested streams (003.16.3).
  const searched = known.filter(({ name }) => isRequested(name))
  const scopes = searched.flatMap(({ source, name }) => scopeOf(source, name, request.connectionId))
  if (request.connectionId !== undefined && scopes.length === 0) {
    const others = known.filter(({ source, name }) => scopeOf(source, name, request.connectionId).length > 0)
    throw connectionWithoutStream(
      authority,
      request.streams,
      others.map(({ name }) => name),
    )
  }
  return { scopes, targets: targetsInTime(scopes, request, warnings) }
}

/**
 * Uses the standard "stream not granted" error, or the member's own error if only an expired or revoked member has the
 * stream.
 */
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

/** A visible connection without the requested stream is not reported as missing. */
function connectionWithoutStream(
  authority: Authority,
  streams: readonly string[] | undefined,
  others: readonly string[],
): PdppError {
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

/**
 * Refuses `field:word` if the grant hides the field in every searched stream. Otherwise the empty result would suggest
 * that no record contains the word.
 */
export function requireGrantedNames(scopes: readonly ReadScope[], text: string): void {
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

/** Skips streams whose grant covers another time range, with a warning. Throws only if no stream remains. */
function targetsInTime(scopes: readonly ReadScope[], request: SearchLimits, warnings: Warning[]): SearchedStream[] {
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

function targetOf(scope: ReadScope, request: SearchLimits, warnings: Warning[]): SearchedStream[] {
  const declared = scope.stream.query?.search?.lexical_fields ?? []
  const fields = declared.filter((field) => includesField(scope.usable, field))
  // Filters and times need not apply to a stream that has no search fields and was not requested by name.
  if (fields.length === 0 && !request.streams?.includes(scope.stream.name)) return []
  const time = scope.stream.consent_time_field
  if ((request.since !== undefined || request.until !== undefined) && time == null) {
    warnings.push(skipped(scope, 'has no time, so since and until leave it out.'))
    return []
  }
  const conditions = resolveFilter(scope, [...request.filters, ...timeFilters(request, time)], warnings)
  return fields.length === 0 ? [] : [{ scope, fields, conditions }]
}

function timeFilters({ since, until }: SearchLimits, field: string | null | undefined): FilterParameter[] {
  if (field == null) return []
  return [
    ...(since === undefined ? [] : [{ field, operator: 'gte', value: since, param: 'since' }]),
    ...(until === undefined ? [] : [{ field, operator: 'lt', value: until, param: 'until' }]),
  ]
}
