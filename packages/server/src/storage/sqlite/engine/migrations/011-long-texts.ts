export const LONG_TEXTS = `
-- Fields whose text is too long to be indexed in full. A search that covers them reports it.
create table search_cut (
  feed integer not null, record integer not null, field text not null,
  primary key (feed, record, field)
) without rowid;
-- Older indexes: the server looks for their long texts after its next start.
create table search_cut_unknown (feed integer primary key, through integer not null);
insert into search_cut_unknown select feed, 0 from search_index;
`
