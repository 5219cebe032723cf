export const SUBSCRIPTIONS = `
-- A client's wish to hear of changes. "moved" is 1 if its grant was replaced and its bookmarks are still the old ones.
create table event_subscription (
  subject_id text not null, subscription_id text primary key, grant_id text not null, client_id text not null,
  delivery text not null, callback_url text, status text not null, body text not null,
  created_at integer not null, updated_at integer not null, moved integer not null default 0
) without rowid;
create index event_subscription_grant on event_subscription (subject_id, grant_id);
create index event_subscription_created on event_subscription (subject_id, created_at, subscription_id);

-- How far a subscription has heard of each feed. The change log is the outbox: whatever is newer is still to be told.
-- "feed" is 0 if there was none when the bookmark was set. "gap": 0 none, 1 say it in the next event, 2 say it now.
create table event_bookmark (
  subscription_id text not null, connector_key text not null, stream text not null, connection_id text not null,
  feed integer not null, version integer not null, gap integer not null default 0,
  primary key (subscription_id, connector_key, stream, connection_id)
) without rowid;

-- "taken" is 1 once an event was sent or handed out. From then on it must not change.
create table subscription_event (
  sequence integer primary key autoincrement, event_id text not null, subscription_id text not null,
  type text not null, stream text, connection_id text, count integer, data text not null, at integer not null,
  taken integer not null default 0, attempts integer not null default 0, due_at integer not null
);
create index subscription_event_of on subscription_event (subscription_id, sequence);

create table event_delivery (
  subscription_id text not null, at integer not null, event_id text not null, type text not null,
  stream text, connection_id text, status integer, outcome text not null
);
create index event_delivery_of on event_delivery (subscription_id);
`
