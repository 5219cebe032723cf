/** The word index. docs/storage.md describes its tables and bytes; they are the same as in SQLite. */
export const WORDS = `
-- The lock of the row puts the segments of an owner in order. "lease": who merges segments, and until when.
create table word_owner (
  subject bigint primary key, epoch bigint not null default 0, next_age bigint not null default 1,
  next_segment bigint not null default 1, next_edition bigint not null default 1,
  lease_holder text, lease_until bigint not null default 0
);

create table word_edition (
  subject bigint not null, edition bigint not null, feed bigint not null, spec text not null, through bigint,
  primary key (subject, edition), unique (subject, feed)
);

create table word_segment (
  subject bigint not null, segment bigint not null, age bigint not null, state smallint not null,
  documents bigint not null, columns bytea not null, words bytea, primary key (subject, segment)
);
create index word_segment_listed on word_segment (subject, state, age, segment);
create table word_segment_edition (
  subject bigint not null, edition bigint not null, segment bigint not null, primary key (subject, edition, segment)
);
create table word_segment_terms (
  subject bigint not null, segment bigint not null, terms bytea not null, primary key (subject, segment)
);
create table word_posting (
  subject bigint not null, term text collate "C" not null, segment bigint not null, entries bigint not null,
  documents bigint not null, postings bytea not null, places bytea, primary key (subject, term, segment)
);
create table word_place (
  subject bigint not null, term text collate "C" not null, segment bigint not null, places bytea not null,
  primary key (subject, term, segment)
);
create table word_term (subject bigint not null, term text collate "C" not null, primary key (subject, term));

create table word_dead (
  subject bigint not null, edition bigint not null, number bigint not null, before bigint not null,
  versions bigint not null, changed bigint not null, primary key (subject, edition, number)
);
create index word_dead_changed on word_dead (subject, changed);

-- Fields whose text is too long to be indexed in full. A search that covers them reports it.
create table search_cut (
  subject bigint not null, feed bigint not null, record bigint not null, field text collate "C" not null,
  primary key (subject, feed, record, field)
);
`
