export const IMPORT_MADE = `
-- Sources and connections that an import created, so that undoing it can remove them. "revision" is the source's
-- revision after the last import; "outcome" is the result of undoing: removed, or why it stays.
create table import_made (
  import_no integer not null, kind text not null, name text not null, revision integer, outcome text,
  primary key (import_no, kind, name)
) without rowid;
create index import_made_name on import_made (kind, name);
`
