import { z } from 'zod'
import { FIELD_NAME_RULE, isFieldName, isName, NAME_RULE } from '../names.ts'
import type { JsonSchema } from './field.ts'

/** The shape of a source declaration. declaration-check.ts checks that its parts agree. */
const name = z.string().refine(isName, `must be ${NAME_RULE}`)
const field = z.string().refine(isFieldName, `must be ${FIELD_NAME_RULE}`)
export const MAX_LABEL_CHARS = 200
export const MAX_DETAIL_CHARS = 2_000
export const MAX_DESCRIPTION_CHARS = 10_000
/** Max. related records per relation of one record. */
export const MAX_EXPAND_LIMIT = 100

const label = z.string().min(1).max(MAX_LABEL_CHARS)
const fields = z.array(field).max(500)

const rangeOperator = z.enum(['gte', 'gt', 'lte', 'lt'])
export type RangeOperator = z.infer<typeof rangeOperator>

const view = z.object({ id: name, label: label.optional(), fields: fields.min(1) })

const relationship = z.object({
  name,
  stream: name,
  /**
   * The field of the child that contains the parent's key. With "belongs_to" this stream is the child, otherwise the
   * other stream is.
   */
  foreign_key: field,
  cardinality: z.enum(['has_many', 'has_one', 'belongs_to']),
})

const aggregations = z.strictObject({
  count: z.boolean().optional(),
  count_distinct: fields.optional(),
  group_by: fields.optional(),
  group_by_time: fields.optional(),
  min: fields.optional(),
  max: fields.optional(),
  sum: fields.optional(),
  avg: fields.optional(),
})

const query = z.strictObject({
  range_filters: z.record(field, z.array(rangeOperator).min(1)).optional(),
  search: z.strictObject({ lexical_fields: fields.optional(), semantic_fields: fields.optional() }).optional(),
  aggregations: aggregations.optional(),
  expand: z
    .array(
      z.strictObject({
        name,
        default_limit: z.int().min(1).optional(),
        max_limit: z.int().min(1).max(MAX_EXPAND_LIMIT).optional(),
      }),
    )
    .optional(),
  /** Field with the id of the conversation, thread or album that a record belongs to. */
  group_field: field.optional(),
})

const stream = z.object({
  name,
  description: z.string().max(MAX_DESCRIPTION_CHARS).optional(),
  display: z.object({ label: label.optional(), detail: z.string().max(MAX_DETAIL_CHARS).optional() }).optional(),
  semantics: z.enum(['append_only', 'mutable_state']),
  schema: z.custom<JsonSchema>(
    (value) => value !== null && typeof value === 'object' && !Array.isArray(value),
    'must be a JSON Schema object',
  ),
  primary_key: z.array(field).min(1).max(8),
  cursor_field: field.nullish(),
  consent_time_field: field.nullish(),
  selection: z.object({ fields: z.boolean().optional(), resources: z.boolean().optional() }).optional(),
  sensitivity: z.enum(['standard', 'sensitive']).optional(),
  views: z.array(view).max(50).optional(),
  relationships: z.array(relationship).max(50).optional(),
  query: query.optional(),
})

const preset = z.object({
  id: name,
  label: label.optional(),
  streams: z.array(z.object({ name, fields: fields.optional(), view: name.optional() })).min(1),
})

export const sourceDeclarationSchema = z.object({
  protocol_version: z.literal('0.1.0').default('0.1.0'),
  source: z.object({ kind: z.string().min(1).max(50).default('connector'), id: z.url().max(500) }),
  connector_key: name,
  declaration_version: z.string().min(1).max(100),
  publisher: z.object({ id: z.string().max(500) }).optional(),
  display: z.object({ name: label }),
  sensitivity: z.enum(['standard', 'sensitive']).default('standard'),
  selection_presets: z.array(preset).max(50).optional(),
  streams: z.array(stream).min(1).max(500),
  extensions: z.record(z.string(), z.unknown()).optional(),
})

export type SourceDeclaration = z.infer<typeof sourceDeclarationSchema>
export type StreamDeclaration = SourceDeclaration['streams'][number]
export type Relationship = z.infer<typeof relationship>

/**
 * Existing connectors ship manifests with other member names (`connector_id`, `version`, `display_name`). This converts
 * them.
 */
export function fromShippedManifest(input: unknown): unknown {
  if (input === null || typeof input !== 'object' || Array.isArray(input)) return input
  const manifest = input as Record<string, unknown>
  if (manifest['source'] !== undefined) return withDerivedKey(manifest)
  const { connector_id: id, connector_key: key, version, display_name: title } = manifest
  const slug = typeof key === 'string' ? key : typeof id === 'string' ? lastSegment(id) : undefined
  return {
    ...manifest,
    source: { kind: 'connector', id: typeof id === 'string' && !isUrl(id) ? `urn:pdpp:connector:${id}` : id },
    connector_key: slug,
    declaration_version: manifest['declaration_version'] ?? version,
    display: manifest['display'] ?? { name: title ?? slug },
  }
}

function withDerivedKey(declaration: Record<string, unknown>): unknown {
  const id = (declaration['source'] as { id?: unknown } | null)?.id
  if (declaration['connector_key'] !== undefined || typeof id !== 'string') return declaration
  return { ...declaration, connector_key: lastSegment(id) }
}

function isUrl(text: string): boolean {
  return URL.canParse(text)
}

function lastSegment(id: string): string {
  return id.split(/[/:#]/).findLast((part) => part !== '') ?? id
}
