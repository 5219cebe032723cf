import {
  declaredFields,
  type FieldKind,
  isScalar,
  isTime,
  type JsonSchema,
  type StreamDeclaration,
} from '@pdpp/protocol'
import { type FieldSet, includesField } from '../grants/read-scope.ts'
import { type FilterOperator, operatorsOf } from '../records/filter.ts'
import { sortableFields } from '../records/paging/sort.ts'

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
  readonly semantic_search: Flag
  readonly aggregation: Record<(typeof METRICS)[number], Flag>
}

/** Describes each declared field: its type, whether the grant includes it, and its capabilities. */
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
        // A source may declare semantic search, but this server does not implement it.
        semantic_search: { declared: stream.query?.search?.semantic_fields?.includes(name) ?? false, usable: false },
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

function propertyOf(stream: StreamDeclaration, name: string): JsonSchema {
  return (stream.schema['properties'] as Record<string, JsonSchema>)[name] ?? {}
}

function presentationType(kind: FieldKind, property: JsonSchema): string {
  const hint = property['x_pdpp_type']
  // A time keeps its own type and ignores the source's hint, because its unit and zone decide how it compares.
  if (isTime(kind) || typeof hint !== 'string') return kind
  return hint
}
