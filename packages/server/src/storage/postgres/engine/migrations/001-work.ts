/** Blobs, imports, subscriptions and receipts. */
export const WORK = `
create table blob (
  subject bigint not null, sha256 text collate "C" not null, size_bytes bigint not null, mime_type text,
  created_at bigint not null, primary key (subject, sha256)
);

-- The bytes, in pieces. Those of an upload that is under way are stored under the name of the upload.
create table blob_chunk (
  subject bigint not null, name text collate "C" not null, no bigint not null, bytes bytea not null,
  primary key (subject, name, no)
);
create table blob_upload (
  subject bigint not null, name text collate "C" not null, started_at bigint not null, primary key (subject, name)
);

-- Which record refers to which blob, and where. "field" is the declared field that "path" begins with.
-- "awaited_until": set if the blob was sent before the record that will refer to it, null after that.
create table blob_reference (
  subject bigint not null, feed bigint not null, key text collate "C" not null, path text collate "C" not null,
  sha256 text collate "C" not null, field text not null, awaited_until bigint,
  primary key (subject, feed, key, path, sha256)
);
create index blob_reference_blob on blob_reference (subject, sha256, feed);
create index blob_reference_awaited on blob_reference (awaited_until) where awaited_until is not null;

create table import (
  subject bigint not null, import_no bigint not null, import_id text collate "C" not null, state text not null,
  created_at bigint not null, updated_at bigint not null, body text not null, problems bigint not null default 0,
  -- Bytes of the previous content of records. If it was deleted, "dropped" says why, and changes cannot be undone.
  before_bytes bigint not null default 0, dropped text,
  primary key (subject, import_no), unique (subject, import_id)
);

-- What an import wrote to each feed. "undo_at" is the version down to which it is undone.
create table import_feed (
  subject bigint not null, import_no bigint not null, feed bigint not null, connection_id text collate "C" not null,
  stream text not null, added bigint not null default 0, changed bigint not null default 0,
  undo_at bigint, removed bigint not null default 0, restored bigint not null default 0,
  kept bigint not null default 0, primary key (subject, import_no, feed)
);

-- Which import wrote which versions of a feed: inclusive ranges that never overlap.
create table import_version (
  subject bigint not null, feed bigint not null, last bigint not null, first bigint not null, import_no bigint not null,
  primary key (subject, feed, last)
);
create index import_version_of on import_version (subject, import_no, feed, last);

-- The content of a record before an import changed it, and the version of that content.
create table import_before (
  subject bigint not null, import_no bigint not null, feed bigint not null, record bigint not null,
  version bigint not null, data text not null, primary key (subject, import_no, feed, record)
);
create index import_before_record on import_before (subject, feed, record);

create table import_problem (
  subject bigint not null, import_no bigint not null, at bigint not null, body text not null,
  primary key (subject, import_no, at)
);

-- Sources and connections that an import created, so that undoing it can remove them. "revision" is the source's
-- revision after the last import; "outcome" is the result of undoing: removed, or why it stays.
create table import_made (
  subject bigint not null, import_no bigint not null, kind text collate "C" not null, name text collate "C" not null,
  revision bigint, outcome text, primary key (subject, import_no, kind, name)
);
create index import_made_name on import_made (subject, kind, name);

-- A client's wish to hear of changes. "moved" is 1 if its grant was replaced and its bookmarks are still the old ones.
create table event_subscription (
  subscription_id text collate "C" primary key, subject bigint not null, grant_id text collate "C" not null,
  client_id text not null, delivery text not null, callback_url text, status text not null, body text not null,
  created_at bigint not null, updated_at bigint not null, moved smallint not null default 0
);
create index event_subscription_grant on event_subscription (subject, grant_id);
create index event_subscription_created on event_subscription (subject, created_at, subscription_id);

-- How far a subscription has heard of each feed. The change log is the outbox: whatever is newer is still to be told.
-- "feed" is 0 if there was none when the bookmark was set. "gap": 0 none, 1 say it in the next event, 2 say it now.
create table event_bookmark (
  subscription_id text collate "C" not null, connector_key text collate "C" not null, stream text collate "C" not null,
  connection_id text collate "C" not null, feed bigint not null, version bigint not null,
  gap smallint not null default 0, primary key (subscription_id, connector_key, stream, connection_id)
);

-- "taken" is 1 once an event was sent or handed out. From then on it must not change.
create table subscription_event (
  sequence bigint primary key, event_id text not null, subscription_id text collate "C" not null,
  type text not null, stream text collate "C", connection_id text collate "C", count bigint, data text not null,
  at bigint not null, taken smallint not null default 0, attempts bigint not null default 0, due_at bigint not null
);
create index subscription_event_of on subscription_event (subscription_id, sequence);

create table event_delivery (
  subscription_id text collate "C" not null, no bigint not null, at bigint not null, event_id text not null,
  type text not null, stream text, connection_id text, status bigint, outcome text not null,
  primary key (subscription_id, no)
);

create table receipt (
  subject bigint not null, sequence bigint not null, at bigint not null, client text collate "C",
  grant_id text collate "C", surface text not null, operation text not null, connector text collate "C",
  stream text collate "C", connections text not null, fields text not null, records bytea not null,
  first_record bigint, last_record bigint, bytes bigint not null, outcome text not null, request_id text not null,
  hash bytea not null, continues smallint not null default 0, primary key (subject, sequence)
);
create index receipt_client on receipt (subject, client, sequence);
create index receipt_grant on receipt (subject, grant_id, sequence);
create index receipt_stream on receipt (subject, stream, sequence);
create index receipt_at on receipt (subject, at);

-- The last receipt of an owner, which the next one builds on. Its lock puts receipts in order.
create table receipt_head (subject bigint primary key, sequence bigint not null, hash bytea not null);
-- The hash that the oldest kept receipt builds on, after retention has deleted earlier ones.
create table anchor (subject bigint primary key, sequence bigint not null, hash bytea not null);
-- When a grant was last used, if the receipts of it were deleted.
create table last_use (
  subject bigint not null, grant_id text collate "C" not null, at bigint not null, primary key (subject, grant_id)
);
`
