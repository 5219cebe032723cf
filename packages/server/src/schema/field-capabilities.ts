import { declaredFields, type FieldKind, isScalar, type JsonSchema, type StreamDeclaration } from '@pdpp/protocol'
import { type FilterOperator, operatorsOf } from '../filters/filter.ts'
import { type FieldSet, includesField } from '../grants/read-scope.ts'
import { sortableFields } from '../records/sort.ts'

interface Flag {
  readonly declared: boolean
  readonly usable: boolean
  readonly reason?: 'field_not_granted'
  readonly operators?: readonly FilterOperator[]
}

const METRICS = ['count_distinct', 'group_by', 'group_by_time', 'min', 'max', 'sum', 'avg'] as const

export interface FieldCapability {
  readonly type: string
  readonly role?: string
  readonly granted: boolean
  readonly schema: unknown
  readonly exact_filter: Flag
  readonly range_filter: Flag
  readonly sort: Flag
  readonly lexical_search: Flag
  readonly aggregation: Record<(typeof METRICS)[number], Flag>
}

/** Per declared field: what it is, whether the grant includes it, and what can be done with it here. */
export function fieldCapabilities(stream: StreamDeclaration, usable: FieldSet): Record<string, FieldCapability> {
  const sortable = new Set(sortableFields(stream))
  return Object.fromEntries(
    [...declaredFields(stream)].map(([name, kind]) => {
      const property = propertyOf(stream, name)
      const granted = includesField(usable, name)
      const role = property['x_pdpp_role']
      const capability: FieldCapability = {
        type: presentationType(kind, property),
        ...(typeof role === 'string' ? { role } : {}),
        granted,
        schema: property,
        exact_filter: flag(isScalar(kind), granted),
        range_filter: rangeFlag(stream, name, granted),
        sort: flag(isScalar(kind) && sortable.has(name), granted),
        lexical_search: flag(stream.query?.search?.lexical_fields?.includes(name) ?? false, granted),
        aggregation: aggregation(stream, name, granted),
      }
      return [name, capability]
    }),
  )
}

function rangeFlag(stream: StreamDeclaration, name: string, granted: boolean): Flag {
  const operators = operatorsOf(stream, name).filter((operator) => operator !== 'eq')
  return { ...flag(operators.length > 0, granted), ...(operators.length > 0 ? { operators } : {}) }
}

function aggregation(stream: StreamDeclaration, name: string, granted: boolean): FieldCapability['aggregation'] {
  const declared = stream.query?.aggregations ?? {}
  const uses = (metric: (typeof METRICS)[number]) =>
    (declared[metric] ?? (metric === 'avg' ? declared.sum : undefined))?.includes(name) ?? false
  return Object.fromEntries(
    METRICS.map((metric) => [metric, flag(uses(metric), granted)]),
  ) as FieldCapability['aggregation']
}

function flag(declared: boolean, granted: boolean): Flag {
  return {
    declared,
    usable: declared && granted,
    ...(declared && !granted ? { reason: 'field_not_granted' as const } : {}),
  }
}

/**
 * The same in a few bytes: `t=date-time,role=event-time,s` or `t=string,g=false`. Characters that separate tokens
 * are replaced inside values, because roles and types come from a source.
 */
export function flagString(capability: FieldCapability): string {
  const tokens = [`t=${clean(capability.type)}`]
  if (capability.role !== undefined) tokens.push(`role=${clean(capability.role)}`)
  if (!capability.granted) tokens.push('g=false')
  if (capability.exact_filter.usable) tokens.push('eq')
  if (capability.range_filter.usable) tokens.push(`r=${capability.range_filter.operators!.join('|')}`)
  if (capability.sort.usable) tokens.push('s')
  if (capability.lexical_search.usable) tokens.push('lex')
  const metrics = METRICS.filter((metric) => capability.aggregation[metric].usable)
  if (metrics.length > 0) tokens.push(`a=${metrics.join('|')}`)
  return tokens.join(',')
}

export const FLAG_LEGEND = {
  t: 'type; date-time fields are RFC 3339 text with a zone',
  role: 'what the source says the field is for',
  'g=false': 'declared, but outside this grant',
  eq: 'filter[field]=value works',
  r: 'filter[field][gte]=value works, with the operators named',
  s: 'sort=field or sort=-field works',
  lex: 'searched by words',
  a: 'aggregate uses',
}

const clean = (text: string): string => text.replace(/[;,[\]{}=\s]/g, '_').slice(0, 60)

function propertyOf(stream: StreamDeclaration, name: string): JsonSchema {
  return (stream.schema['properties'] as Record<string, JsonSchema>)[name] ?? {}
}

function presentationType(kind: FieldKind, property: JsonSchema): string {
  const hint = property['x_pdpp_type']
  // A time is stated as such whatever the source's hint is: its unit and zone decide what a comparison means.
  if (kind === 'date-time' || kind === 'date' || typeof hint !== 'string') return kind
  return hint
}
