/** Times are milliseconds since 1970 unless a comment says microseconds. */
export const GROUND = `
create table secret (name text primary key, value blob not null) without rowid;

create table setting (
  subject_id text not null, name text not null, value text not null,
  primary key (subject_id, name)
) without rowid;

create table source (
  subject_id text not null, connector_key text not null, declaration text not null, revision integer not null,
  created_at integer not null, updated_at integer not null,
  primary key (subject_id, connector_key)
) without rowid;

-- Each stream has its own table r<stream_no>, with the columns of its layout (layout.ts).
create table stream (
  stream_no integer primary key autoincrement,
  subject_id text not null, connector_key text not null, name text not null,
  layout text not null, revision integer not null default 0, next_record integer not null default 1,
  unique (subject_id, connector_key, name)
);

create table connection (
  subject_id text not null, connection_id text not null, connector_key text not null,
  display_name text, created_at integer not null, updated_at integer not null,
  primary key (subject_id, connection_id)
) without rowid;

-- The id of a removed connection is never used again, because grants that named it must not read another one.
create table removed_connection (
  subject_id text not null, connection_id text not null, primary key (subject_id, connection_id)
) without rowid;

-- One stream of one connection. A wiped stream gets a new feed, so that cursors over the old feed expire.
create table feed (
  feed integer primary key autoincrement,
  subject_id text not null, connection_id text not null, stream_no integer not null,
  version integer not null default 0, record_count integer not null default 0,
  captured_at integer, attempted_at integer, erased integer not null default 0
);
create unique index feed_of on feed (stream_no, connection_id) where erased = 0;
create index feed_connection on feed (subject_id, connection_id);

-- Which fields changed in which version. An update clears its bits in older rows of the record, so every row says
-- "these fields last changed here", and the log never has more bits than records times fields.
create table change (
  feed integer not null, version integer not null, part integer not null,
  record integer not null, mask integer not null, emitted_at integer not null, deleted integer not null,
  primary key (feed, version, part)
) without rowid;
create index change_record on change (feed, record, version);

-- Records that left: deleted, or moved out of a consent time ("time", in microseconds).
-- "number" is the record's number at that time (0 once erased, so that no receipt finds it), "current" its number now.
create table gone (
  feed integer not null, number integer not null, current integer not null,
  key text not null, time integer, at integer not null
);
create index gone_current on gone (feed, current);
create index gone_key on gone (feed, key);

create table sync_state (
  subject_id text not null, connector_key text not null, connection_id text not null,
  state text not null, updated_at integer not null,
  primary key (subject_id, connector_key, connection_id)
) without rowid;

create table access_grant (
  subject_id text not null, grant_id text not null, client_id text not null, body text not null,
  created_at integer not null, revoked_at integer, consumed_at integer,
  primary key (subject_id, grant_id)
) without rowid;
create index grant_created on access_grant (subject_id, created_at, grant_id);

create table token (
  hash blob primary key, subject_id text not null, kind text not null, client_id text, grant_id text,
  created_at integer not null, expires_at integer, revoked_at integer
) without rowid;
create index token_grant on token (subject_id, grant_id);
`
