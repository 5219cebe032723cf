import { type Count, type CursorSealer, PdppError } from '@pdpp/protocol'
import type { Authority } from '../grants/authority.ts'
import { enforce, type ReadRequest } from '../grants/enforce.ts'
import type { ReadScope } from '../grants/read-scope.ts'
import { candidate, type SourceService } from '../sources/source-service.ts'
import type { Storage } from '../storage/contract.ts'
import { PageCursors } from './page-cursor.ts'
import type { ChangePage, PageQuery, RecordPage, ScopedRecord } from './record-store.ts'
import { chooseOrder } from './sort.ts'

export interface StreamRead extends ReadRequest {
  readonly stream: string
  readonly connectorKey?: string | undefined
}

export interface ListRequest {
  readonly sort?: string | undefined
  readonly order?: 'asc' | 'desc' | undefined
  readonly cursor?: string | undefined
  readonly changesSince?: string | undefined
  readonly limit: number
  readonly maxBytes: number
}

/** A page and how to go on from any of its rows: a page that is cut for size resumes exactly there. */
export interface Walk<Row> {
  readonly rows: readonly Row[]
  readonly hasMore: boolean
  cursorAfter(row: Row): string
  /** Set where a walk over changes ends. */
  readonly nextChangesSince?: string
}

export class RecordService {
  readonly #storage: Storage
  readonly #sources: SourceService
  readonly #cursors: PageCursors

  constructor(storage: Storage, sources: SourceService, sealer: CursorSealer) {
    this.#storage = storage
    this.#sources = sources
    this.#cursors = new PageCursors(sealer)
  }

  async scope(authority: Authority, read: StreamRead): Promise<ReadScope> {
    return enforce(authority, await this.#sources.forStream(authority, read), read.stream, read)
  }

  async page(scope: ReadScope, request: ListRequest): Promise<Walk<RecordPage['records'][number]>> {
    const position = request.cursor === undefined ? undefined : this.#cursors.open(scope, request.cursor)
    if (position?.kind === 'changes') throw wrongCursor()
    const { sort, order } = chooseOrder(scope, request, position)
    const query: PageQuery = { sort, order, after: position?.after, limit: request.limit, maxBytes: request.maxBytes }
    const page = await this.#storage.records.page(scope, query)
    return {
      rows: page.records,
      hasMore: page.hasMore,
      cursorAfter: (row) => this.#cursors.seal(scope, { kind: 'page', sort, order, after: row.position }),
    }
  }

  /** True when a cursor belongs to a walk over changes, which then needs no `changes_since` beside it. */
  isChangesCursor(scope: ReadScope, cursor: string): boolean {
    return this.#cursors.open(scope, cursor).kind === 'changes'
  }

  async changes(scope: ReadScope, request: ListRequest): Promise<Walk<ChangePage['changes'][number]>> {
    const { since, horizon } = await this.#changesFrom(scope, request)
    const page = await this.#storage.records.changes(scope, {
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
        // Feeds are walked in the horizon's order: those before this one are done.
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

  async count(scope: ReadScope, kind: Count['kind']): Promise<Count> {
    return kind === 'none' ? { kind } : { kind: 'exact', value: await this.#storage.records.count(scope) }
  }

  /** The one record that a key means. The same key in two connections is a question back, never a guess. */
  async find(authority: Authority, scope: ReadScope, key: string): Promise<ScopedRecord> {
    const found = await this.#storage.records.find(scope, key)
    if (found.length === 1) return found[0]!
    if (found.length === 0)
      throw new PdppError('not_found', 'There is no such record for this token.', { param: 'record_id' })
    const connections = await this.#storage.connections.list(scope.subjectId, scope.connectorKey)
    const grantId = authority.kind === 'client' ? authority.grant.grant_id : null
    const having = connections.filter(({ connectionId }) =>
      found.some((record) => record.connectionId === connectionId),
    )
    throw new PdppError('ambiguous_connection', `${found.length} connections have this record.`, {
      param: 'connection_id',
      retryWith: 'connection_id',
      candidates: having.map((connection) => candidate(connection, grantId)),
    })
  }

  async #changesFrom(scope: ReadScope, request: ListRequest) {
    const present = await this.#storage.records.versions(scope)
    if (request.cursor === undefined) {
      return { since: this.#cursors.openChanges(scope, request.changesSince!, present), horizon: present }
    }
    const position = this.#cursors.open(scope, request.cursor)
    if (position.kind !== 'changes') throw wrongCursor()
    if (position.horizon.every(({ feed }) => present.some((version) => version.feed === feed))) return position
    throw new PdppError('cursor_expired', 'What this cursor counted on has been removed.', {
      param: 'cursor',
      nextStep: 'Drop your copy of the stream and start again with changes_since=beginning.',
    })
  }
}

function wrongCursor(): PdppError {
  return new PdppError('invalid_cursor', 'This cursor belongs to another kind of walk over the stream.', {
    param: 'cursor',
  })
}
