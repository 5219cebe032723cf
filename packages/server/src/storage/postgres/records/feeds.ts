import { PdppError, type StreamDeclaration } from '@pdpp/protocol'
import type { ReadScope } from '../../../grants/read-scope.ts'
import { LruCache } from '../../../lib/caches/lru-cache.ts'
import { storedJson } from '../../../lib/stored-json.ts'
import type { FeedKey } from '../../../records/record-store.ts'
import type { Layout } from '../../records/layout.ts'
import { type Feed, type FeedRow, feedFromRow } from '../../rows/feed-row.ts'
import { type Edition, editionSpec } from '../../words/edition.ts'
import { SegmentBuilding } from '../../words/segment-building.ts'
import type { Session } from '../engine/session.ts'
import type { Declarations } from '../sources/declaration-reader.ts'
import { createEdition, editionFromRow } from '../words/edition.ts'

export type { Feed } from '../../rows/feed-row.ts'

export interface StoredStream {
  readonly subject: number
  readonly streamNo: number
  readonly layout: Layout
}

interface StreamRow {
  stream_no: number
  revision: number
}

const FEED_COLUMNS = 'f.feed, f.connection_id, f.version, f.record_count, f.captured_at, f.attempted_at'

/** Streams of the database, with their layouts as they were last read. */
export class Streams {
  readonly declarations: Declarations
  /** Splits written texts into words and builds segments from them. */
  readonly building = new SegmentBuilding()
  readonly #layouts = new LruCache<string, Layout>(2000)
  readonly #placed = new WeakMap<ReadScope, { readonly epoch: number; readonly inScope: StreamInScope | undefined }>()

  constructor(declarations: Declarations) {
    this.declarations = declarations
  }

  async find(session: Session, subject: number, connectorKey: string, name: string): Promise<StoredStream | undefined> {
    const sql = 'select stream_no, revision from stream where subject = ? and connector_key = ? and name = ?'
    const row = await session.get<StreamRow>(sql, subject, connectorKey, name)
    return row && this.#withLayout(session, subject, row)
  }

  /** The stream of a scope, and the feeds that the scope may read. A connection has no feed before its first record. */
  async inScope(session: Session, subject: number, scope: ReadScope): Promise<StreamInScope | undefined> {
    const sql = `select s.stream_no, s.revision, ${FEED_COLUMNS} from stream s
      left join feed f on f.subject = s.subject and f.stream_no = s.stream_no and f.erased = 0 and f.connection_id = any(?)
      where s.subject = ? and s.connector_key = ? and s.name = ? order by f.feed`
    const values = [scope.connections, subject, scope.connectorKey, scope.stream.name]
    const rows = await session.all<StreamRow & { feed: number | null } & Omit<FeedRow, 'feed'>>(sql, ...values)
    if (rows.length === 0) return
    const feeds = rows.flatMap(({ feed, ...row }) => (feed === null ? [] : [feedFromRow({ feed, ...row })]))
    return { stream: await this.#withLayout(session, subject, rows[0]!), feeds }
  }

  /**
   * The same, cached for an epoch of the owner. Cached feeds have valid numbers and connections, but their versions and
   * counts are old.
   */
  async placed(session: Session, subject: number, epoch: number, scope: ReadScope): Promise<StreamInScope | undefined> {
    const known = this.#placed.get(scope)
    if (known?.epoch === epoch) return known.inScope
    const inScope = await this.inScope(session, subject, scope)
    this.#placed.set(scope, { epoch, inScope })
    return inScope
  }

  async #withLayout(session: Session, subject: number, { stream_no: streamNo, revision }: StreamRow) {
    const name = `${subject} ${streamNo} ${revision}`
    const known = this.#layouts.get(name)
    if (known) return { subject, streamNo, layout: known }
    const sql = 'select layout, revision from stream where subject = ? and stream_no = ?'
    const row = (await session.get<{ layout: string; revision: number }>(sql, subject, streamNo))!
    const layout = storedJson<Layout>(row.layout)
    this.#layouts.set(`${subject} ${streamNo} ${row.revision}`, layout)
    return { subject, streamNo, layout }
  }

  async require(session: Session, subject: number, { connectorKey, stream }: FeedKey): Promise<StoredStream> {
    const found = await this.find(session, subject, connectorKey, stream)
    if (found) return found
    throw notDeclared(connectorKey, stream)
  }

  async requireDeclared(session: Session, subject: number, target: FeedKey): Promise<StreamDeclaration> {
    const [source] = await this.declarations.read(session, subject, target.connectorKey)
    const found = source?.streams.find(({ name }) => name === target.stream)
    if (found) return found
    throw notDeclared(target.connectorKey, target.stream)
  }

  /**
   * The feed of a target. It is locked until the transaction ends, so that versions and numbers grow in the order of
   * commits. Creates it with an edition of the word index if it is new.
   */
  async openFeed(session: Session, subject: number, target: FeedKey): Promise<OpenFeed> {
    return (await this.#findOpen(session, subject, target)) ?? this.#createFeed(session, subject, target)
  }

  async #findOpen(session: Session, subject: number, target: FeedKey): Promise<OpenFeed | undefined> {
    // The connection may have been removed since it was looked up. A record without a connection would be lost.
    const sql = `select s.stream_no, s.revision, s.next_record, ${FEED_COLUMNS},
        exists (select 1 from tombstone t where t.subject = f.subject and t.feed = f.feed) has_tombstones,
        exists (select 1 from blob_reference b where b.subject = f.subject and b.feed = f.feed) has_blobs,
        d.connector_key, d.created_at source_created_at, d.revision source_revision, e.edition, e.spec, e.through
      from stream s join connection c on c.subject = s.subject and c.connection_id = ?
      join feed f on f.subject = s.subject and f.stream_no = s.stream_no and f.connection_id = c.connection_id
      join source d on d.subject = s.subject and d.connector_key = s.connector_key
      left join word_edition e on e.subject = f.subject and e.feed = f.feed
      where s.subject = ? and s.connector_key = ? and s.name = ? and f.erased = 0
      for update of f, s for key share of c`
    const values = [target.connectionId, subject, target.connectorKey, target.stream]
    const row = await session.get<OpenRow>(sql, ...values)
    if (!row) return
    const source = { ...row, created_at: row.source_created_at, revision: row.source_revision }
    const declaration = await this.declarations.of(session, subject, source)
    const declared = declaration?.streams.find(({ name }) => name === target.stream)
    if (!declared) throw notDeclared(target.connectorKey, target.stream)
    const { edition, spec, feed } = row
    return {
      stream: await this.#withLayout(session, subject, row),
      declared,
      edition: edition === null || spec === null ? undefined : editionFromRow(subject, { ...row, edition, spec, feed }),
      feed: feedFromRow(row),
      nextRecord: row.next_record,
      hasTombstones: row.has_tombstones,
      hasBlobs: row.has_blobs,
    }
  }

  async #createFeed(session: Session, subject: number, target: FeedKey): Promise<OpenFeed> {
    const { streamNo } = await this.require(session, subject, target)
    const known = 'select 1 from connection where subject = ? and connection_id = ? for key share'
    if (!(await session.get(known, subject, target.connectionId)))
      throw new PdppError('connection_not_found', `The connection "${target.connectionId}" was removed.`)
    const take = `update owner set next_feed = next_feed + 1, epoch = epoch + 1 where subject = ?
      returning next_feed - 1`
    const [feed] = await session.column<number>(take, subject)
    const insert =
      'insert into feed (subject, feed, connection_id, stream_no) values (?, ?, ?, ?) on conflict do nothing'
    const isNew = (await session.run(insert, subject, feed, target.connectionId, streamNo)) === 1
    const declared = await this.requireDeclared(session, subject, target)
    if (isNew) await createEdition(session, subject, { feed: feed!, isEmpty: true }, editionSpec(declared))
    return (await this.#findOpen(session, subject, target))!
  }
}

interface OpenRow extends StreamRow, FeedRow {
  connector_key: string
  source_created_at: number
  source_revision: number
  edition: number | null
  spec: string | null
  through: number | null
  next_record: number
  has_tombstones: boolean
  has_blobs: boolean
}

/** A feed that is locked for writing. */
export interface OpenFeed {
  readonly declared: StreamDeclaration
  /** The edition that indexes its words, if it has search fields. */
  readonly edition: Edition | undefined
  readonly stream: StoredStream
  readonly feed: Feed
  readonly nextRecord: number
  readonly hasTombstones: boolean
  /** Whether any blob was sent for records of the feed. */
  readonly hasBlobs: boolean
}

export interface StreamInScope {
  readonly stream: StoredStream
  readonly feeds: readonly Feed[]
}

const notDeclared = (connectorKey: string, stream: string): PdppError =>
  new PdppError('stream_not_declared', `The source "${connectorKey}" declares no stream "${stream}".`)
