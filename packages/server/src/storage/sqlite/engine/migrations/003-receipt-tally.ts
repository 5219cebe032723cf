export const RECEIPT_TALLY = `
-- Reads by day, client and stream are counted from this index alone.
drop index receipt_at;
create index receipt_tally on receipt (subject_id, at, client, stream, outcome);
`
