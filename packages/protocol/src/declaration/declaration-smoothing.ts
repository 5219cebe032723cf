import { MAX_DESCRIPTION_CHARS, MAX_DETAIL_CHARS, MAX_EXPAND_LIMIT, MAX_LABEL_CHARS } from './declaration.ts'
import { EPOCH_UNITS, type EpochUnit, fieldKind, type JsonSchema } from './field.ts'

/** Reports one part of a declaration that was changed. Codes are stable; messages are for people. */
export interface DeclarationWarning {
  readonly code: DeclarationWarningCode
  /** Path of the changed part, such as `streams.2.relationships.0`. */
  readonly path: string
  readonly message: string
}

export type DeclarationWarningCode =
  | 'relation_read_as_belongs_to'
  | 'semantics_read_as_append_only'
  | 'limit_clamped'
  | 'text_shortened'
  | 'time_read_as_epoch'
  | 'time_field_dropped'
  | 'keyword_not_checked'
  | 'warnings_left_out'

type Members = Record<string, unknown>

/**
 * Other implementations write some things differently. This function corrects the differences that have only one safe
 * meaning, and reports each one.
 */
export function smoothDeclaration(input: unknown): { smoothed: unknown; warnings: DeclarationWarning[] } {
  const warnings: DeclarationWarning[] = []
  if (!isMembers(input)) return { smoothed: input, warnings }
  const { streams, display } = input
  const all = Array.isArray(streams) ? streams.map((stream) => (isMembers(stream) ? stream : {})) : []
  const smoothed = {
    ...input,
    ...(display === undefined ? {} : { display: shortened(display, { name: MAX_LABEL_CHARS }, 'display', warnings) }),
    ...(Array.isArray(streams)
      ? { streams: streams.map((stream, at) => smoothStream(stream, all, `streams.${at}`, warnings)) }
      : {}),
  }
  return { smoothed, warnings }
}

function smoothStream(
  input: unknown,
  streams: readonly Members[],
  path: string,
  warnings: DeclarationWarning[],
): unknown {
  if (!isMembers(input)) return input
  const text = shortened(input, { description: MAX_DESCRIPTION_CHARS }, path, warnings) as Members
  const stream = withTime(text, path, warnings)
  const { display, semantics, relationships, query } = stream
  const labels = { label: MAX_LABEL_CHARS, detail: MAX_DETAIL_CHARS }
  return {
    ...stream,
    ...(display === undefined ? {} : { display: shortened(display, labels, `${path}.display`, warnings) }),
    ...(semantics === 'append' ? { semantics: appendOnly(path, warnings) } : {}),
    ...(Array.isArray(relationships)
      ? {
          relationships: relationships.map((relation, at) =>
            withDirection(relation, stream, streams, `${path}.relationships.${at}`, warnings),
          ),
        }
      : {}),
    ...(isMembers(query) && Array.isArray(query['expand'])
      ? { query: { ...query, expand: clamped(query['expand'], `${path}.query.expand`, warnings) } }
      : {}),
  }
}

function appendOnly(path: string, warnings: DeclarationWarning[]): string {
  const message = '"append" is read as "append_only"'
  warnings.push({ code: 'semantics_read_as_append_only', path: `${path}.semantics`, message })
  return 'append_only'
}

/**
 * A foreign key is a field of the child. This stream is the child if only this stream has the field, if the field is
 * the other stream's primary key, or if the relation leads to the stream itself (a reply and its parent).
 */
function withDirection(
  relation: unknown,
  own: Members,
  streams: readonly Members[],
  path: string,
  warnings: DeclarationWarning[],
): unknown {
  if (!isMembers(relation) || relation['cardinality'] !== 'has_one') return relation
  const { foreign_key: field, stream: target } = relation
  const other = streams.find(({ name }) => name === target)
  if (typeof field !== 'string' || other === undefined || !hasField(own, field)) return relation
  const isOthersKey = isKey(other, field) && !isKey(own, field)
  if (other['name'] !== own['name'] && hasField(other, field) && !isOthersKey) return relation
  const message = `"${field}" is a field of this stream, so its records belong to one of "${String(target)}"`
  warnings.push({ code: 'relation_read_as_belongs_to', path, message })
  return { ...relation, cardinality: 'belongs_to' }
}

function hasField({ schema }: Members, field: string): boolean {
  const properties = isMembers(schema) ? schema['properties'] : undefined
  return isMembers(properties) && Object.hasOwn(properties, field)
}

const isKey = ({ primary_key: key }: Members, field: string): boolean =>
  Array.isArray(key) && key.length === 1 && key[0] === field

function clamped(entries: readonly unknown[], path: string, warnings: DeclarationWarning[]): unknown[] {
  return entries.map((entry, at) => {
    if (!isMembers(entry)) return entry
    const above = ['default_limit', 'max_limit'].filter((name) => {
      const limit = entry[name]
      return typeof limit === 'number' && limit > MAX_EXPAND_LIMIT
    })
    for (const name of above) {
      const message = `${String(entry[name])} is more than is ever shown; ${MAX_EXPAND_LIMIT} is used`
      warnings.push({ code: 'limit_clamped', path: `${path}.${at}.${name}`, message })
    }
    return { ...entry, ...Object.fromEntries(above.map((name) => [name, MAX_EXPAND_LIMIT])) }
  })
}

/** Cuts texts for people that are too long, instead of refusing the declaration. */
function shortened(
  input: unknown,
  limits: Readonly<Record<string, number>>,
  path: string,
  warnings: DeclarationWarning[],
): unknown {
  if (!isMembers(input)) return input
  const cut: Members = {}
  for (const [name, limit] of Object.entries(limits)) {
    const text = input[name]
    if (typeof text !== 'string' || text.length <= limit) continue
    cut[name] = `${text.slice(0, limit - 1).toWellFormed()}…`
    const message = `has ${text.length} characters; the first ${limit - 1} are kept`
    warnings.push({ code: 'text_shortened', path: `${path}.${name}`, message })
  }
  return { ...input, ...cut }
}

/**
 * Grants limit records by this time. A number is accepted as a time only if the declaration states its unit, because a
 * guess that is wrong by a factor of 1,000 would expose records that the grant hides.
 */
function withTime(stream: Members, path: string, warnings: DeclarationWarning[]): Members {
  const { consent_time_field: field, schema } = stream
  const properties = isMembers(schema) ? schema['properties'] : undefined
  if (typeof field !== 'string' || !isMembers(schema) || !isMembers(properties)) return stream
  const property = properties[field]
  const kind = Object.hasOwn(properties, field) ? fieldKind(property, schema as JsonSchema) : undefined
  if (!isMembers(property) || (kind !== 'integer' && kind !== 'number')) return stream
  const unit = kind === 'integer' ? declaredUnit(property) : undefined
  if (unit === undefined) {
    const message = `"${field}" is a number without a unit, so no grant can limit this stream by time. Say x_pdpp_time_unit: "epoch_seconds" or "epoch_milliseconds"`
    warnings.push({ code: 'time_field_dropped', path: `${path}.consent_time_field`, message })
    const { consent_time_field: _dropped, ...rest } = stream
    return withoutGroups(rest, field, path, warnings)
  }
  const at = `${path}.schema.properties.${field}`
  warnings.push({ code: 'time_read_as_epoch', path: at, message: `"${field}" is read as a time: ${EPOCH_UNITS[unit]}` })
  return {
    ...stream,
    schema: { ...schema, properties: { ...properties, [field]: { ...property, x_pdpp_time_unit: unit } } },
  }
}

/** Removes the field from `group_by_time`, because it is not a time. */
function withoutGroups(stream: Members, field: string, path: string, warnings: DeclarationWarning[]): Members {
  const query = isMembers(stream['query']) ? stream['query'] : {}
  const aggregations = isMembers(query['aggregations']) ? query['aggregations'] : {}
  const times = aggregations['group_by_time']
  if (!Array.isArray(times) || !times.includes(field)) return stream
  const at = `${path}.query.aggregations.group_by_time`
  warnings.push({
    code: 'time_field_dropped',
    path: at,
    message: `"${field}" cannot be grouped by time without a unit`,
  })
  const others = times.filter((name) => name !== field)
  return { ...stream, query: { ...query, aggregations: { ...aggregations, group_by_time: others } } }
}

/** Spellings of the unit by schema generators and other implementations. */
const UNIT_WORDS: Readonly<Record<string, EpochUnit>> = {
  epoch_seconds: 'epoch_seconds',
  epoch_second: 'epoch_seconds',
  unix_seconds: 'epoch_seconds',
  unix_time: 'epoch_seconds',
  unixtime: 'epoch_seconds',
  unix_timestamp: 'epoch_seconds',
  timestamp_seconds: 'epoch_seconds',
  epoch_milliseconds: 'epoch_milliseconds',
  epoch_millis: 'epoch_milliseconds',
  epoch_ms: 'epoch_milliseconds',
  unix_milliseconds: 'epoch_milliseconds',
  unix_time_milliseconds: 'epoch_milliseconds',
  timestamp_milliseconds: 'epoch_milliseconds',
  timestamp_millis: 'epoch_milliseconds',
}

function declaredUnit(property: Members): EpochUnit | undefined {
  const words = ['x_pdpp_time_unit', 'x_pdpp_unit', 'unit', 'format', 'x_pdpp_type'].map((name) => property[name])
  const units = words.flatMap((word) => {
    const name = typeof word === 'string' ? word.toLowerCase().replaceAll(/[- ]/g, '_') : ''
    return Object.hasOwn(UNIT_WORDS, name) ? [UNIT_WORDS[name]!] : []
  })
  return new Set(units).size === 1 ? units[0] : undefined
}

function isMembers(value: unknown): value is Members {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

const MAX_WARNINGS = 100

/** Keeps the first 100 warnings and reports how many others there are. */
export function boundedWarnings(warnings: readonly DeclarationWarning[]): DeclarationWarning[] {
  if (warnings.length <= MAX_WARNINGS) return [...warnings]
  const left = warnings.length - MAX_WARNINGS
  return [
    ...warnings.slice(0, MAX_WARNINGS),
    { code: 'warnings_left_out', path: '', message: `${left} more of the same kinds are not listed` },
  ]
}
