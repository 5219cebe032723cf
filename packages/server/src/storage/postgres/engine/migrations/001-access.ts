/** Grants, tokens, sign-in and the authorization server. */
export const ACCESS = `
create table access_grant (
  subject bigint not null, grant_id text collate "C" not null, client_id text not null, body text not null,
  created_at bigint not null, revoked_at bigint, consumed_at bigint, package_id text collate "C", package_order bigint,
  paused_at bigint, replaced_by text, expired_at bigint,
  primary key (subject, grant_id)
);
create index grant_created on access_grant (subject, created_at, grant_id);
create index grant_package on access_grant (subject, package_id, package_order) where package_id is not null;

-- Several grants behind one token. A package has no rights itself: it reads what its members read.
create table package (
  subject bigint not null, package_id text collate "C" not null, client_id text not null, client_name text,
  created_at bigint not null, revoked_at bigint, primary key (subject, package_id)
);
create index package_created on package (subject, created_at, package_id);

-- What agents asked for and were refused. "thing" identifies it; the empty one stands for all beyond the limit.
create table wish (
  subject bigint not null, client_id text collate "C" not null, thing text collate "C" not null,
  wish_id text collate "C" not null, access_id text not null, lacks text, times bigint not null,
  first_at bigint not null, last_at bigint not null, state text collate "C" not null default 'open', decided_at bigint,
  primary key (subject, client_id, thing)
);
create unique index wish_id on wish (subject, wish_id);
create index wish_last on wish (subject, state, last_at);

-- Whoever shows a token, a session or a code does not say whose it is, so these tables are found by hash or id alone.
create table token (
  hash bytea primary key, subject bigint not null, kind text not null, client_id text, grant_id text collate "C",
  package_id text collate "C", audience text not null, created_at bigint not null, expires_at bigint,
  revoked_at bigint, authorization_id text collate "C"
);
create index token_grant on token (subject, grant_id);
create index token_package on token (subject, package_id) where package_id is not null;
create index token_authorization on token (authorization_id) where authorization_id is not null;
create index token_expiry on token (expires_at) where authorization_id is not null;

create table owner_password (subject bigint primary key, hash text not null, updated_at bigint not null);

create table sign_in_link (
  hash bytea primary key, subject bigint not null, created_at bigint not null, expires_at bigint not null
);
create index sign_in_link_subject on sign_in_link (subject, created_at);

create table session (
  hash bytea primary key, session_id text collate "C" not null, subject bigint not null, method text not null,
  agent text not null, created_at bigint not null, seen_at bigint not null, expires_at bigint not null
);
create index session_subject on session (subject, seen_at);

create table client (
  client_id text collate "C" primary key, kind text not null, metadata text not null,
  created_at bigint not null, last_used_at bigint, fresh_until bigint
);
create index client_created on client (created_at, client_id);

create table artifact (
  kind text collate "C" not null, id text collate "C" not null, payload text not null,
  authorization_id text collate "C", alias text collate "C", expires_at bigint not null, consumed_at bigint,
  primary key (kind, id)
);
create index artifact_alias on artifact (kind, alias) where alias is not null;
create index artifact_authorization on artifact (authorization_id) where authorization_id is not null;
create index artifact_expiry on artifact (expires_at);

create table "authorization" (
  authorization_id text collate "C" primary key, subject bigint not null, client_id text collate "C" not null, kind text not null,
  grant_id text, package_id text, audiences text not null, single_use smallint not null,
  created_at bigint not null, expires_at bigint, revoked_at bigint
);
create index authorization_client on "authorization" (subject, client_id);

create table refresh_token (
  hash bytea primary key, authorization_id text collate "C" not null,
  created_at bigint not null, expires_at bigint not null, rotated_at bigint
);
create index refresh_token_authorization on refresh_token (authorization_id);
create index refresh_token_expiry on refresh_token (expires_at);
`
