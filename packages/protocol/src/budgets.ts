/** Every list has a limit, every result a byte budget, every request a size. Row limits are not size limits. */
export const PAGE_LIMIT = { default: 25, max: 100 } as const
export const PAGE_BYTES = { default: 4_194_304, min: 1_024, max: 16_777_216 } as const
export const WINDOW_CHARS = { default: 4_096, max: 16_384, context: 8_192 } as const
/** A field larger than this is described, not shown, in a record that is larger than its page's whole budget. */
export const DESCRIBED_FIELD_BYTES = 256
export const PREVIEW_CHARS = 160
/** A tool result: its text, and its structured output, each. */
export const RESULT_BYTES = { default: 10_000, large: 40_000 } as const
/** What a page may be asked to fit into, where a tool result is made of it. */
export const RESULT_PAGE_BYTES = { default: 10_000, min: 4_096, max: 1_048_576 } as const
/** One ingested record, and one line of an ingest request. */
export const RECORD_BYTES = 16_777_216
/** One blob, unless the owner of the server says otherwise, and how many of them one record may refer to. */
export const BLOB_BYTES = 1_073_741_824
export const RECORD_BLOBS = 1_000
export const REQUEST_BODY_BYTES = 1_048_576
/** One message to the hosted adapter. */
export const MCP_BODY_BYTES = 262_144
export const GRANT_RESOURCES = 1_000
export const GRANT_CONNECTIONS = 1_000
export const PDPP_VERSION = '2026-04-06'
