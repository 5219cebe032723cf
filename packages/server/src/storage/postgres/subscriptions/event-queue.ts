import type { EventType } from '../../../subscriptions/limits.ts'
import type {
  DeliveryLogEntry,
  EventKey,
  NewEvent,
  StoredEvent,
  StoredSubscription,
  SubscriptionKey,
} from '../../../subscriptions/subscription-store.ts'
import { type EventRow, eventFrom, type SubscriptionRow, subscriptionFrom } from '../../rows/subscription-row.ts'
import type { Database } from '../engine/database.ts'
import type { Session } from '../engine/session.ts'
import type { Owners } from '../installation/owners.ts'

const COLUMNS = 'e.sequence, e.event_id, e.subscription_id, e.type, e.count, e.data, e.at, e.attempts'
/** The oldest event of every webhook subscription that may send it. */
const HEADS = `from event_subscription s join owner o using (subject)
  join subscription_event e on e.subject = s.subject and e.subscription_id = s.subscription_id and e.sequence =
    (select min(sequence) from subscription_event x where x.subject = s.subject and x.subscription_id = s.subscription_id)
  where s.delivery = 'webhook' and s.moved = 0 and case s.status
    when 'active' then e.type <> 'pdpp.grant.revoked'
    when 'pending_verification' then e.type = 'pdpp.subscription.verify'
    when 'disabled_revoked' then e.type = 'pdpp.grant.revoked' else false end
  and not exists (select 1 from access_grant g where g.subject = s.subject and g.grant_id = s.grant_id
    and g.paused_at is not null and g.revoked_at is null)`
export const OWN = 'subject = ? and subscription_id = ?'
/** Attempts that are kept for the owner to look at, for each subscription. */
const MAX_LOGGED = 20

interface DeliveryRow {
  at: number
  event_id: string
  type: DeliveryLogEntry['type']
  stream: string | null
  connection_id: string | null
  status: number | null
  outcome: string
}

/** The events that subscribers still have to receive, and the results of attempts to send them. */
export class PostgresEventQueue {
  readonly #database: Database
  readonly #owners: Owners

  constructor(database: Database, owners: Owners) {
    this.#database = database
    this.#owners = owners
  }

  async addEvent({ subjectId, subscriptionId }: SubscriptionKey, event: NewEvent): Promise<void> {
    const subject = await this.#owners.require(subjectId)
    await this.#database.quiet((session) => insertEvent(session, subject, subscriptionId, event))
  }

  async dropEvents(key: SubscriptionKey, type: EventType): Promise<void> {
    await this.#change(`delete from subscription_event where ${OWN} and type = ?`, key, type)
  }

  async countEvents(key: SubscriptionKey): Promise<number> {
    const sql = `select count(*) n from subscription_event where ${OWN}`
    return (await this.#database.get<{ n: number }>(sql, ...(await this.#own(key))))!.n
  }

  async takeEvents(key: SubscriptionKey, limit: number): Promise<StoredEvent[]> {
    const sql = `select ${COLUMNS}, e.taken from subscription_event e where ${OWN} order by e.sequence limit ?`
    const own = await this.#own(key)
    const rows = await this.#database.all<EventRow & { taken: number }>(sql, ...own, limit)
    if (rows.every(({ taken }) => taken === 1)) return rows.map(eventFrom)
    return this.#database.quiet(async (session) => {
      const current = await session.all<EventRow>(`${sql} for update`, ...own, limit)
      const take = `update subscription_event set taken = 1 where ${OWN} and sequence <= ? and taken = 0`
      await session.run(take, ...own, current.at(-1)?.sequence ?? 0)
      return current.map(eventFrom)
    })
  }

  async acknowledge(key: SubscriptionKey, sequence: number): Promise<void> {
    await this.#change(`delete from subscription_event where ${OWN} and sequence <= ? and taken = 1`, key, sequence)
  }

  async dropUnread(before: number): Promise<void> {
    const old = `(subject, subscription_id) in (select subject, subscription_id from event_subscription
      where delivery = 'poll') and at < ?`
    if (!(await this.#database.get(`select 1 from subscription_event where ${old} limit 1`, before))) return
    await this.#database.quiet(async (session) => {
      const mark = `update event_bookmark set gap = greatest(gap, 1) where (subject, subscription_id, stream, connection_id) in
        (select subject, subscription_id, stream, connection_id from subscription_event where stream is not null and ${old})`
      await session.run(mark, before)
      await session.run(`delete from subscription_event where ${old}`, before)
    })
  }

  async due(now: number, limit: number): Promise<(StoredEvent & { readonly subscription: StoredSubscription })[]> {
    const sql = `select ${COLUMNS}, o.subject_id, s.grant_id, s.client_id, s.delivery, s.callback_url, s.status, s.body,
      s.created_at, s.updated_at, s.moved ${HEADS} and e.due_at <= ? order by e.due_at limit ?`
    const rows = await this.#database.all<EventRow & SubscriptionRow>(sql, now, limit)
    return rows.map((row) => ({ ...eventFrom(row), subscription: subscriptionFrom(row) }))
  }

  async nextDue(): Promise<number | undefined> {
    return (await this.#database.get<{ at: number | null }>(`select min(e.due_at) "at" ${HEADS}`))!.at ?? undefined
  }

  async beginDelivery({ subscription, sequence }: EventKey, retryAt: number): Promise<boolean> {
    const sql = `update subscription_event set taken = 1, attempts = attempts + 1, due_at = ? where ${OWN} and sequence = ?`
    return (await this.#database.run(sql, retryAt, ...(await this.#own(subscription)), sequence)) === 1
  }

  async delayDelivery({ subscription, sequence }: EventKey, retryAt: number): Promise<void> {
    const sql = `update subscription_event set due_at = ? where ${OWN} and sequence = ?`
    await this.#database.run(sql, retryAt, ...(await this.#own(subscription)), sequence)
  }

  async removeEvent({ subscription, sequence }: EventKey): Promise<void> {
    await this.#change(`delete from subscription_event where ${OWN} and sequence = ?`, subscription, sequence)
  }

  async hasten(key: SubscriptionKey, at: number): Promise<void> {
    const sql = `update subscription_event set due_at = ? where ${OWN}`
    await this.#database.run(sql, at, ...(await this.#own(key)))
  }

  async logDelivery(key: SubscriptionKey, entry: DeliveryLogEntry): Promise<void> {
    const { at, eventId, type, stream, connectionId, status, outcome } = entry
    const [subject, subscriptionId] = await this.#own(key)
    const own = 'subject = @subject and subscription_id = @subscriptionId'
    await this.#database.quiet(async (session) => {
      const no = await nextEvent(session, subject, subscriptionId)
      if (no === undefined) return
      const insert = `insert into event_delivery
        (subject, subscription_id, no, at, event_id, type, stream, connection_id, status, outcome)
        values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
      const about = [stream ?? null, connectionId ?? null, status ?? null, outcome]
      await session.run(insert, subject, subscriptionId, no, at, eventId, type, ...about)
      const trim = `delete from event_delivery where ${own} and no in
        (select no from event_delivery where ${own} order by no desc offset @kept)`
      await session.run(trim, { subject, subscriptionId, kept: MAX_LOGGED })
    })
  }

  async deliveries(key: SubscriptionKey): Promise<DeliveryLogEntry[]> {
    const sql = `select * from event_delivery where ${OWN} order by no desc`
    const rows = await this.#database.all<DeliveryRow>(sql, ...(await this.#own(key)))
    return rows.map((row) => ({
      at: row.at,
      eventId: row.event_id,
      type: row.type,
      stream: row.stream ?? undefined,
      connectionId: row.connection_id ?? undefined,
      status: row.status ?? undefined,
      outcome: row.outcome,
    }))
  }

  /** The values for the placeholders of `OWN`. */
  async #own({ subjectId, subscriptionId }: SubscriptionKey): Promise<[subject: number, subscriptionId: string]> {
    return [await this.#owners.require(subjectId), subscriptionId]
  }

  async #change(sql: string, key: SubscriptionKey, ...values: unknown[]): Promise<void> {
    await this.#database.run(sql, ...(await this.#own(key)), ...values)
  }
}

/**
 * The next event number of a subscription. Undefined if the subscription was deleted. Its row stays locked until the
 * transaction ends, so events are numbered in the order of commits.
 */
export async function nextEvent(
  session: Session,
  subject: number,
  subscriptionId: string,
): Promise<number | undefined> {
  const sql = `update event_subscription set next_event = next_event + 1 where ${OWN} returning next_event - 1`
  return (await session.column<number>(sql, subject, subscriptionId))[0]
}

export async function insertEvent(
  session: Session,
  subject: number,
  subscriptionId: string,
  { eventId, type, at, data }: NewEvent,
): Promise<void> {
  const sql = `insert into subscription_event (subject, sequence, event_id, subscription_id, type, data, at, due_at)
    values (?, ?, ?, ?, ?, ?, ?, ?)`
  const sequence = await nextEvent(session, subject, subscriptionId)
  if (sequence === undefined) return
  await session.run(sql, subject, sequence, eventId, subscriptionId, type, JSON.stringify(data), at, at)
}
