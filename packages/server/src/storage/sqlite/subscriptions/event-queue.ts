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
import type { Handle, WriteDatabases } from '../engine/database.ts'

const COLUMNS = 'e.sequence, e.event_id, e.subscription_id, e.type, e.count, e.data, e.at, e.attempts'
/** The oldest event of every webhook subscription that may send it. */
const HEADS = `from event_subscription s
  join subscription_event e on e.sequence =
    (select min(sequence) from subscription_event x where x.subscription_id = s.subscription_id)
  where s.delivery = 'webhook' and s.moved = 0 and case s.status
    when 'active' then e.type <> 'pdpp.grant.revoked'
    when 'pending_verification' then e.type = 'pdpp.subscription.verify'
    when 'disabled_revoked' then e.type = 'pdpp.grant.revoked' else 0 end
  and not exists (select 1 from access_grant g where g.subject_id = s.subject_id and g.grant_id = s.grant_id
    and g.paused_at is not null and g.revoked_at is null)`
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
export class SqliteEventQueue {
  readonly #writer: Handle
  readonly #reader: Handle

  constructor({ quietWriter, reader }: WriteDatabases) {
    this.#writer = quietWriter
    this.#reader = reader
  }

  async addEvent({ subscriptionId }: SubscriptionKey, event: NewEvent): Promise<void> {
    this.insertEvent(subscriptionId, event)
  }

  async dropEvents({ subscriptionId }: SubscriptionKey, type: EventType): Promise<void> {
    this.#writer.run('delete from subscription_event where subscription_id = ? and type = ?', subscriptionId, type)
  }

  async countEvents({ subscriptionId }: SubscriptionKey): Promise<number> {
    const sql = 'select count(*) n from subscription_event where subscription_id = ?'
    return this.#reader.get<{ n: number }>(sql, subscriptionId)!.n
  }

  async takeEvents({ subscriptionId }: SubscriptionKey, limit: number): Promise<StoredEvent[]> {
    const sql = `select ${COLUMNS}, e.taken from subscription_event e where e.subscription_id = ?
      order by e.sequence limit ?`
    const rows = this.#reader.all<EventRow & { taken: number }>(sql, subscriptionId, limit)
    if (rows.every(({ taken }) => taken === 1)) return rows.map(eventFrom)
    return this.#writer.transaction(() => {
      const current = this.#writer.all<EventRow>(sql, subscriptionId, limit)
      const take = 'update subscription_event set taken = 1 where subscription_id = ? and sequence <= ? and taken = 0'
      this.#writer.run(take, subscriptionId, current.at(-1)?.sequence ?? 0)
      return current.map(eventFrom)
    })
  }

  async acknowledge({ subscriptionId }: SubscriptionKey, sequence: number): Promise<void> {
    const sql = 'delete from subscription_event where subscription_id = ? and sequence <= ? and taken = 1'
    this.#writer.run(sql, subscriptionId, sequence)
  }

  async dropUnread(before: number): Promise<void> {
    const old = `subscription_id in (select subscription_id from event_subscription where delivery = 'poll')
      and at < ?`
    if (!this.#reader.get(`select 1 from subscription_event where ${old} limit 1`, before)) return
    this.#writer.transaction(() => {
      const mark = `update event_bookmark set gap = max(gap, 1) where (subscription_id, stream, connection_id) in
        (select subscription_id, stream, connection_id from subscription_event where stream is not null and ${old})`
      this.#writer.run(mark, before)
      this.#writer.run(`delete from subscription_event where ${old}`, before)
    })
  }

  async due(now: number, limit: number): Promise<(StoredEvent & { readonly subscription: StoredSubscription })[]> {
    const sql = `select ${COLUMNS}, s.subject_id, s.grant_id, s.client_id, s.delivery, s.callback_url, s.status, s.body,
      s.created_at, s.updated_at, s.moved ${HEADS} and e.due_at <= ? order by e.due_at limit ?`
    return this.#reader
      .all<EventRow & SubscriptionRow>(sql, now, limit)
      .map((row) => ({ ...eventFrom(row), subscription: subscriptionFrom(row) }))
  }

  async nextDue(): Promise<number | undefined> {
    return this.#reader.get<{ at: number | null }>(`select min(e.due_at) at ${HEADS}`)!.at ?? undefined
  }

  async beginDelivery({ sequence }: EventKey, retryAt: number): Promise<boolean> {
    const sql = 'update subscription_event set taken = 1, attempts = attempts + 1, due_at = ? where sequence = ?'
    return this.#writer.run(sql, retryAt, sequence) === 1
  }

  async delayDelivery({ sequence }: EventKey, retryAt: number): Promise<void> {
    this.#writer.run('update subscription_event set due_at = ? where sequence = ?', retryAt, sequence)
  }

  async removeEvent({ sequence }: EventKey): Promise<void> {
    this.#writer.run('delete from subscription_event where sequence = ?', sequence)
  }

  async hasten({ subscriptionId }: SubscriptionKey, at: number): Promise<void> {
    this.#writer.run('update subscription_event set due_at = ? where subscription_id = ?', at, subscriptionId)
  }

  async logDelivery({ subscriptionId }: SubscriptionKey, entry: DeliveryLogEntry): Promise<void> {
    const { at, eventId, type, stream, connectionId, status, outcome } = entry
    this.#writer.transaction(() => {
      this.#writer.run(
        'insert into event_delivery values (?, ?, ?, ?, ?, ?, ?, ?)',
        ...[subscriptionId, at, eventId, type, stream ?? null, connectionId ?? null, status ?? null, outcome],
      )
      const trim = `delete from event_delivery where rowid in (select rowid from event_delivery
        where subscription_id = ? order by rowid desc limit -1 offset ?)`
      this.#writer.run(trim, subscriptionId, MAX_LOGGED)
    })
  }

  async deliveries({ subscriptionId }: SubscriptionKey): Promise<DeliveryLogEntry[]> {
    const sql = 'select * from event_delivery where subscription_id = ? order by rowid desc'
    return this.#reader.all<DeliveryRow>(sql, subscriptionId).map((row) => ({
      at: row.at,
      eventId: row.event_id,
      type: row.type,
      stream: row.stream ?? undefined,
      connectionId: row.connection_id ?? undefined,
      status: row.status ?? undefined,
      outcome: row.outcome,
    }))
  }

  protected insertEvent(subscriptionId: string, { eventId, type, at, data }: NewEvent): void {
    const sql = `insert into subscription_event (event_id, subscription_id, type, data, at, due_at)
      values (?, ?, ?, ?, ?, ?)`
    this.#writer.run(sql, eventId, subscriptionId, type, JSON.stringify(data), at, at)
  }
}
