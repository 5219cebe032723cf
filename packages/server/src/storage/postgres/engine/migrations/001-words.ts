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

-- "bytes" is the size of its words, and "parts" has the first term of each part.
create table word_segment (
  subject bigint not null, segment bigint not null, age bigint not null, state smallint not null,
  documents bigint not null, bytes bigint not null, parts bytea not null, columns bytea not null,
  primary key (subject, segment)
);
create index word_segment_listed on word_segment (subject, state, age, segment);
create table word_segment_edition (
  subject bigint not null, edition bigint not null, segment bigint not null, primary key (subject, edition, segment)
);
-- Neighbouring terms of a segment.
create table word_part (
  subject bigint not null, segment bigint not null, part bigint not null, terms bytea not null,
  postings bytea not null, places bytea not null, primary key (subject, segment, part)
);

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
