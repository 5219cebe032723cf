import { type Count, type CursorSealer, PdppError } from '@pdpp/protocol'
import type { ReadAuthority } from '../grants/authority.ts'
import { enforce, type ReadRequest } from '../grants/enforce.ts'
import type { ReadScope } from '../grants/read-scope.ts'
import { sourceOfStream } from '../grants/visible-sources.ts'
import type { RequestSignal } from '../lib/request-signal.ts'
import type { ConnectionStore } from '../sources/connections/connection-store.ts'
import { candidate, type SourceService } from '../sources/declarations/source-service.ts'
import { Expanded } from './expand/expanded.ts'
import { type ExpandRequest, type Expansion, resolveExpand } from './expand/relation.ts'
import type { FieldCondition } from './filter.ts'
import { inverse, locate, readNeighbours } from './paging/neighbours.ts'
import { type Neighbourhood, type PageCursorPosition, PageCursors, requirePresent } from './paging/page-cursor.ts'
import type { RowPage } from './paging/row-page.ts'
import { chooseOrder } from './paging/sort.ts'
import type {
  ChangeCount,
  ChangePage,
  ChangeRange,
  FeedPosition,
  PageQuery,
  PositionedRecord,
  RecordReader,
  ScopedRecord,
} from './record-store.ts'
import type { RecordUrls } from './record-url.ts'

export interface RecordStores {
  readonly records: RecordReader
  readonly connections: ConnectionStore
}

export interface StreamRead extends ReadRequest {
  readonly stream: string
  readonly connectorKey?: string | undefined
}

export interface ListRequest {
  readonly sort?: string | undefined
  readonly order?: 'asc' | 'desc' | undefined
  readonly cursor?: string | undefined
  readonly changesSince?: string | undefined
  readonly conditions?: readonly FieldCondition[] | undefined
  /** The key of a record whose neighbours are requested. */
  readonly around?: string | undefined
  readonly limit: number
  readonly maxBytes: number
}

/** Max. remembered scopes of one authority. They differ by the fields and connections that requests name. */
const MAX_SCOPES = 100

export class RecordService {
  readonly #stores: RecordStores
  readonly #sources: SourceService
  readonly #cursors: PageCursors
  readonly #scopes = new WeakMap<object, WeakMap<ReadAuthority, Map<string, ReadScope>>>()

  constructor(storage: RecordStores, sources: SourceService, sealer: CursorSealer) {
    this.#stores = storage
    this.#sources = sources
    this.#cursors = new PageCursors(sealer)
  }

  /** Returns the scope, and the relations that the request asks to expand. */
  async expandedScope(
    authority: ReadAuthority,
    read: StreamRead,
    request: ExpandRequest,
  ): Promise<{ scope: ReadScope; expansions: Expansion[] }> {
    if (request.names.length === 0 && request.limits.size === 0)
      return { scope: await this.scope(authority, read), expansions: [] }
    const source = await sourceOfStream(this.#sources, authority, read)
    const scope = enforce(authority, source, read.stream, read)
    return { scope, expansions: resolveExpand(authority, source, scope, request) }
  }

  expand(
    expansions: readonly Expansion[],
    records: readonly ScopedRecord[],
    maxBytes: number,
    urls: RecordUrls,
    signal: RequestSignal,
  ): Promise<Expanded> {
    return Expanded.read(this.#stores.records, expansions, records, { maxBytes, urls, signal })
  }

  async scope(authority: ReadAuthority, read: StreamRead): Promise<ReadScope> {
    const scopes = this.#scopesOf(authority, await this.#sources.moment(authority.subjectId))
    const name = readName(read)
    const known = scopes.get(name)
    if (known) return known
    const scope = enforce(authority, await sourceOfStream(this.#sources, authority, read), read.stream, read)
    if (scopes.size < MAX_SCOPES) scopes.set(name, scope)
    return scope
  }

  /** The scopes that requests with this authority got since the last write. */
  #scopesOf(authority: ReadAuthority, moment: object): Map<string, ReadScope> {
    const byAuthority = this.#scopes.get(moment) ?? new WeakMap()
    this.#scopes.set(moment, byAuthority)
    const known = byAuthority.get(authority)
    if (known) return known
    const scopes = new Map<string, ReadScope>()
    byAuthority.set(authority, scopes)
    return scopes
  }

  async page(scope: ReadScope, request: ListRequest, signal?: RequestSignal): Promise<RowPage<PositionedRecord>> {
    const filter = request.conditions ?? []
    const bound = cursorQuery(filter)
    const position = request.cursor === undefined ? undefined : this.#cursors.open(scope, request.cursor, bound)
    if (position?.kind === 'changes') throw wrongCursor()
    if (request.around !== undefined) return this.#around(scope, { ...request, around: request.around }, signal)
    const { sort, order } = chooseOrder(scope, request, position)
    const { limit, maxBytes } = request
    if (position?.within)
      return this.#near(
        scope,
        { sort, order, limit, maxBytes, after: position.after },
        position,
        position.within,
        signal,
      )
    const query = { sort, order, conditions: filter, after: position?.after, limit, maxBytes }
    const page = await this.#stores.records.page(scope, query, signal)
    return {
      rows: page.records,
      hasMore: page.hasMore,
      conditions: filter,
      cursorAfter: (row) => this.#cursors.seal(scope, { kind: 'page', sort, order, after: row.position }, bound),
    }
  }

  /** The page around one record, in reading order. Limited to its conversation if the source declares one. */
  async #around(
    scope: ReadScope,
    request: ListRequest & { around: string },
    signal: RequestSignal | undefined,
  ): Promise<RowPage<PositionedRecord>> {
    const clash =
      request.cursor !== undefined
        ? 'cursor'
        : request.sort !== undefined
          ? 'sort'
          : request.conditions?.length
            ? 'filter'
            : undefined
    if (clash) throw new PdppError('invalid_argument', `${clash} cannot be combined with around.`, { param: clash })
    const { sort } = chooseOrder(scope, {}, undefined)
    const order = request.order ?? 'asc'
    const places = await locate(this.#stores.records, scope, request.around, sort)
    const record = await this.find(scope, request.around)
    const place = places.find(({ connectionId }) => connectionId === record.connectionId)!
    const { limit, maxBytes } = request
    const query = { sort, order, limit, maxBytes, after: undefined, ...nearQuery(place.within) }
    const near = await readNeighbours(
      this.#stores.records,
      scope,
      query,
      { ...record, position: place.position },
      signal,
    )
    return { ...near, ...nearQuery(place.within), ...this.#bothWays(scope, sort, order, place.within) }
  }

  /** The next or previous page of such a neighbourhood, in the same order. */
  async #near(
    scope: ReadScope,
    query: PageQuery,
    { backward }: PageCursorPosition,
    within: Neighbourhood,
    signal: RequestSignal | undefined,
  ): Promise<RowPage<PositionedRecord>> {
    const direction = backward ? inverse(query) : {}
    const page = await this.#stores.records.page(scope, { ...query, ...direction, ...nearQuery(within) }, signal)
    const rows = backward ? page.records.toReversed() : page.records
    return {
      rows,
      anchor: backward ? Math.max(0, rows.length - 1) : 0,
      hasMore: backward ? rows.length > 0 : page.hasMore,
      hasPrevious: backward ? page.hasMore : rows.length > 0,
      ...nearQuery(within),
      ...this.#bothWays(scope, query.sort, query.order, within),
    }
  }

  #bothWays(scope: ReadScope, sort: string | undefined, order: 'asc' | 'desc', within: Neighbourhood) {
    const seal = ({ position }: PositionedRecord, backward: boolean) =>
      this.#cursors.seal(scope, { kind: 'page', sort, order, after: position, within, backward })
    return {
      cursorAfter: (row: PositionedRecord) => seal(row, false),
      cursorBefore: (row: PositionedRecord) => seal(row, true),
    }
  }

  /** True if the cursor continues a list of changes, so that the request needs no `changes_since`. */
  isChangesCursor(scope: ReadScope, { cursor, conditions = [] }: ListRequest): boolean {
    return cursor !== undefined && this.#cursors.open(scope, cursor, cursorQuery(conditions)).kind === 'changes'
  }

  async changes(scope: ReadScope, request: ListRequest): Promise<RowPage<ChangePage['changes'][number]>> {
    const { since, horizon } = await this.#changesFrom(scope, request)
    const page = await this.#stores.records.changes(scope, {
      since,
      horizon,
      limit: request.limit,
      maxBytes: request.maxBytes,
    })
    return {
      rows: page.changes,
      hasMore: page.hasMore,
      nextChangesSince: this.#cursors.sealChanges(scope, horizon),
      cursorAfter: ({ at }) => {
        // Feeds are read in the order of the horizon, so all feeds before this one are finished.
        const reached = horizon.findIndex(({ feed }) => feed === at.feed)
        const done = horizon.map((end, index) =>
          index < reached ? end : index === reached ? at : since.find(({ feed }) => feed === end.feed),
        )
        return this.#cursors.seal(scope, {
          kind: 'changes',
          since: done.filter((position) => position !== undefined),
          horizon,
        })
      },
    }
  }

  /** Counts the changes that a read from `since` to `horizon` shows under the scope. */
  countChanges(scope: ReadScope, range: ChangeRange): Promise<ChangeCount> {
    return this.#stores.records.countChanges(scope, range)
  }

  /** A position as a token that `changes_since` accepts for the same stream and connection. */
  sealBookmark(scope: ReadScope, versions: readonly FeedPosition[]): string {
    return this.#cursors.sealChanges(scope, versions)
  }

  async count(
    scope: ReadScope,
    kind: Count['kind'],
    { conditions, connectionId }: Pick<RowPage<unknown>, 'conditions' | 'connectionId'> = {},
    signal?: RequestSignal,
  ): Promise<Count> {
    if (kind === 'none') return { kind }
    return { kind: 'exact', value: await this.#stores.records.count(scope, conditions, connectionId, signal) }
  }

  /** Finds the record with this key. If several connections have the key, throws an error that lists them. */
  async find(scope: ReadScope, key: string): Promise<ScopedRecord> {
    const found = await this.#stores.records.find(scope, key)
    if (found.length === 1) return found[0]!
    if (found.length === 0)
      throw new PdppError('not_found', 'There is no such record for this token.', { param: 'record_id' })
    const connections = await this.#stores.connections.list(scope.subjectId, scope.connectorKey)
    const grantId = scope.accessId === 'owner' ? null : scope.accessId
    const candidates = connections.filter(({ connectionId }) =>
      found.some((record) => record.connectionId === connectionId),
    )
    throw new PdppError('ambiguous_connection', `${found.length} connections have this record.`, {
      param: 'connection_id',
      retryWith: 'connection_id',
      candidates: candidates.map((connection) => candidate(connection, grantId)),
    })
  }

  async #changesFrom(scope: ReadScope, request: ListRequest) {
    const present = await this.#stores.records.versions(scope)
    if (request.cursor === undefined) {
      return { since: this.#cursors.openChanges(scope, request.changesSince!, present), horizon: present }
    }
    const position = this.#cursors.open(scope, request.cursor)
    if (position.kind !== 'changes') throw wrongCursor()
    requirePresent(position.horizon, present, 'cursor')
    return position
  }
}

/** A name for each different read of one authority. JSON never begins with a colon. */
function readName({ stream, connectionId, connectorKey, fields, view }: StreamRead): string {
  const isWhole = connectionId === undefined && connectorKey === undefined && fields === undefined && view === undefined
  return isWhole ? `:${stream}` : JSON.stringify([stream, connectionId, connectorKey, fields, view])
}

function nearQuery({ connectionId, group }: Neighbourhood) {
  return { connectionId, conditions: group ? [group] : [] }
}

/** Binds a cursor to the filter it was issued for. Null keeps cursors without a filter short. */
function cursorQuery(conditions: readonly FieldCondition[]): unknown {
  return conditions.length === 0
    ? null
    : conditions.map(({ field, operator, value }) => [field, operator, String(value)])
}

function wrongCursor(): PdppError {
  return new PdppError('invalid_cursor', 'This cursor came from another kind of request.', {
    param: 'cursor',
  })
}
