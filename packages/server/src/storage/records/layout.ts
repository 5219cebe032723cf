import type { FieldKind, SourceDeclaration, StreamDeclaration } from '@pdpp/protocol'
import { declaredFields, isScalar, isToParent } from '@pdpp/protocol/reading'
import { sortableFields } from '../../records/paging/sort.ts'

/**
 * How a stream's declaration is stored: the whole record as JSON, and a typed column for each declared scalar that
 * reads use. Columns are named by position, never by field name. Positions are never reused, because the bits of the
 * change log are positions.
 */
export interface Layout {
  readonly fields: readonly LayoutField[]
  /** How many bits were ever assigned. */
  readonly bits: number
  /** How many columns were ever assigned, in SQLite. */
  readonly columns: number
  /** How many columns of each family were ever assigned, in PostgreSQL. */
  readonly slots?: Readonly<Record<string, number>>
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
/** All bits set. SQLite stores it in one byte, whereas a mask of single bits takes up to eight. */
export const FULL_MASK = -1n

/** A field that may get a column. */
interface NewField {
  readonly name: string
  readonly kind: FieldKind
  readonly indexed: boolean
  /** Whether its declaration lists its values. */
  readonly isChoice: boolean
  readonly isCursor: boolean
}

/** Assigns columns to new fields. Every store has its own. */
export interface ColumnNames {
  columnOf(field: NewField): string | undefined
  /** The columns that were ever assigned. */
  readonly assigned: Pick<Layout, 'columns' | 'slots'>
}

export function layoutOf(
  source: SourceDeclaration,
  stream: StreamDeclaration,
  namesAfter: (previous: Layout) => ColumnNames,
  previous: Layout = EMPTY_LAYOUT,
): Layout {
  const names = namesAfter(previous)
  const kinds = declaredFields(stream)
  const indexed = indexedFields(source, stream)
  const sortable = new Set(sortableFields(stream))
  // A field that changes its kind gets a new position. The old position is never read again.
  const fields = previous.fields.filter((field) => !kinds.has(field.name) || kinds.get(field.name) === field.kind)
  let { bits } = previous
  for (const name of inOrder(stream, kinds)) {
    const kind = kinds.get(name)!
    const at = fields.findIndex((field) => field.name === name)
    const known = fields[at]
    const fresh = { name, kind, indexed: indexed.has(name), isChoice: isChoice(stream, name) }
    const isCursor = name === stream.cursor_field
    const column = known?.column ?? (isScalar(kind) ? names.columnOf({ ...fresh, isCursor }) : undefined)
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
  return { fields, bits, ...names.assigned, words: stream.query?.search?.lexical_fields ?? [] }
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
