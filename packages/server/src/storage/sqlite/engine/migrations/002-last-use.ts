export const LAST_USE = `
-- When a grant was last used, as far as the receipts that would say so have been dropped.
create table last_use (
  subject_id text not null, grant_id text not null, at integer not null, primary key (subject_id, grant_id)
) without rowid;
`
