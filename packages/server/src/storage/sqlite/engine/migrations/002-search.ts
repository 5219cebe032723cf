export const SEARCH = `
-- Which feeds have a word index (a table f<feed>), over which fields, and its progress: "through" is the last indexed
-- record while the index is being built, and null when it is complete and updated by every write.
create table search_index (
  feed integer primary key, fields text not null, through integer
);
`
