import { z } from 'zod'

/**
 * A grant: what one client may read, fully resolved. No wildcards, no views, no presets: whatever the owner chose
 * was resolved when the grant was made, so a later declaration can never widen it. Immutable once issued.
 */
export const timeConstraintSchema = z.object({
  field: z.string(),
  /** Inclusive. */
  since: z.string().optional(),
  /** Exclusive. */
  until: z.string().optional(),
})
export type TimeConstraint = z.infer<typeof timeConstraintSchema>

export const streamGrantSchema = z.object({
  name: z.string(),
  /** The connections it reads; a request can only choose among them. */
  instance_ids: z.array(z.string()).min(1),
  /** Top-level fields; the primary key and the consent time field are always among them. */
  fields: z.array(z.string()).min(1),
  time_constraint: timeConstraintSchema.optional(),
  /** Canonical record keys, when the grant is for certain records only. */
  resources: z.array(z.string()).min(1).optional(),
})
export type StreamGrant = z.infer<typeof streamGrantSchema>

export const accessModeSchema = z.enum(['single_use', 'continuous'])
export type AccessMode = z.infer<typeof accessModeSchema>

/** How long the client says it keeps what it read, and what it does then. */
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

/** Fields that every grant of a stream contains: without them a record could be neither named nor placed in time. */
export function requiredFields(stream: {
  primary_key: readonly string[]
  consent_time_field?: string | null | undefined
}): string[] {
  const time = stream.consent_time_field
  return time == null || stream.primary_key.includes(time) ? [...stream.primary_key] : [...stream.primary_key, time]
}
