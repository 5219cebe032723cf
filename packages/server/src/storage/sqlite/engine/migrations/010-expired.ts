export const EXPIRED = `
-- When a grant was first refused as expired: a clock that is set back does not give it back.
alter table access_grant add column expired_at integer;
`
