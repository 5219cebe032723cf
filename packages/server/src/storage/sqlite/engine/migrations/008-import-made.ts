export const IMPORT_MADE = `
-- Sources and connections that an import made, so that undoing it can take them back. "revision" is that of the source
-- as imports left it; "outcome" says what undoing came to: removed, or why it stays.
create table import_made (
  import_no integer not null, kind text not null, name text not null, revision integer, outcome text,
  primary key (import_no, kind, name)
) without rowid;
create index import_made_name on import_made (kind, name);
`
