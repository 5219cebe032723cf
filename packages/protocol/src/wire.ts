import { z } from 'zod'

/** Schemas of the answers of `/v1`. Tests check real answers against them, and clients use their types. */
const warningSchema = z.object({
  code: z.enum([
    'limit_clamped',
    'deprecated_alias_used',
    'count_downgraded',
    'source_skipped_not_applicable',
    'partial_results',
    'partial_index',
    'compatibility_fallback',
    'mixed_currencies',
    'source_unavailable',
    'time_range_narrowed',
    'fields_described',
  ]),
  message: z.string(),
  param: z.string().optional(),
  field: z.string().optional(),
  connection_id: z.string().optional(),
  detail: z.record(z.string(), z.unknown()).optional(),
})
export type Warning = z.infer<typeof warningSchema>

export const countSchema = z.object({
  kind: z.enum(['none', 'estimated', 'lower_bound', 'exact']),
  value: z.int().optional(),
})
export type Count = z.infer<typeof countSchema>

const links = z.object({ self: z.string(), next: z.string().nullable().optional() })
const meta = z.object({ count: countSchema, warnings: z.array(warningSchema) })

export const recordSchema = z.object({
  object: z.literal('record'),
  id: z.string(),
  stream: z.string(),
  connection_id: z.string(),
  connector_key: z.string(),
  display_name: z.string().optional(),
  emitted_at: z.string(),
  url: z.string().optional(),
  described_fields: z.array(z.string()).optional(),
  omitted_field_count: z.int().optional(),
  data: z.record(z.string(), z.unknown()),
})
export type WireRecord = z.infer<typeof recordSchema>

const tombstoneSchema = z.object({
  object: z.literal('record'),
  id: z.string(),
  stream: z.string(),
  connection_id: z.string(),
  connector_key: z.string(),
  deleted: z.literal(true),
  deleted_at: z.string(),
  emitted_at: z.string(),
})

export const recordListSchema = z.object({
  object: z.literal('list'),
  url: z.string(),
  has_more: z.boolean(),
  next_cursor: z.string().optional(),
  next_changes_since: z.string().optional(),
  links,
  meta,
  data: z.array(z.union([tombstoneSchema, recordSchema])),
})

export const fieldWindowSchema = z.object({
  object: z.literal('field_window'),
  url: z.string(),
  stream: z.string(),
  record_id: z.string(),
  connection_id: z.string(),
  field: z.object({
    path: z.string(),
    type: z.string(),
    size_bytes: z.int().optional(),
    media_type: z.string().optional(),
    sha256: z.string().optional(),
    blob_id: z.string().optional(),
    fetch_url: z.string().optional(),
    extracted_text: z.object({ field: z.string(), preview: z.string(), total_chars: z.int() }).optional(),
  }),
  window: z
    .object({
      text: z.string(),
      start_chars: z.int(),
      end_chars: z.int(),
      total_chars: z.int(),
      limit_chars: z.int(),
      complete: z.boolean(),
      has_more: z.boolean(),
      next_offset_chars: z.int().nullable(),
      previous_offset_chars: z.int().nullable(),
      match_start_chars: z.int().nullable(),
      match_end_chars: z.int().nullable(),
    })
    .nullable(),
  links,
  meta,
})

export const errorEnvelopeSchema = z.object({
  error: z.object({
    type: z.string(),
    code: z.string(),
    message: z.string(),
    http_status: z.int(),
    next_step: z.string(),
    request_id: z.string(),
    param: z.string().optional(),
    retry_with: z.string().optional(),
    available_connections: z.array(z.record(z.string(), z.unknown())).max(12).optional(),
    available_connection_count: z.int().optional(),
    available_connections_truncated: z.literal(true).optional(),
    request_access_url: z.string().optional(),
    resource_metadata: z.string().optional(),
  }),
})

export const ingestReplySchema = z.object({
  object: z.literal('ingest_result'),
  stream: z.string(),
  connection_id: z.string(),
  records_attempted: z.int(),
  /** Records that are now stored as sent, including unchanged ones. */
  records_accepted: z.int(),
  /** Accepted records that were already stored with the same content. */
  records_unchanged: z.int(),
  records_rejected: z.int(),
  /**
   * Always present and empty, for clients that expect it. Errors of a line are in `rejections`; all others are HTTP
   * errors.
   */
  errors: z.array(z.never()),
  rejections: z.array(
    z.object({ input_index: z.int(), code: z.string(), message: z.string(), key: z.string().optional() }),
  ),
  rejections_truncated: z.boolean(),
})
export type IngestReply = z.infer<typeof ingestReplySchema>

const receiptLine = {
  stream: z.string().nullable(),
  connection_ids: z.array(z.string()),
  fields: z.array(z.string()),
  records: z.array(z.object({ connection_id: z.string(), record_id: z.string() })),
  record_count: z.int(),
  records_erased: z.int(),
}

export const receiptSchema = z.object({
  object: z.literal('receipt'),
  receipt_id: z.string(),
  at: z.string(),
  client_id: z.string().nullable(),
  grant_id: z.string().nullable(),
  surface: z.string(),
  operation: z.string(),
  connector_key: z.string().nullable(),
  ...receiptLine,
  /** Further streams returned by the same read. */
  also: z.array(z.object(receiptLine)).optional(),
  bytes: z.int(),
  outcome: z.string(),
  request_id: z.string(),
})
export type WireReceipt = z.infer<typeof receiptSchema>
