// Tables and indexes of the hand-written store. They must match those of the product, so change both together.
import { SEARCHED } from '../data/source.ts'

export const tableSql = (stream: string): string => `
  create table ${stream} (
    id integer primary key, feed integer not null, key text not null, emitted_at integer not null,
    touched integer not null default 0, extra integer not null default 0, data text not null,
    sent_at integer, author text, channel text, amount_cents integer, flagged integer);
  create unique index ${stream}_key on ${stream} (feed, key);
  create index ${stream}_feed on ${stream} (feed);
  create index ${stream}_sent_at on ${stream} (feed, sent_at);
  create index ${stream}_author on ${stream} (feed, author, sent_at);
  create index ${stream}_channel on ${stream} (feed, channel, sent_at);
  create index ${stream}_amount_cents on ${stream} (feed, amount_cents);`

export const CHANGES_SQL = `
  create table change (
    feed integer not null, version integer not null, part integer not null, record integer not null,
    mask integer not null, emitted_at integer not null, deleted integer not null,
    primary key (feed, version, part)) without rowid;
  create index change_record on change (feed, record, version);`

/** One word index for all streams, with the tokenizer that most developers would choose. */
export const WORDS_SQL = `
  create virtual table words using fts5(
    ${SEARCHED.join(', ')}, content='', contentless_delete=1, tokenize='unicode61')`
