export const WORD_PARTS = `
-- The words of a segment are in rows of neighbouring terms, instead of a row for each term. What was indexed before is
-- indexed again after the start.
drop table word_segment;
drop table word_segment_terms;
drop table word_posting;
drop table word_place;
drop table word_term;

-- "bytes" is the size of its words, and "parts" has the first term of each part.
create table word_segment (
  segment integer primary key autoincrement, owner integer not null, age integer not null, state integer not null,
  documents integer not null, bytes integer not null, parts blob not null, columns blob not null
);
create index word_segment_owner on word_segment (owner, state, age);
-- Neighbouring terms of a segment. The id is the segment times 65,536, plus the position of the part.
create table word_part (
  id integer primary key, terms blob not null, postings blob not null, places blob not null
);

delete from word_segment_edition;
delete from word_dead;
update word_edition set through = 0;
update word_owner set epoch = epoch + 1;
`
