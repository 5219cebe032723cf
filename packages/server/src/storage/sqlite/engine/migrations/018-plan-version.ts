/** The tables from which searches are planned, and the columns that matter. Writes of records change none of them. */
const PLANNED = [
  ['source', 'declaration, revision, created_at'],
  ['stream', 'subject_id, connector_key, name, layout, revision'],
  ['connection', 'subject_id, connection_id, display_name'],
  ['feed', 'connection_id, stream_no, erased'],
  ['word_edition', 'owner, feed, spec, through'],
] as const

const COUNT = 'begin update plan_version set version = version + 1; end'

/** An ingest sets a feed's stream to the value that it has, which is no change. */
const changes = (columns: string) =>
  columns
    .split(', ')
    .map((column) => `old.${column} is not new.${column}`)
    .join(' or ')

const triggersOf = (table: string, columns: string) => `
create trigger ${table}_planned_insert after insert on ${table} ${COUNT};
create trigger ${table}_planned_delete after delete on ${table} ${COUNT};
create trigger ${table}_planned_update after update of ${columns} on ${table} when ${changes(columns)} ${COUNT};`

export const PLAN_VERSION = `
-- Grows with every change of what searches are planned from. So a thread keeps its plans while only records are written.
create table plan_version (version integer not null);
insert into plan_version values (1);
${PLANNED.map(([table, columns]) => triggersOf(table, columns)).join('')}
-- Only the first long text of a field counts. When the last one is gone, a plan that still names the field is right too.
create trigger search_cut_planned_insert after insert on search_cut
  when not exists (select 1 from search_cut where feed = new.feed and field = new.field and record <> new.record)
  ${COUNT};
`
