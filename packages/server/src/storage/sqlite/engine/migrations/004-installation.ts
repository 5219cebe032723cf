export const INSTALLATION = `
-- The same id is in the main file, because the two files belong together.
create table installation (id blob primary key) without rowid;
`
