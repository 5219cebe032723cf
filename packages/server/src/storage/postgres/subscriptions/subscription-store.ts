import { storedJson } from '../../../lib/stored-json.ts'
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
import type { Database } from '../engine/database.ts'
import type { Session } from '../engine/session.ts'
import type { Owners } from '../installation/owners.ts'
import { addBookmarks, changedFeeds, keepBookmarks, moveBookmark } from './bookmarks.ts'
import { insertEvent, OWN, PostgresEventQueue } from './event-queue.ts'

const SELECT = 'select s.*, o.subject_id from event_subscription s join owner o using (subject)'
/** Statuses that a subscription leaves when its grant ends. */
const LIVE = `s.status <> 'disabled_revoked'`

export class PostgresSubscriptionStore extends PostgresEventQueue implements SubscriptionStore {
  readonly #database: Database
  readonly #owners: Owners

  constructor(database: Database, owners: Owners) {
    super(database, owners)
    this.#database = database
    this.#owners = owners
  }

  async create(subscription: StoredSubscription, feeds: readonly FollowedFeed[], max: number): Promise<boolean> {
    const { subjectId, subscriptionId, grantId, clientId, delivery, callbackUrl, status, createdAt, updatedAt } =
      subscription
    const subject = await this.#owners.require(subjectId)
    return this.#database.quiet(async (session) => {
      // The lock makes concurrent calls take turns, so that they cannot exceed the limit together.
      await session.run('select 1 from access_grant where subject = ? and grant_id = ? for update', subject, grantId)
      const count = 'select count(*) n from event_subscription where subject = ? and grant_id = ?'
      if ((await session.get<{ n: number }>(count, subject, grantId))!.n >= max) return false
      await session.run(
        `insert into event_subscription (subscription_id, subject, grant_id, client_id, delivery, callback_url, status,
          body, created_at, updated_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ...[subscriptionId, subject, grantId, clientId, delivery, callbackUrl ?? null],
        ...[status, bodyOf(subscription), createdAt, updatedAt],
      )
      await addBookmarks(session, subject, subscriptionId, feeds, 'none')
      return true
    })
  }

  async find(subjectId: string, subscriptionId: string): Promise<StoredSubscription | undefined> {
    return this.#find(this.#database, subjectId, subscriptionId)
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
    const sql = `${SELECT} where o.subject_id = @subjectId
      and (@grants::text[] is null or s.grant_id = any(@grants))
      and (@clientId::text is null or s.client_id = @clientId)
      and (@before::text is null or (s.created_at, s.subscription_id) <
        (select created_at, subscription_id from event_subscription b where b.subject = s.subject and b.subscription_id = @before))
      order by s.created_at desc, s.subscription_id desc limit @limit`
    const values = { subjectId, grants: grantIds ?? null, clientId: clientId ?? null, before: before ?? null, limit }
    return (await this.#database.all<SubscriptionRow>(sql, values)).map(subscriptionFrom)
  }

  async update(
    subjectId: string,
    subscriptionId: string,
    change: (current: StoredSubscription) => Partial<SubscriptionState> | undefined,
  ): Promise<StoredSubscription | undefined> {
    const subject = await this.#owners.require(subjectId)
    return this.#database.quiet(async (session) => {
      const current = await this.#find(session, subjectId, subscriptionId, 'for update of s')
      const changes = current && change(current)
      if (!changes) return current
      const next = { ...current, ...changes }
      await save(session, subject, next)
      return next
    })
  }

  async remove(subjectId: string, subscriptionId: string): Promise<boolean> {
    const subject = await this.#owners.find(subjectId)
    if (subject === undefined) return false
    return this.#database.quiet(async (session) => {
      const sql = 'delete from event_subscription where subject = ? and subscription_id = ?'
      if ((await session.run(sql, subject, subscriptionId)) === 0) return false
      for (const table of ['event_bookmark', 'subscription_event', 'event_delivery'])
        await session.run(`delete from ${table} where ${OWN}`, subject, subscriptionId)
      return true
    })
  }

  async unsettled(now: number): Promise<StoredSubscription[]> {
    const sql = `select s.*, o.subject_id, g.body grant_body, g.revoked_at, g.expired_at
      from event_subscription s join owner o using (subject)
      left join access_grant g on g.subject = s.subject and g.grant_id = s.grant_id where ${LIVE}`
    const rows = await this.#database.all<
      SubscriptionRow & { grant_body: string | null; revoked_at: number | null; expired_at: number | null }
    >(sql)
    const moment = new Date(now).toISOString()
    const isSettled = (row: (typeof rows)[number]) => {
      if (row.moved === 1 || row.grant_body === null || row.revoked_at !== null || row.expired_at !== null) return false
      const { expires_at: end } = storedJson<{ expires_at?: string | null }>(row.grant_body)
      return end == null || end > moment
    }
    return rows.filter((row) => !isSettled(row)).map(subscriptionFrom)
  }

  async follow({ subjectId, subscriptionId }: SubscriptionKey, feeds: readonly FollowedFeed[]): Promise<void> {
    const subject = await this.#owners.require(subjectId)
    await this.#database.quiet(async (session) => {
      await keepBookmarks(session, subject, subscriptionId, feeds)
      await addBookmarks(session, subject, subscriptionId, feeds, 'none')
    })
  }

  async restart({ subjectId, subscriptionId }: SubscriptionKey, feeds: readonly FollowedFeed[]): Promise<void> {
    const subject = await this.#owners.require(subjectId)
    await this.#database.quiet(async (session) => {
      for (const table of ['event_bookmark', 'subscription_event'])
        await session.run(`delete from ${table} where ${OWN}`, subject, subscriptionId)
      await addBookmarks(session, subject, subscriptionId, feeds, 'now')
      await session.run(`update event_subscription set moved = 0 where ${OWN}`, subject, subscriptionId)
    })
  }

  async end(
    subjectId: string,
    subscriptionId: string,
    state: Partial<SubscriptionState>,
    last?: Parameters<SubscriptionStore['addEvent']>[1],
  ): Promise<boolean> {
    const subject = await this.#owners.require(subjectId)
    return this.#database.quiet(async (session) => {
      const current = await this.#find(session, subjectId, subscriptionId, 'for update of s')
      if (!current || current.status === state.status) return false
      await save(session, subject, { ...current, ...state })
      await session.run(`delete from subscription_event where ${OWN}`, subject, subscriptionId)
      if (state.status === 'disabled_revoked')
        await session.run(`delete from event_bookmark where ${OWN}`, subject, subscriptionId)
      if (last) await insertEvent(session, subject, subscriptionId, last)
      return true
    })
  }

  async changed(limit: number): Promise<ChangedFeed[]> {
    return changedFeeds(this.#database, limit)
  }

  async moveBookmarks(moves: readonly BookmarkMove[]): Promise<void> {
    if (moves.length === 0) return
    await this.#database.quiet(async (session) => {
      for (const move of moves) await moveBookmark(session, await this.#owners.require(move.changed.subjectId), move)
    })
  }

  async #find(
    session: Session,
    subjectId: string,
    subscriptionId: string,
    lock = '',
  ): Promise<StoredSubscription | undefined> {
    const sql = `${SELECT} where o.subject_id = ? and s.subscription_id = ? ${lock}`
    const row = await session.get<SubscriptionRow>(sql, subjectId, subscriptionId)
    return row && subscriptionFrom(row)
  }
}

async function save(session: Session, subject: number, next: StoredSubscription): Promise<void> {
  await session.run(
    `update event_subscription set status = ?, updated_at = ?, body = ? where ${OWN}`,
    ...[next.status, next.updatedAt, bodyOf(next), subject, next.subscriptionId],
  )
}
