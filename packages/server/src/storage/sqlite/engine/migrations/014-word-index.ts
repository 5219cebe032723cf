export const WORD_INDEX = `
-- The word index of each owner. Every write adds one to "epoch", so that one read tells a reader whether anything
-- changed. "next_age" is the age of the next segment.
create table word_owner (
  owner integer primary key, subject_id text not null unique, epoch integer not null default 0,
  next_age integer not null default 1
);

-- One indexing of a feed under one choice of fields ("spec"). Its number is never used again. "through" is the last
-- indexed record while it is being built, and null when it is complete and every write keeps it so.
create table word_edition (
  edition integer primary key autoincrement, owner integer not null, feed integer not null unique, spec text not null,
  through integer
);

-- Documents and the words in them. A segment is never changed. "state" is 0 while its rows are being written, 1 while
-- searches use it, and 2 while its rows are being removed. "age" orders writes: a merged segment has that of its
-- newest part. "words" has all words of a small segment; those of a larger one are in the next three tables.
create table word_segment (
  segment integer primary key autoincrement, owner integer not null, age integer not null, state integer not null,
  documents integer not null, columns blob not null, words blob
);
create index word_segment_owner on word_segment (owner, state, age);
create table word_segment_edition (
  edition integer not null, segment integer not null, primary key (edition, segment)
) without rowid;
create table word_segment_terms (segment integer primary key, terms blob not null);
create table word_posting (
  owner integer not null, term text not null, segment integer not null, entries integer not null,
  documents integer not null, postings blob not null, places blob,
  primary key (owner, term, segment)
) without rowid;
-- Places that are too long to stand beside the postings.
create table word_place (
  owner integer not null, term text not null, segment integer not null, places blob not null,
  primary key (owner, term, segment)
) without rowid;
-- The terms of all larger segments, for words that have other forms.
create table word_term (owner integer not null, term text not null, primary key (owner, term)) without rowid;

-- Records that were replaced or deleted: what segments older than "before" have of them counts no more. "versions"
-- is how many times they still stand in segments; "changed" is the epoch of the last change to the row.
create table word_dead (
  owner integer not null, edition integer not null, number integer not null, before integer not null,
  versions integer not null, changed integer not null,
  primary key (owner, edition, number)
) without rowid;
create index word_dead_changed on word_dead (owner, changed);

-- The words of older versions are indexed again after the start. Their tables are dropped then.
insert into word_owner (subject_id)
  select distinct f.subject_id from search_index i join feed f using (feed) where f.erased = 0;
insert into word_edition (owner, feed, spec, through)
  select o.owner, i.feed, '', 0 from search_index i join feed f using (feed) join word_owner o using (subject_id)
  where f.erased = 0;
alter table search_index rename to old_word_table;
`
