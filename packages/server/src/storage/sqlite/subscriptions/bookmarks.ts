import type { BookmarkMove, ChangedFeed, FollowedFeed, Gap } from '../../../subscriptions/subscription-store.ts'
import { type ChangedRow, changedFeed, gapNumber } from '../../rows/bookmark-row.ts'
import type { Handle } from '../engine/database.ts'

/** Adds bookmarks at the present. Those that exist stay where they are. */
export function addBookmarks(
  db: Handle,
  subjectId: string,
  subscriptionId: string,
  feeds: readonly FollowedFeed[],
  gap: Gap,
): void {
  const sql = `insert into event_bookmark
    select @subscriptionId, @connectorKey, @stream, @connectionId, coalesce(max(f.feed), 0), coalesce(max(f.version), 0), @gap
    from stream s join feed f on f.stream_no = s.stream_no and f.connection_id = @connectionId and f.erased = 0
    where s.subject_id = @subjectId and s.connector_key = @connectorKey and s.name = @stream
    on conflict do nothing`
  for (const feed of feeds) db.run(sql, { ...feed, subjectId, subscriptionId, gap: gapNumber(gap) })
}

/** Removes bookmarks of other feeds, and their events that were never sent. */
export function keepBookmarks(db: Handle, subscriptionId: string, feeds: readonly FollowedFeed[]): void {
  const kept = JSON.stringify(feeds.map(({ stream, connectionId }) => JSON.stringify([stream, connectionId])))
  const others = 'json_array(stream, connection_id) not in (select value from json_each(?))'
  db.run(`delete from event_bookmark where subscription_id = ? and ${others}`, subscriptionId, kept)
  db.run(
    `delete from subscription_event where subscription_id = ? and stream is not null and taken = 0 and ${others}`,
    subscriptionId,
    kept,
  )
}

export function changedFeeds(db: Handle, limit: number): ChangedFeed[] {
  const sql = `select s.subject_id, s.subscription_id, s.grant_id, s.body, b.connector_key, b.stream, b.connection_id,
      b.feed, b.version, b.gap, f.feed present_feed, f.version present_version
    from event_subscription s
    join event_bookmark b on b.subscription_id = s.subscription_id
    join stream t on t.subject_id = s.subject_id and t.connector_key = b.connector_key and t.name = b.stream
    join feed f on f.stream_no = t.stream_no and f.connection_id = b.connection_id and f.erased = 0
    where s.status = 'active' and s.moved = 0 and (f.feed <> b.feed or f.version > b.version or b.gap = 2)
      and not exists (select 1 from access_grant g where g.subject_id = s.subject_id and g.grant_id = s.grant_id
        and g.paused_at is not null)
    limit ?`
  return db.all<ChangedRow>(sql, limit).map(changedFeed)
}

export function moveBookmark(db: Handle, { changed, event }: BookmarkMove): void {
  const { subscriptionId, connectorKey, stream, connectionId, bookmark, present, gap } = changed
  // A gap stays for the next event until some event has named it.
  const move = `update event_bookmark set feed = @feed, version = @version, gap = @gap
    where subscription_id = @subscriptionId and connector_key = @connectorKey and stream = @stream
      and connection_id = @connectionId and feed = @oldFeed and version = @oldVersion`
  const moved = db.run(move, {
    ...{ subscriptionId, connectorKey, stream, connectionId },
    ...{ feed: present.feed, version: present.version, gap: event ? 0 : gapNumber(gap) },
    ...{ oldFeed: bookmark?.feed ?? 0, oldVersion: bookmark?.version ?? 0 },
  })
  if (moved === 0 || !event) return
  if (event.data['gap'] === undefined) {
    const extend = `update subscription_event set count = count + ? where sequence = (select max(sequence)
      from subscription_event where subscription_id = ? and taken = 0 and stream = ? and connection_id = ?)`
    if (db.run(extend, event.count, subscriptionId, stream, connectionId) === 1) return
  } else {
    // The event that names a gap replaces every unsent event before it.
    const drop = `delete from subscription_event
      where subscription_id = ? and taken = 0 and stream = ? and connection_id = ?`
    db.run(drop, subscriptionId, stream, connectionId)
  }
  const insert = `insert into subscription_event
    (event_id, subscription_id, type, stream, connection_id, count, data, at, due_at)
    values (@eventId, @subscriptionId, @type, @stream, @connectionId, @count, @data, @at, @at)`
  const { eventId, type, count, data, at } = event
  db.run(insert, { eventId, subscriptionId, type, stream, connectionId, count, data: JSON.stringify(data), at })
}
