import { formatInstant, PdppError, type StreamDeclaration } from '@pdpp/protocol'
import type { AggregateReader } from '../aggregates/aggregate-store.ts'
import { grantedConnections, type ReadAuthority } from '../grants/authority.ts'
import { enforce, visibleStreams } from '../grants/enforce.ts'
import type { ReadScope } from '../grants/read-scope.ts'
import { type VisibleSource, visibleSources } from '../grants/visible-sources.ts'
import type { RequestSignal } from '../lib/request-signal.ts'
import type { RecordReader, StreamStatistics } from '../records/record-store.ts'
import { candidate, type SourceService } from '../sources/declarations/source-service.ts'
import { FrequentValueReader, type FrequentValues } from './frequent-values.ts'
import { unknownStream } from './unknown-stream.ts'

export interface SchemaStores {
  readonly records: RecordReader
  readonly aggregates: AggregateReader
}

export interface SchemaRequest {
  readonly stream?: string | undefined
  readonly connectionId?: string | undefined
  readonly connectorKey?: string | undefined
  /** Authorities whose streams an error may name, if only some of them are read. */
  readonly everyone?: readonly ReadAuthority[]
  /** False leaves out the record counts and times. */
  readonly statistics?: boolean
}

/** A source and its streams, limited to what the authority can read. */
export interface SchemaSource extends VisibleSource {
  readonly streams: readonly VisibleStream[]
}

export interface VisibleStream {
  readonly declaration: StreamDeclaration
  readonly scope: ReadScope
  readonly statistics: readonly StreamStatistics[]
  /** Set only if the request names one stream. */
  readonly frequentValues?: FrequentValues
}

export class SchemaService {
  readonly #stores: SchemaStores
  readonly #sources: SourceService
  readonly #frequent: FrequentValueReader

  constructor(storage: SchemaStores, sources: SourceService) {
    this.#stores = storage
    this.#sources = sources
    this.#frequent = new FrequentValueReader(storage)
  }

  /** Returns the readable sources, streams and connections that match the request. Drops sources without streams. */
  async read(
    authorities: readonly ReadAuthority[],
    request: SchemaRequest,
    signal?: RequestSignal,
  ): Promise<SchemaSource[]> {
    const sources = await visibleSources(this.#sources, authorities)
    if (request.connectionId !== undefined && !sources.some((source) => reaches(source, request.connectionId!))) {
      throw new PdppError('connection_not_found', 'There is no such connection for this token.', {
        param: 'connection_id',
      })
    }
    const requested = sources.filter(({ declaration }) => {
      const key = request.connectorKey
      return key === undefined || declaration.connector_key === key || declaration.source.id === key
    })
    const visible: SchemaSource[] = []
    for (const source of requested) visible.push(await this.#source(source, request, signal))
    const found = visible.filter((source) => source.streams.length > 0)
    if (found.length > 0 || request.stream === undefined) return found
    const { connectionId, everyone = authorities } = request
    throw unknownStream(request.stream, connectionId, await visibleSources(this.#sources, everyone))
  }

  /** A full schema describes one stream of one connection. Throws if the choice is ambiguous. */
  requireOne(sources: readonly SchemaSource[], stream: string): void {
    const candidates = sources.flatMap(({ authority, named, streams }) => {
      const grantId = authority.kind === 'client' ? authority.grant.grant_id : null
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

  async #source(
    source: VisibleSource,
    request: SchemaRequest,
    signal: RequestSignal | undefined,
  ): Promise<SchemaSource> {
    const { authority } = source
    const streams = visibleStreams(authority, source.declaration).filter(
      ({ name }) => request.stream === undefined || name === request.stream,
    )
    const scopes = streams
      .map((stream) => enforce(authority, source, stream.name))
      .map((scope) => (request.connectionId === undefined ? scope : narrowed(source, scope, request.connectionId)))
      .filter((scope) => scope !== undefined)
    const visible: VisibleStream[] = []
    for (const scope of scopes) {
      await signal?.yieldIfDue()
      const statistics = request.statistics === false ? [] : await this.#stores.records.statistics(scope, signal)
      const more = request.stream === undefined ? {} : { frequentValues: await this.#frequent.read(scope, signal) }
      visible.push({ declaration: scope.stream, scope, statistics, ...more })
    }
    return { ...source, streams: visible }
  }
}

function reaches({ authority, connections }: VisibleSource, connectionId: string): boolean {
  if (!connections.includes(connectionId)) return false
  return authority.kind === 'owner' || grantedConnections(authority.grant).includes(connectionId)
}

function narrowed(source: VisibleSource, scope: ReadScope, connectionId: string): ReadScope | undefined {
  return scope.connections.includes(connectionId)
    ? enforce(source.authority, source, scope.stream.name, { connectionId })
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

/**
 * When the source was last read. For several connections the oldest time, because the answer is only as fresh as that.
 */
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
