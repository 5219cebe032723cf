import { formatInstant, PdppError, type StreamDeclaration } from '@pdpp/protocol'
import type { Connection } from '../connections/connection-store.ts'
import type { Authority } from '../grants/authority.ts'
import { type DeclaredSource, enforce, visibleStreams } from '../grants/enforce.ts'
import type { ReadScope } from '../grants/read-scope.ts'
import type { StreamStatistics } from '../records/record-store.ts'
import { candidate, type SourceService } from '../sources/source-service.ts'
import type { Storage } from '../storage/contract.ts'
import { FrequentValueReader, type FrequentValues } from './frequent-values.ts'

export interface SchemaRequest {
  readonly stream?: string | undefined
  readonly connectionId?: string | undefined
  readonly connectorKey?: string | undefined
}

/** One source as an authority sees it. */
export interface VisibleSource extends DeclaredSource {
  readonly named: readonly Connection[]
  readonly streams: readonly VisibleStream[]
}

export interface VisibleStream {
  readonly declaration: StreamDeclaration
  readonly scope: ReadScope
  readonly statistics: readonly StreamStatistics[]
  /** Only where one stream was asked for. */
  readonly frequentValues?: FrequentValues
}

export class SchemaService {
  readonly #storage: Storage
  readonly #sources: SourceService
  readonly #frequent: FrequentValueReader

  constructor(storage: Storage, sources: SourceService) {
    this.#storage = storage
    this.#sources = sources
    this.#frequent = new FrequentValueReader(storage)
  }

  /** The sources, streams and connections in reach, narrowed by the request; sources left with nothing are dropped. */
  async read(authority: Authority, request: SchemaRequest): Promise<VisibleSource[]> {
    const sources = await this.#sources.visible(authority)
    if (
      request.connectionId !== undefined &&
      !sources.some((source) => this.#reaches(authority, source, request.connectionId!))
    ) {
      throw new PdppError('connection_not_found', 'There is no such connection for this token.', {
        param: 'connection_id',
      })
    }
    const wanted = sources.filter(({ declaration }) => {
      const key = request.connectorKey
      return key === undefined || declaration.connector_key === key || declaration.source.id === key
    })
    const visible = await Promise.all(wanted.map((source) => this.#source(authority, source, request)))
    return visible.filter((source) => source.streams.length > 0)
  }

  /** An exhaustive schema is of one stream of one connection: anything else is a question back. */
  requireOne(authority: Authority, sources: readonly VisibleSource[], stream: string): void {
    const grantId = authority.kind === 'client' ? authority.grant.grant_id : null
    const candidates = sources.flatMap(({ named, streams }) => {
      const ids = new Set(streams.flatMap(({ scope }) => scope.connections))
      return named
        .filter(({ connectionId }) => ids.has(connectionId))
        .map((connection) => candidate(connection, grantId))
    })
    if (candidates.length <= 1) return
    throw new PdppError('ambiguous_connection', `The stream "${stream}" is in ${candidates.length} connections.`, {
      param: 'connection_id',
      retryWith: 'connection_id',
      candidates,
    })
  }

  #reaches(authority: Authority, source: DeclaredSource, connectionId: string): boolean {
    if (!source.connections.includes(connectionId)) return false
    return (
      authority.kind === 'owner' || authority.grant.streams.some(({ instance_ids: ids }) => ids.includes(connectionId))
    )
  }

  async #source(
    authority: Authority,
    source: DeclaredSource & { named: readonly Connection[] },
    request: SchemaRequest,
  ): Promise<VisibleSource> {
    const streams = visibleStreams(authority, source.declaration).filter(
      ({ name }) => request.stream === undefined || name === request.stream,
    )
    const scopes = streams
      .map((stream) => enforce(authority, source, stream.name))
      .map((scope) =>
        request.connectionId === undefined ? scope : narrowed(authority, source, scope, request.connectionId),
      )
      .filter((scope) => scope !== undefined)
    const visible = scopes.map(async (scope) => ({
      declaration: scope.stream,
      scope,
      statistics: await this.#storage.records.statistics(scope),
      ...(request.stream === undefined ? {} : { frequentValues: await this.#frequent.read(scope) }),
    }))
    return { ...source, streams: await Promise.all(visible) }
  }
}

function narrowed(
  authority: Authority,
  source: DeclaredSource,
  scope: ReadScope,
  connectionId: string,
): ReadScope | undefined {
  return scope.connections.includes(connectionId)
    ? enforce(authority, source, scope.stream.name, { connectionId })
    : undefined
}

export function totals(statistics: readonly StreamStatistics[]) {
  const times = (pick: (entry: StreamStatistics) => number | undefined) =>
    statistics.map(pick).filter((time) => time !== undefined)
  const earliest = times((entry) => entry.earliest)
  const latest = times((entry) => entry.latest)
  return {
    count: statistics.reduce((sum, entry) => sum + entry.count, 0),
    span:
      earliest.length === 0
        ? undefined
        : { earliest: formatInstant(Math.min(...earliest)), latest: formatInstant(Math.max(...latest)) },
  }
}

/** When the source was last read: the oldest of several, because the answer is only as fresh as that. */
export function freshness(statistics: readonly StreamStatistics[]) {
  const captured = statistics.map((entry) => entry.capturedAt)
  const attempted = statistics.map((entry) => entry.attemptedAt).filter((at) => at !== undefined)
  const known = captured.filter((at) => at !== undefined)
  const last = attempted.length === 0 ? {} : { last_attempted_at: new Date(Math.max(...attempted)).toISOString() }
  if (known.length === 0 || known.length < captured.length) return { status: 'unknown' as const, ...last }
  const stale = statistics.some(({ capturedAt, attemptedAt }) => attemptedAt !== undefined && attemptedAt > capturedAt!)
  return {
    status: stale ? ('stale' as const) : ('current' as const),
    captured_at: new Date(Math.min(...known)).toISOString(),
    ...last,
  }
}
