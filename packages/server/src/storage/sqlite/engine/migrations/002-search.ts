export const SEARCH = `
-- Which feeds have a word index (a table f<feed>), over which fields, and how far it has come: "through" is the last
-- record taken in while an index is being built, null once it is complete and kept by every write.
create table search_index (
  feed integer primary key, fields text not null, through integer
);
`
