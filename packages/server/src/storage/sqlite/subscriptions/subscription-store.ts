import type {
  BookmarkMove,
  ChangedFeed,
  FollowedFeed,
  StoredSubscription,
  SubscriptionKey,
  SubscriptionState,
  SubscriptionStore,
} from '../../../subscriptions/subscription-store.ts'
import { bodyOf, type SubscriptionRow, subscriptionFrom } from '../../rows/subscription-row.ts'
import type { Handle, WriteDatabases } from '../engine/database.ts'
import { addBookmarks, changedFeeds, keepBookmarks, moveBookmark } from './bookmarks.ts'
import { SqliteEventQueue } from './event-queue.ts'

const SELECT = 'select s.* from event_subscription s'
/** The columns of the state of a subscription. */
type StateText = Pick<SubscriptionRow, 'status' | 'updated_at' | 'body'>

/** Statuses that a subscription leaves when its grant ends. */
const LIVE = `s.status <> 'disabled_revoked'`

export class SqliteSubscriptionStore extends SqliteEventQueue implements SubscriptionStore {
  readonly #writer: Handle
  readonly #reader: Handle

  constructor(databases: WriteDatabases) {
    super(databases)
    this.#writer = databases.quietWriter
    this.#reader = databases.reader
  }

  async create(subscription: StoredSubscription, feeds: readonly FollowedFeed[], max: number): Promise<boolean> {
    const { subjectId, subscriptionId, grantId, clientId, delivery, callbackUrl, status, createdAt, updatedAt } =
      subscription
    return this.#writer.transaction(() => {
      const count = 'select count(*) n from event_subscription where subject_id = ? and grant_id = ?'
      if (this.#writer.get<{ n: number }>(count, subjectId, grantId)!.n >= max) return false
      this.#writer.run(
        'insert into event_subscription values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)',
        ...[subjectId, subscriptionId, grantId, clientId, delivery, callbackUrl ?? null],
        ...[status, bodyOf(subscription), createdAt, updatedAt],
      )
      addBookmarks(this.#writer, subjectId, subscriptionId, feeds, 'none')
      return true
    })
  }

  async find(subjectId: string, subscriptionId: string): Promise<StoredSubscription | undefined> {
    return this.#find(this.#reader, subjectId, subscriptionId)
  }

  async list(
    subjectId: string,
    {
      grantIds,
      clientId,
      before,
      limit,
    }: { grantIds?: readonly string[]; clientId?: string; before?: string; limit: number },
  ): Promise<StoredSubscription[]> {
    const sql = `${SELECT} where s.subject_id = @subjectId
      and (@grants is null or s.grant_id in (select value from json_each(@grants)))
      and (@clientId is null or s.client_id = @clientId)
      and (@before is null or (s.created_at, s.subscription_id) <
        (select created_at, subscription_id from event_subscription where subscription_id = @before))
      order by s.created_at desc, s.subscription_id desc limit @limit`
    const grants = grantIds === undefined ? null : JSON.stringify(grantIds)
    return this.#reader
      .all<SubscriptionRow>(sql, { subjectId, grants, clientId: clientId ?? null, before: before ?? null, limit })
      .map(subscriptionFrom)
  }

  async update(
    subjectId: string,
    subscriptionId: string,
    change: (current: StoredSubscription) => Partial<SubscriptionState> | undefined,
    replace: SqliteSubscriptionStore['replace'] = (...states) => this.replace(...states),
  ): Promise<StoredSubscription | undefined> {
    const sql = `${SELECT} where s.subject_id = ? and s.subscription_id = ?`
    for (;;) {
      const row = this.#reader.get<SubscriptionRow>(sql, subjectId, subscriptionId)
      const current = row && subscriptionFrom(row)
      const changes = current && change(current)
      if (!changes) return current
      const next = { ...current, ...changes }
      const text = { status: next.status, updated_at: next.updatedAt, body: bodyOf(next) }
      const { status, updated_at, body } = row
      if (await replace(subscriptionId, { status, updated_at, body }, text)) return next
    }
  }

  /** Returns false if the state is no longer the one that was read. */
  async replace(subscriptionId: string, read: StateText, next: StateText): Promise<boolean> {
    const sql = `update event_subscription set status = ?, updated_at = ?, body = ?
      where subscription_id = ? and status = ? and updated_at = ? and body = ?`
    const values = [next.status, next.updated_at, next.body, subscriptionId, read.status, read.updated_at, read.body]
    return this.#writer.run(sql, ...values) === 1
  }

  async remove(subjectId: string, subscriptionId: string): Promise<boolean> {
    return this.#writer.transaction(() => {
      const sql = 'delete from event_subscription where subject_id = ? and subscription_id = ?'
      if (this.#writer.run(sql, subjectId, subscriptionId) === 0) return false
      for (const table of ['event_bookmark', 'subscription_event', 'event_delivery'])
        this.#writer.run(`delete from ${table} where subscription_id = ?`, subscriptionId)
      return true
    })
  }

  async unsettled(now: number): Promise<StoredSubscription[]> {
    const sql = `${SELECT} left join access_grant g on g.subject_id = s.subject_id and g.grant_id = s.grant_id
      where ${LIVE} and (s.moved = 1 or g.grant_id is null or g.revoked_at is not null or g.expired_at is not null
        or g.body ->> '$.expires_at' <= ?)`
    return this.#reader.all<SubscriptionRow>(sql, new Date(now).toISOString()).map(subscriptionFrom)
  }

  async follow({ subjectId, subscriptionId }: SubscriptionKey, feeds: readonly FollowedFeed[]): Promise<void> {
    this.#writer.transaction(() => {
      keepBookmarks(this.#writer, subscriptionId, feeds)
      addBookmarks(this.#writer, subjectId, subscriptionId, feeds, 'none')
    })
  }

  async restart({ subjectId, subscriptionId }: SubscriptionKey, feeds: readonly FollowedFeed[]): Promise<void> {
    this.#writer.transaction(() => {
      for (const table of ['event_bookmark', 'subscription_event'])
        this.#writer.run(`delete from ${table} where subscription_id = ?`, subscriptionId)
      addBookmarks(this.#writer, subjectId, subscriptionId, feeds, 'now')
      this.#writer.run('update event_subscription set moved = 0 where subscription_id = ?', subscriptionId)
    })
  }

  async end(
    subjectId: string,
    subscriptionId: string,
    state: Partial<SubscriptionState>,
    last?: Parameters<SubscriptionStore['addEvent']>[1],
  ): Promise<boolean> {
    return this.#writer.transaction(() => {
      const current = this.#find(this.#writer, subjectId, subscriptionId)
      if (!current || current.status === state.status) return false
      this.#save({ ...current, ...state })
      this.#writer.run('delete from subscription_event where subscription_id = ?', subscriptionId)
      if (state.status === 'disabled_revoked')
        this.#writer.run('delete from event_bookmark where subscription_id = ?', subscriptionId)
      if (last) this.insertEvent(subscriptionId, last)
      return true
    })
  }

  async changed(limit: number): Promise<ChangedFeed[]> {
    return changedFeeds(this.#reader, limit)
  }

  async moveBookmarks(moves: readonly BookmarkMove[]): Promise<void> {
    if (moves.length === 0) return
    this.#writer.transaction(() => {
      for (const move of moves) moveBookmark(this.#writer, move)
    })
  }

  #find(db: Handle, subjectId: string, subscriptionId: string): StoredSubscription | undefined {
    const sql = `${SELECT} where s.subject_id = ? and s.subscription_id = ?`
    const row = db.get<SubscriptionRow>(sql, subjectId, subscriptionId)
    return row && subscriptionFrom(row)
  }

  #save(next: StoredSubscription): void {
    this.#writer.run(
      'update event_subscription set status = ?, updated_at = ?, body = ? where subscription_id = ?',
      ...[next.status, next.updatedAt, bodyOf(next), next.subscriptionId],
    )
  }
}
