export const PACKAGES = `
-- Several grants behind one token. A package has no rights itself: it reads what its members read.
create table package (
  subject_id text not null, package_id text not null, client_id text not null, client_name text,
  created_at integer not null, revoked_at integer,
  primary key (subject_id, package_id)
) without rowid;
create index package_created on package (subject_id, created_at, package_id);

alter table access_grant add column package_id text;
alter table access_grant add column package_order integer;
alter table access_grant add column paused_at integer;
alter table access_grant add column replaced_by text;
create index grant_package on access_grant (subject_id, package_id, package_order) where package_id is not null;

alter table token add column package_id text;
-- Where a token is accepted: mcp, v1, or both.
alter table token add column audience text not null default 'mcp v1';
create index token_package on token (subject_id, package_id) where package_id is not null;
`
