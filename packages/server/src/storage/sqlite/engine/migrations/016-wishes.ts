export const WISHES = `
-- What agents asked for and were refused. "thing" identifies it; the empty one stands for all beyond the limit.
create table wish (
  subject_id text not null, client_id text not null, thing text not null, wish_id text not null,
  access_id text not null, lacks text, times integer not null, first_at integer not null, last_at integer not null,
  state text not null default 'open', decided_at integer,
  primary key (subject_id, client_id, thing)
) without rowid;
create unique index wish_id on wish (subject_id, wish_id);
create index wish_last on wish (subject_id, state, last_at);
`
