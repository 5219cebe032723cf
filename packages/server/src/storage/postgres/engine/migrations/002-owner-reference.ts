export const OWNER_REFERENCE = `
-- A random text that stands for the owner in tokens. Null until the first token is issued.
alter table owner add column reference text collate "C" unique;
`
