import { z } from 'zod'

/**
 * A grant says what one client may read. All wildcards, views and presets were resolved when the owner approved it, so
 * a later declaration can never widen it. A grant never changes after it is issued.
 */
const timeConstraintSchema = z.object({
  field: z.string(),
  /** Inclusive. */
  since: z.string().optional(),
  /** Exclusive. */
  until: z.string().optional(),
})
export type TimeConstraint = z.infer<typeof timeConstraintSchema>

export const streamGrantSchema = z.object({
  name: z.string(),
  /** Connections that the grant includes. A request may choose among them. */
  instance_ids: z.array(z.string()).min(1),
  /** Top-level fields. They always include the primary key and the consent time field. */
  fields: z.array(z.string()).min(1),
  time_constraint: timeConstraintSchema.optional(),
  /** Canonical record keys, if the grant is limited to single records. */
  resources: z.array(z.string()).min(1).optional(),
})
export type StreamGrant = z.infer<typeof streamGrantSchema>

export const accessModeSchema = z.enum(['single_use', 'continuous'])
export type AccessMode = z.infer<typeof accessModeSchema>

/** How long the client promises to keep the data, and what it does afterwards. */
export const retentionSchema = z.object({
  max_duration: z.string().regex(/^P(?=.)(\d+Y)?(\d+M)?(\d+W)?(\d+D)?(T(?=.)(\d+H)?(\d+M)?(\d+S)?)?$/),
  on_expiry: z.enum(['delete', 'anonymize']),
})
export type Retention = z.infer<typeof retentionSchema>

export const grantSchema = z.object({
  version: z.literal('0.1.0'),
  grant_id: z.string(),
  issued_at: z.string(),
  subject: z.object({ id: z.string() }),
  client: z.object({ client_id: z.string(), client_display: z.object({ name: z.string() }).optional() }),
  source: z.object({ kind: z.string(), id: z.string(), connector_key: z.string() }),
  source_declaration: z.object({ version: z.string() }),
  purpose_code: z.string(),
  purpose_description: z.string().optional(),
  access_mode: accessModeSchema,
  retention: retentionSchema.optional(),
  streams: z.array(streamGrantSchema).min(1),
  expires_at: z.string().nullable(),
})
export type Grant = z.infer<typeof grantSchema>

/** Fields that every grant of a stream includes, because without them a record has no id and no time. */
export function requiredFields(stream: {
  primary_key: readonly string[]
  consent_time_field?: string | null | undefined
}): string[] {
  const time = stream.consent_time_field
  return time == null || stream.primary_key.includes(time) ? [...stream.primary_key] : [...stream.primary_key, time]
}
