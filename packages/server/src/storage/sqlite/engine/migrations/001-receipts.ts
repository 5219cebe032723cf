export const RECEIPTS = `
-- Lists (fields, connections) and names that repeat are stored once.
create table word (id integer primary key, text text not null unique);

create table receipt (
  sequence integer primary key,
  subject_id text not null, at integer not null,
  client integer, grant_id text, surface integer not null, operation integer not null,
  connector integer, stream integer, connections integer not null, fields integer not null,
  records blob not null, first_record integer, last_record integer,
  bytes integer not null, outcome integer not null, request_id text not null,
  hash blob not null
);
create index receipt_client on receipt (subject_id, client, sequence);
create index receipt_grant on receipt (subject_id, grant_id, sequence);
create index receipt_stream on receipt (subject_id, stream, sequence);
create index receipt_at on receipt (subject_id, at);

-- The hash that the oldest kept receipt builds on, after retention has deleted earlier ones.
create table anchor (subject_id text primary key, sequence integer not null, hash blob not null) without rowid;
`
