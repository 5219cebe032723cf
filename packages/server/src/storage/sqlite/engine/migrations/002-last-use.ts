export const LAST_USE = `
-- When a grant was last used, if the receipts of it were deleted.
create table last_use (
  subject_id text not null, grant_id text not null, at integer not null, primary key (subject_id, grant_id)
) without rowid;
`
