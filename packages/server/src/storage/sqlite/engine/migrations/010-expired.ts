export const EXPIRED = `
-- When a grant was first refused as expired, so that setting the clock back does not revive it.
alter table access_grant add column expired_at integer;
`
