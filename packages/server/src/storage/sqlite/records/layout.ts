import type { FieldKind, SourceDeclaration, StreamDeclaration } from '@pdpp/protocol'
import { declaredFields, isScalar, isToParent } from '@pdpp/protocol/reading'
import { sortableFields } from '../../../records/paging/sort.ts'

/**
 * How a stream's declaration becomes a table: the whole record as JSON, and a typed column for each declared scalar
 * that reads use. Columns are named by position, never by field name. Positions are never reused, because the bits of
 * the change log are positions.
 */
export interface Layout {
  readonly fields: readonly LayoutField[]
  /** How many bits and columns were ever assigned. */
  readonly bits: number
  readonly columns: number
  /** Fields in the word index, in the order of its columns. */
  readonly words: readonly string[]
}

const EMPTY_LAYOUT: Layout = { fields: [], bits: 0, columns: 0, words: [] }

export interface LayoutField {
  readonly name: string
  readonly kind: FieldKind
  /** Position in the masks of the change log. 0 is for all undeclared fields. */
  readonly bit: number
  readonly column: string | undefined
  readonly indexed: boolean
  /** Whether pages can be sorted by the field. Its index then ends in the order of arrival. */
  readonly sortable: boolean
}

export const BITS_PER_PART = 60
/** All bits. It takes one byte in SQLite, and the bits that are set later take up to eight. */
export const FULL_MASK = -1n

export function layoutOf(
  source: SourceDeclaration,
  stream: StreamDeclaration,
  previous: Layout = EMPTY_LAYOUT,
): Layout {
  const kinds = declaredFields(stream)
  const indexed = indexedFields(source, stream)
  const sortable = new Set(sortableFields(stream))
  // A field that changes its kind gets a new position. The old position is never read again.
  const fields = previous.fields.filter((field) => !kinds.has(field.name) || kinds.get(field.name) === field.kind)
  let { bits, columns } = previous
  for (const name of inOrder(stream, kinds)) {
    const kind = kinds.get(name)!
    const at = fields.findIndex((field) => field.name === name)
    const known = fields[at]
    const wantsColumn = isScalar(kind) && (kind !== 'string' || indexed.has(name) || isChoice(stream, name))
    const column = known?.column ?? (wantsColumn ? `c${columns++}` : undefined)
    const field = {
      name,
      kind,
      bit: known?.bit ?? ++bits,
      column,
      indexed: known?.indexed || indexed.has(name),
      sortable: sortable.has(name),
    }
    if (at === -1) fields.push(field)
    else fields[at] = field
  }
  return { fields, bits, columns, words: stream.query?.search?.lexical_fields ?? [] }
}

/** Puts fields that every grant needs first, so that their bits are in the first part of a mask. */
function inOrder(stream: StreamDeclaration, kinds: ReadonlyMap<string, FieldKind>): Set<string> {
  const first = [...stream.primary_key, stream.cursor_field, stream.consent_time_field].filter((name) => name != null)
  return new Set([...first, ...kinds.keys()])
}

function indexedFields(source: SourceDeclaration, stream: StreamDeclaration): Set<string> {
  const { range_filters = {}, aggregations = {}, group_field } = stream.query ?? {}
  const children = source.streams
    .flatMap((parent) => parent.relationships ?? [])
    .filter((relation) => relation.stream === stream.name && !isToParent(relation))
  const names = [
    stream.cursor_field,
    stream.consent_time_field,
    group_field,
    ...Object.keys(range_filters),
    ...(aggregations.group_by ?? []),
    ...(aggregations.group_by_time ?? []),
    ...children.map((relation) => relation.foreign_key),
  ]
  return new Set(names.filter((name) => name != null))
}

function isChoice(stream: StreamDeclaration, name: string): boolean {
  const property = (stream.schema['properties'] as Record<string, Record<string, unknown>>)[name]
  return Array.isArray(property?.['enum'])
}

export function fieldOf(layout: Layout, name: string): LayoutField | undefined {
  return layout.fields.find((field) => field.name === name)
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
