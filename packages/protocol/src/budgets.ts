/**
 * Every list has a row limit, every result a byte budget and every request a size limit. A row limit alone does not
 * bound the size.
 */
export const PAGE_LIMIT = { default: 25, max: 100 } as const
export const PAGE_BYTES = { default: 4_194_304, min: 1_024, max: 16_777_216 } as const
export const WINDOW_CHARS = { default: 4_096, max: 16_384, context: 8_192 } as const
/** If a single record exceeds the budget of its page, fields above this size are replaced by a description. */
export const DESCRIBED_FIELD_BYTES = 256
export const PREVIEW_CHARS = 160
/** Max. bytes of a tool result. Applies to its text and to its structured output separately. */
export const RESULT_BYTES = { default: 10_000, large: 40_000 } as const
/** Byte budgets that a request may set for a page that will become a tool result. */
export const RESULT_PAGE_BYTES = { default: 10_000, min: 4_096, max: 1_048_576 } as const
/** Max. bytes of one ingested record, which is also one line of an ingest request. */
export const RECORD_BYTES = 16_777_216
/** Default max. bytes of a blob, and max. blobs that one record may refer to. */
export const BLOB_BYTES = 1_073_741_824
export const RECORD_BLOBS = 1_000
export const REQUEST_BODY_BYTES = 1_048_576
/** Max. bytes of one message to the hosted adapter. */
export const MCP_BODY_BYTES = 262_144
export const GRANT_RESOURCES = 1_000
export const GRANT_CONNECTIONS = 1_000
export const PDPP_VERSION = '2026-04-06'
