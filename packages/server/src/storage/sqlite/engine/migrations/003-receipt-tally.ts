export const RECEIPT_TALLY = `
-- Covering index to count reads by day, client and stream.
drop index receipt_at;
create index receipt_tally on receipt (subject_id, at, client, stream, outcome);
`
