export const INSTALLATION = `
-- The same as in the main file: the two are halves of one installation.
create table installation (id blob primary key) without rowid;
`
