import { previewChars } from '../text/chars.ts'

/** The full description of one stream in `/v1/schema`, from this or another implementation. */
type Row = Readonly<Record<string, unknown>>

export interface FieldPart {
  readonly from: number
  readonly to: number
  readonly total: number
  readonly next_fields_offset: number | null
}

/** Max. bytes of the schema of one field, and of the definitions that fields refer to. */
const MAX_SCHEMA_BYTES = 4_000
const MAX_LIST_BYTES = 3_000
const MAX_DESCRIPTION = 1_000
/** Left out because the schema, the field capabilities or the expandable relations contain the same facts. */
const REPEATED_MEMBERS = ['query', 'relationships']
const LISTS = ['views', 'expand_capabilities'] as const

/**
 * Returns the part of a stream's full description that fits into `bytes`. Every field is in exactly one part: its JSON
 * Schema in `schema.properties` and its declared capabilities in `field_capabilities`. The first part also describes
 * the stream as a whole.
 */
export function schemaPart(row: Row, offset: number, bytes: number): { row: Row; part: FieldPart } {
  const { properties: _properties, required, ...schema } = objectOf(row['schema'])
  const properties = objectOf(row['schema'])['properties']
  const capabilities = objectOf(row['field_capabilities'])
  const names = [...new Set([...Object.keys(objectOf(properties)), ...Object.keys(capabilities)])]
  const head = offset > 0 ? { name: row['name'] } : streamHead(row)
  const schemaHead = offset > 0 ? { type: schema['type'] } : boundedSchema(schema)
  let left = bytes - size(head) - size(schemaHead)
  let to = offset
  const entries: [string, unknown, unknown][] = []
  for (; to < names.length; to++) {
    const name = names[to]!
    const propertySchema = objectOf(properties)[name] ?? objectOf(capabilities[name])['schema']
    const [property, capability] = [boundedSchema(objectOf(propertySchema)), declared(capabilities[name])]
    left -= 2 * size(name) + size(property) + size(capability)
    if (left < 0 && entries.length > 0) break
    entries.push([name, property, capability])
  }
  const onPart = new Set(entries.map(([name]) => name))
  const needed = Array.isArray(required) ? required.filter((name) => onPart.has(name)) : []
  return {
    row: {
      ...head,
      schema: {
        ...schemaHead,
        ...(needed.length > 0 ? { required: needed } : {}),
        properties: Object.fromEntries(entries.map(([name, property]) => [name, property])),
      },
      field_capabilities: Object.fromEntries(entries.map(([name, , capability]) => [name, capability])),
    },
    part: { from: offset, to, total: names.length, next_fields_offset: to < names.length ? to : null },
  }
}

/** Everything except the fields. Long lists are cut, and `left_out` says by how many entries. */
function streamHead(row: Row): Row {
  const { schema: _schema, field_capabilities: _capabilities, description, ...rest } = row
  const lists = LISTS.map((name) => [name, bounded(row[name], MAX_LIST_BYTES)] as const)
  const leftOut = lists.filter(([, { more }]) => more > 0).map(([name, { more }]) => [name, more])
  const expandable = new Set(namesOf(row['expand_capabilities']))
  const plain = listOf(row['relationships']).filter((relation) => !expandable.has(String(objectOf(relation)['name'])))
  const group = objectOf(row['query'])['group_field']
  return {
    ...Object.fromEntries(Object.entries(rest).filter(([name]) => !REPEATED_MEMBERS.includes(name))),
    ...(typeof description === 'string' ? { description: previewChars(description, MAX_DESCRIPTION) } : {}),
    ...(group === undefined ? {} : { group_field: group }),
    ...Object.fromEntries(lists.map(([name, { kept }]) => [name, kept])),
    ...(plain.length > 0 ? { relationships: bounded(plain, MAX_LIST_BYTES).kept } : {}),
    ...(leftOut.length > 0 ? { left_out: Object.fromEntries(leftOut) } : {}),
  }
}

function bounded(value: unknown, bytes: number): { kept: unknown[]; more: number } {
  const all = listOf(value)
  let left = bytes
  const kept = all.filter((entry) => {
    left -= size(entry)
    return left >= 0
  })
  return { kept, more: all.length - kept.length }
}

/** Replaces a schema that is too long by its short members and a `$comment` with its size. */
function boundedSchema(schema: Row): Row {
  const bytes = size(schema)
  if (bytes <= MAX_SCHEMA_BYTES) return schema
  const short = Object.entries(schema).filter(([, value]) => size(value) <= 200)
  return { ...Object.fromEntries(short.slice(0, 10)), $comment: `Cut: ${bytes} bytes are too long for this answer.` }
}

/** Removes capabilities that are not declared. */
function declared(capability: unknown): unknown {
  const { schema: _schema, aggregation, ...flags } = objectOf(capability)
  const uses = Object.fromEntries(Object.entries(objectOf(aggregation)).filter(isDeclared))
  const kept = Object.entries(flags).filter(isDeclared)
  return { ...Object.fromEntries(kept), ...(Object.keys(uses).length > 0 ? { aggregation: uses } : {}) }
}

const isDeclared = ([, flag]: [string, unknown]): boolean =>
  typeof flag !== 'object' || flag === null || (flag as Row)['declared'] !== false

/** Counts 6 extra bytes for each invisible character, because it is shown as an escape. */
function size(value: unknown): number {
  const text = JSON.stringify(value) ?? ''
  const hidden = text.match(/\p{Default_Ignorable_Code_Point}/gu)?.length ?? 0
  return Buffer.byteLength(text) + 6 * hidden + 2
}

const namesOf = (value: unknown): string[] => listOf(value).map((entry) => String(objectOf(entry)['name']))
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const objectOf = (value: unknown): Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Row) : {}
