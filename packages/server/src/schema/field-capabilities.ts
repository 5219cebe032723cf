import { declaredFields, type FieldKind, isScalar, type JsonSchema, type StreamDeclaration } from '@pdpp/protocol'
import { type FieldSet, includesField } from '../grants/read-scope.ts'
import { sortableFields } from '../records/sort.ts'

interface Flag {
  readonly declared: boolean
  readonly usable: boolean
  readonly reason?: 'field_not_granted'
}

export interface FieldCapability {
  readonly type: string
  readonly role?: string
  readonly granted: boolean
  readonly schema: unknown
  readonly sort: Flag
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
        sort: flag(isScalar(kind) && sortable.has(name), granted),
      }
      return [name, capability]
    }),
  )
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
  if (capability.sort.usable) tokens.push('s')
  return tokens.join(',')
}

export const FLAG_LEGEND = {
  t: 'type; date-time fields are RFC 3339 text with a zone',
  role: 'what the source says the field is for',
  'g=false': 'declared, but outside this grant',
  s: 'sort=field or sort=-field works',
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
