export const RECORD_BRIEFS = `
-- The short members of large records, and the names of the others. A page of short fields need not read the rest.
create table record_brief (
  feed integer not null, record integer not null, data text not null, left_out text not null,
  primary key (feed, record)
) without rowid;
`
