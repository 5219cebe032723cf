import type { FieldKind } from '@pdpp/protocol'
import type { ColumnNames, Layout, LayoutField } from '../../records/layout.ts'

/** Every scalar has a column, except texts that nothing orders or limits. */
export function columnNames({ columns }: Layout): ColumnNames {
  let next = columns
  return {
    columnOf: ({ kind, indexed, isChoice }) => (kind !== 'string' || indexed || isChoice ? `c${next++}` : undefined),
    get assigned() {
      return { columns: next }
    },
  }
}

export const tableName = (streamNo: number): string => `r${streamNo}`
export const indexName = (table: string, column: string): string => `${table}_${column}`
export const keyIndex = (table: string): string => `${table}_key`
export const arrivalIndex = (table: string): string => `${table}_feed`

/**
 * Creates all columns at once, because adding a column later re-reads the schema of all tables. SQLite ends every index
 * in the id by itself, which is the order of arrival.
 */
export function createTable(table: string, fields: readonly LayoutField[]): string {
  const columns = fields.flatMap((field) => (field.column ? [`, ${columnOf(field)}`] : []))
  return `create table ${table} (
    id integer primary key, feed integer not null, key text not null, emitted_at integer not null,
    touched integer not null default 0, extra integer not null default 0, data text not null${columns.join('')});
    create unique index ${keyIndex(table)} on ${table} (feed, key);
    create index ${arrivalIndex(table)} on ${table} (feed);`
}

const COLUMN_TYPES: Partial<Record<FieldKind, string>> = { string: 'text', number: 'numeric' }

export function addColumn(table: string, field: LayoutField): string {
  return `alter table ${table} add column ${columnOf(field)}`
}

const columnOf = ({ column, kind }: LayoutField): string => `${column} ${COLUMN_TYPES[kind] ?? 'integer'}`

/**
 * The index of a sortable field ends in the order of arrival, which breaks ties. Any other ends in the cursor field, so
 * that a page filtered by the field comes out in the usual order.
 */
export function columnIndex(table: string, field: LayoutField, cursor: LayoutField | undefined): string {
  const tail = cursor?.column && !field.sortable ? `, ${cursor.column}` : ''
  return `create index if not exists ${indexName(table, field.column!)} on ${table} (feed, ${field.column}${tail})`
}
