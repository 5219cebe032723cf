export const SIGN_IN = `
create table owner_password (subject_id text primary key, hash text not null, updated_at integer not null) without rowid;

create table sign_in_link (
  hash blob primary key, subject_id text not null, created_at integer not null, expires_at integer not null
) without rowid;

create table session (
  hash blob primary key, session_id text not null unique, subject_id text not null, method text not null,
  agent text not null, created_at integer not null, seen_at integer not null, expires_at integer not null
) without rowid;
create index session_subject on session (subject_id, seen_at);
`
