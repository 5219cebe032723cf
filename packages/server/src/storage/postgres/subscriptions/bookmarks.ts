import type { BookmarkMove, ChangedFeed, FollowedFeed, Gap } from '../../../subscriptions/subscription-store.ts'
import { type ChangedRow, changedFeed, gapNumber } from '../../rows/bookmark-row.ts'
import type { Session } from '../engine/session.ts'
import { nextEvent } from './event-queue.ts'

/** Adds bookmarks at the present. Those that exist stay where they are. */
export async function addBookmarks(
  session: Session,
  subject: number,
  subscriptionId: string,
  feeds: readonly FollowedFeed[],
  gap: Gap,
): Promise<void> {
  const sql = `insert into event_bookmark
      (subject, subscription_id, connector_key, stream, connection_id, feed, version, gap)
    select @subject::bigint, @subscriptionId, @connectorKey, @stream, @connectionId, coalesce(max(f.feed), 0), coalesce(max(f.version), 0),
      @gap::smallint
    from stream s join feed f on f.subject = s.subject and f.stream_no = s.stream_no
      and f.connection_id = @connectionId and f.erased = 0
    where s.subject = @subject and s.connector_key = @connectorKey and s.name = @stream
    on conflict do nothing`
  for (const feed of feeds) await session.run(sql, { ...feed, subject, subscriptionId, gap: gapNumber(gap) })
}

/** Removes bookmarks of other feeds, and their events that were never sent. */
export async function keepBookmarks(
  session: Session,
  subject: number,
  subscriptionId: string,
  feeds: readonly FollowedFeed[],
): Promise<void> {
  const kept = [feeds.map(({ stream }) => stream), feeds.map(({ connectionId }) => connectionId)]
  const others = '(stream, connection_id) not in (select * from unnest(?::text[], ?::text[]))'
  const bookmarks = `delete from event_bookmark where subject = ? and subscription_id = ? and ${others}`
  await session.run(bookmarks, subject, subscriptionId, ...kept)
  const events = `delete from subscription_event where subject = ? and subscription_id = ? and stream is not null
    and taken = 0 and ${others}`
  await session.run(events, subject, subscriptionId, ...kept)
}

export async function changedFeeds(session: Session, limit: number): Promise<ChangedFeed[]> {
  const sql = `select o.subject_id, s.subscription_id, s.grant_id, s.body, b.connector_key, b.stream, b.connection_id,
      b.feed, b.version, b.gap, f.feed present_feed, f.version present_version
    from event_subscription s join owner o using (subject)
    join event_bookmark b on b.subject = s.subject and b.subscription_id = s.subscription_id
    join stream t on t.subject = s.subject and t.connector_key = b.connector_key and t.name = b.stream
    join feed f on f.subject = t.subject and f.stream_no = t.stream_no and f.connection_id = b.connection_id and f.erased = 0
    where s.status = 'active' and s.moved = 0 and (f.feed <> b.feed or f.version > b.version or b.gap = 2)
      and not exists (select 1 from access_grant g where g.subject = s.subject and g.grant_id = s.grant_id
        and g.paused_at is not null)
    limit ?`
  return (await session.all<ChangedRow>(sql, limit)).map(changedFeed)
}

export async function moveBookmark(session: Session, subject: number, { changed, event }: BookmarkMove): Promise<void> {
  const { subscriptionId, connectorKey, stream, connectionId, bookmark, present, gap } = changed
  // A gap stays for the next event until some event has named it.
  const move = `update event_bookmark set feed = @feed, version = @version, gap = @gap
    where subject = @subject and subscription_id = @subscriptionId and connector_key = @connectorKey
      and stream = @stream and connection_id = @connectionId and feed = @oldFeed and version = @oldVersion`
  const moved = await session.run(move, {
    ...{ subject, subscriptionId, connectorKey, stream, connectionId },
    ...{ feed: present.feed, version: present.version, gap: event ? 0 : gapNumber(gap) },
    ...{ oldFeed: bookmark?.feed ?? 0, oldVersion: bookmark?.version ?? 0 },
  })
  if (moved === 0 || !event) return
  const feed = { subject, subscriptionId, stream, connectionId }
  const own = 'subject = @subject and subscription_id = @subscriptionId'
  const unsent = `${own} and taken = 0 and stream = @stream and connection_id = @connectionId`
  if (event.data['gap'] === undefined) {
    const extend = `update subscription_event set count = count + @count where ${own}
      and sequence = (select max(sequence) from subscription_event where ${unsent})`
    if ((await session.run(extend, { ...feed, count: event.count })) === 1) return
  } else {
    // The event that names a gap replaces every unsent event before it.
    await session.run(`delete from subscription_event where ${unsent}`, feed)
  }
  const insert = `insert into subscription_event
    (subject, sequence, event_id, subscription_id, type, stream, connection_id, count, data, at, due_at)
    values (@subject, @sequence, @eventId, @subscriptionId, @type, @stream, @connectionId, @count, @data, @at, @at)`
  const { eventId, type, count, data, at } = event
  const sequence = await nextEvent(session, subject, subscriptionId)
  if (sequence === undefined) return
  await session.run(insert, { ...feed, sequence, eventId, type, count, at, data: JSON.stringify(data) })
}
