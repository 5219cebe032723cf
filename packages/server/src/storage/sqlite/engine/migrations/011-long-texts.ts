export const LONG_TEXTS = `
-- Fields whose text is longer than what the word index takes in: a search under whose scope they are says so.
create table search_cut (
  feed integer not null, record integer not null, field text not null,
  primary key (feed, record, field)
) without rowid;
-- Indexes from before: their long texts are noted when the server has started.
create table search_cut_unknown (feed integer primary key, through integer not null);
insert into search_cut_unknown select feed, 0 from search_index;
`
