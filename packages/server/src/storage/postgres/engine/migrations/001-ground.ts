import { INTEGER_SLOTS, NUMBER_SLOTS, slotNames, TEXT_SLOTS } from '../../records/slots.ts'

/**
 * All tables are fixed: no table is created after the installation. "subject" is an owner's number. It comes first in
 * every key of an owner's rows, so that a distributed engine can keep an owner's rows together. Counters in locked rows
 * assign all numbers, so that numbers grow in the order of commits. Texts compare by their bytes (collate "C"). Times
 * are milliseconds since 1970 unless a comment says microseconds.
 */
export const GROUND = `
create table counter (name text primary key, next bigint not null);
insert into counter values ('owner', 1), ('event', 1);

-- "epoch" grows with every change of the owner's sources and connections.
create table owner (
  subject bigint primary key, subject_id text collate "C" not null unique, epoch bigint not null default 0,
  next_stream bigint not null default 1, next_feed bigint not null default 1, next_import bigint not null default 1
);

create table secret (name text primary key, value bytea not null);

create table setting (
  subject bigint not null, name text collate "C" not null, value text not null, primary key (subject, name)
);

create table source (
  subject bigint not null, connector_key text collate "C" not null, declaration text not null, revision bigint not null,
  created_at bigint not null, updated_at bigint not null, primary key (subject, connector_key)
);

create table stream (
  subject bigint not null, stream_no bigint not null, connector_key text collate "C" not null,
  name text collate "C" not null, layout text not null, revision bigint not null default 0,
  next_record bigint not null default 1,
  primary key (subject, stream_no), unique (subject, connector_key, name)
);

create table connection (
  subject bigint not null, connection_id text collate "C" not null, connector_key text collate "C" not null,
  display_name text, created_at bigint not null, updated_at bigint not null, primary key (subject, connection_id)
);

-- The id of a removed connection is never used again, because grants that named it must not read another one.
create table removed_connection (
  subject bigint not null, connection_id text collate "C" not null, primary key (subject, connection_id)
);

-- One stream of one connection. A wiped stream gets a new feed, so that cursors over the old feed expire.
create table feed (
  subject bigint not null, feed bigint not null, connection_id text collate "C" not null, stream_no bigint not null,
  version bigint not null default 0, record_count bigint not null default 0,
  captured_at bigint, attempted_at bigint, erased smallint not null default 0,
  primary key (subject, feed)
);
create unique index feed_of on feed (subject, stream_no, connection_id) where erased = 0;
create index feed_connection on feed (subject, connection_id);
create index feed_erased on feed (subject, feed) where erased = 1;

-- "data" is the record as JSON. It is text, because PostgreSQL's JSON types lose members, digits and some characters.
-- The fields that reads compare have slots (slots.ts): i for times and truth values, n for numbers, t for texts; those
-- beyond are in the arrays, which have no index.
create table record (
  subject bigint not null, feed bigint not null, id bigint not null, key text collate "C" not null,
  emitted_at bigint not null, touched smallint not null default 0, extra smallint not null default 0, data text not null,
  ${slotNames('i', INTEGER_SLOTS)
    .map((slot) => `${slot} bigint`)
    .join(', ')},
  ${slotNames('n', NUMBER_SLOTS)
    .map((slot) => `${slot} numeric`)
    .join(', ')},
  ${slotNames('t', TEXT_SLOTS)
    .map((slot) => `${slot} text collate "C"`)
    .join(', ')},
  ix bigint[], nx numeric[], tx text[] collate "C",
  primary key (subject, feed, id), unique (subject, feed, key)
) with (autovacuum_vacuum_insert_scale_factor = 0.05);
${[...slotNames('i', INTEGER_SLOTS), ...slotNames('n', NUMBER_SLOTS)]
  .map((slot) => `create index record_${slot} on record (subject, feed, ${slot}, id) where ${slot} is not null;`)
  .join('\n')}
${slotNames('t', TEXT_SLOTS)
  .map((slot) => `create index record_${slot} on record (subject, feed, ${slot}, i0, id) where ${slot} is not null;`)
  .join('\n')}

-- Which fields changed in which version. An update clears its bits in older rows of the record, so every row says
-- "these fields last changed here", and the log never has more bits than records times fields.
create table change (
  subject bigint not null, feed bigint not null, version bigint not null, part smallint not null,
  record bigint not null, mask bigint not null, emitted_at bigint not null, deleted smallint not null,
  primary key (subject, feed, version, part)
);
create index change_record on change (subject, feed, record, version);

-- Records that left: deleted, or moved out of a consent time ("time", in microseconds). "number" is the record's number
-- at that time (0 once erased, so that no receipt finds it), "current" its number now.
create table tombstone (
  subject bigint not null, feed bigint not null, number bigint not null, current bigint not null,
  key text collate "C" not null, time bigint, at bigint not null, version bigint not null
);
create index tombstone_current on tombstone (subject, feed, current);
create index tombstone_key on tombstone (subject, feed, key);
create index tombstone_version on tombstone (subject, feed, version);

create table sync_state (
  subject bigint not null, connector_key text collate "C" not null, connection_id text collate "C" not null,
  state text not null, updated_at bigint not null, primary key (subject, connector_key, connection_id)
);
`
