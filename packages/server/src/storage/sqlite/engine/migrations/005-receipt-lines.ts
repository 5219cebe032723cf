export const RECEIPT_LINES = `
-- A receipt of several streams has a line for each. "continues" is 1 if a line belongs to the line before it.
alter table receipt add column continues integer not null default 0;
drop index receipt_tally;
create index receipt_tally on receipt (subject_id, at, client, stream, outcome, continues);
`
