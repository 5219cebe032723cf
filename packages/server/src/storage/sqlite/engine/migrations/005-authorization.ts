/** The authorization server: clients, running requests, approvals. */
export const AUTHORIZATION = `
create table client (
  client_id text primary key, kind text not null, metadata text not null,
  created_at integer not null, last_used_at integer, fresh_until integer
) without rowid;
create index client_created on client (created_at, client_id);

create table artifact (
  kind text not null, id text not null, payload text not null, authorization_id text, alias text,
  expires_at integer not null, consumed_at integer,
  primary key (kind, id)
) without rowid;
create index artifact_alias on artifact (kind, alias) where alias is not null;
create index artifact_authorization on artifact (authorization_id) where authorization_id is not null;
create index artifact_expiry on artifact (expires_at);

create table authorization (
  authorization_id text primary key, subject_id text not null, client_id text not null, kind text not null,
  grant_id text, package_id text, audiences text not null, single_use integer not null,
  created_at integer not null, expires_at integer, revoked_at integer
) without rowid;
create index authorization_client on authorization (subject_id, client_id);

create table refresh_token (
  hash blob primary key, authorization_id text not null,
  created_at integer not null, expires_at integer not null, rotated_at integer
) without rowid;
create index refresh_token_authorization on refresh_token (authorization_id);
create index refresh_token_expiry on refresh_token (expires_at);

alter table token add column authorization_id text;
create index token_authorization on token (authorization_id) where authorization_id is not null;
create index token_expiry on token (expires_at) where authorization_id is not null;
`
