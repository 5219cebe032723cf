/** Imports: their state, what each of them wrote, and the data for undoing it. */
export const IMPORTS = `
create table import (
  import_no integer primary key autoincrement,
  import_id text not null unique, subject_id text not null, state text not null,
  created_at integer not null, updated_at integer not null, body text not null,
  problems integer not null default 0,
  -- Bytes of the previous content of records. If it was deleted, "dropped" says why, and changes cannot be undone.
  before_bytes integer not null default 0, dropped text
);
create index import_of on import (subject_id, import_no);

-- What an import wrote to each feed. "undo_at" is the version down to which it is undone.
create table import_feed (
  import_no integer not null, feed integer not null, connection_id text not null, stream text not null,
  added integer not null default 0, changed integer not null default 0,
  undo_at integer, removed integer not null default 0, restored integer not null default 0,
  kept integer not null default 0,
  primary key (import_no, feed)
) without rowid;

-- Which import wrote which versions of a feed: inclusive ranges that never overlap.
create table import_version (
  feed integer not null, last integer not null, first integer not null, import_no integer not null,
  primary key (feed, last)
) without rowid;
create index import_version_of on import_version (import_no, feed, last);

-- The content of a record before an import changed it, and the version of that content.
create table import_before (
  import_no integer not null, feed integer not null, record integer not null, version integer not null,
  data text not null,
  primary key (import_no, feed, record)
) without rowid;
create index import_before_record on import_before (feed, record);

create table import_problem (
  import_no integer not null, at integer not null, body text not null,
  primary key (import_no, at)
) without rowid;
`
