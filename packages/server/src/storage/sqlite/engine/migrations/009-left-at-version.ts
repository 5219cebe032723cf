export const LEFT_AT_VERSION = `
-- The version at which a record left. A reader who saw it leave gets no later changes of it.
alter table gone add column version integer not null default 0;
update gone set version = coalesce(
  (select max(c.version) from change c where c.feed = gone.feed and c.record = gone.current), 0
);
create index gone_version on gone (feed, version);
`
