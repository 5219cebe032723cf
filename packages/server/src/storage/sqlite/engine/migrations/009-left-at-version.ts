export const LEFT_AT_VERSION = `
-- The version of the change by which a record left. Later changes of it are no news to whoever saw it leave.
alter table gone add column version integer not null default 0;
update gone set version = coalesce(
  (select max(c.version) from change c where c.feed = gone.feed and c.record = gone.current), 0
);
create index gone_version on gone (feed, version);
`
