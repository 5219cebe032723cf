/**
 * Every error that crosses the wire, in one table: code → HTTP status and what to do next.
 * The `type` follows from the status, so that a client can branch on either.
 */
export type ErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'permission_error'
  | 'not_found_error'
  | 'gone_error'
  | 'request_entity_too_large_error'
  | 'rate_limit_error'
  | 'api_error'

interface ErrorEntry {
  readonly status: number
  readonly nextStep: string
}

const entry = (status: number, nextStep: string): ErrorEntry => ({ status, nextStep })

const SEE_SCHEMA = 'Call GET /v1/schema?stream=<stream> (the schema tool) for the names that are valid here.'
const ASK_OWNER = 'Ask the owner for a grant that includes it, or leave it out.'
const NEW_GRANT = 'Ask the owner for a new grant.'
const FIX_REQUEST = 'Correct the named parameter and send the request again.'
const FIRST_PAGE = 'Send the first page again without the cursor.'
const PICK_CONNECTION = 'Repeat the request with one of available_connections as connection_id.'

export const ERRORS = {
  // 400
  invalid_request: entry(400, FIX_REQUEST),
  invalid_argument: entry(400, FIX_REQUEST),
  invalid_cursor: entry(400, FIRST_PAGE),
  invalid_sort: entry(400, SEE_SCHEMA),
  invalid_filter: entry(400, SEE_SCHEMA),
  invalid_expand: entry(400, SEE_SCHEMA),
  invalid_field_path: entry(400, SEE_SCHEMA),
  invalid_window: entry(400, FIX_REQUEST),
  invalid_record: entry(400, 'Correct the record so that it fits the schema of its stream.'),
  invalid_record_identity: entry(400, 'Give the record a key of 1 to 512 bytes that agrees with its primary key.'),
  invalid_authorization_details: entry(400, 'Correct the named part of the request against GET /v1/schema.'),
  invalid_client: entry(400, 'Register the client again.'),
  invalid_client_metadata: entry(400, 'Correct the named client metadata and register again.'),
  invalid_status: entry(400, FIX_REQUEST),
  conflicting_connection_id: entry(400, 'Leave out connection_id: the id already names its source.'),
  unknown_field: entry(400, SEE_SCHEMA),
  unsupported_version: entry(400, 'Leave out the PDPP-Version header, or send the version this server names.'),
  connector_invalid: entry(400, 'Correct the named parts of the declaration and send it again.'),
  malformed_ndjson: entry(400, 'Send one JSON object per line.'),
  invalid_utf8: entry(400, 'Send the line as UTF-8.'),
  append_only_conflict: entry(400, 'Give the changed record a new key; records of an append-only stream never change.'),
  callback_not_allowed: entry(
    400,
    'Give an https address on the public internet, or leave out callback_url and poll for events.',
  ),
  unsupported_search_mode: entry(
    400,
    'Use GET /v1/search (the search tool) without mode, or with mode lexical: it searches by words.',
  ),
  // 401
  authentication_error: entry(401, 'Send a valid bearer token; a client gets one by asking the owner for a grant.'),
  // 403
  permission_error: entry(403, 'Use a token of the kind that this route accepts.'),
  grant_stream_not_allowed: entry(403, ASK_OWNER),
  field_not_granted: entry(403, ASK_OWNER),
  insufficient_scope: entry(403, ASK_OWNER),
  grant_time_range_exceeded: entry(403, 'Ask for a time range inside the one that the grant allows.'),
  grant_expired: entry(403, NEW_GRANT),
  grant_revoked: entry(403, NEW_GRANT),
  grant_paused: entry(403, 'Wait until the owner resumes the grant, or ask them to.'),
  grant_invalid: entry(403, NEW_GRANT),
  grant_consumed: entry(403, NEW_GRANT),
  package_revoked: entry(403, NEW_GRANT),
  origin_not_allowed: entry(403, 'Send the request from a page of this server, or without an Origin header.'),
  form_expired: entry(403, 'Open the page again and send the form once more.'),
  // 404
  not_found: entry(404, 'Check the name or id; GET /v1/schema (the schema tool) lists what this token can read.'),
  blob_not_found: entry(404, 'Check the blob id against a record that you can read.'),
  connection_not_found: entry(404, 'Use a connection_id from GET /v1/schema (the schema tool).'),
  connector_not_found: entry(404, 'Use a connector_key from GET /v1/connectors, or declare the source first.'),
  field_not_found: entry(404, 'Choose a field that this record has.'),
  query_not_found: entry(404, 'Search for other words, or read the field from an offset.'),
  stream_not_declared: entry(404, 'Use a stream that the source declares; GET /v1/connectors lists them.'),
  // 405, 408, 409, 410, 413, 415, 416, 421, 422, 429
  method_not_allowed: entry(405, 'Use a method that the Allow header names.'),
  request_stalled: entry(408, 'Send the whole request again, without a long pause.'),
  ambiguous_connection: entry(409, PICK_CONNECTION),
  already_exists: entry(409, 'Choose another id, or use what is there.'),
  already_revoked: entry(409, 'Nothing is left to do.'),
  archive_running: entry(409, 'Wait until the other one is done, or end its download, then try again.'),
  import_state: entry(409, 'Open the page of the import again to see what it can do now.'),
  invalid_state: entry(409, 'Read the subscription to see its status, then choose what fits it.'),
  approval_conflict: entry(409, 'Review the request again.'),
  cursor_expired: entry(410, FIRST_PAGE),
  resource_limit: entry(413, 'Send less in one request.'),
  unsupported_media_type: entry(415, 'Send the content type that the message names.'),
  range_not_satisfiable: entry(416, 'Ask for bytes inside the size that the message names, or leave out Range.'),
  misdirected_request: entry(421, 'Use the address that this server is configured for.'),
  field_not_text: entry(422, 'Read the record with fields=<field> instead.'),
  rate_limit_exceeded: entry(429, 'Wait for the seconds in Retry-After, then try again.'),
  // 5xx
  api_error: entry(500, 'Try again; if it stays, give the request id to the owner of the server.'),
  server_unreachable: entry(502, 'Check that the server runs and can be reached, then try again.'),
  ingest_batch_storage_error: entry(503, 'Send the whole request again; repeating it is safe.'),
  server_busy: entry(503, 'Wait for the seconds in Retry-After, then try again.'),
  request_timeout: entry(503, 'Ask for less at once, or try again later.'),
  storage_damaged: entry(
    503,
    'Tell the owner of the server to run `pdpp doctor`: it says what is damaged and what to restore.',
  ),
  insufficient_storage: entry(507, 'Make room on the disk of the server, then send the request again.'),
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof ERRORS

export function errorType(status: number): ErrorType {
  switch (status) {
    case 400:
    case 408:
      return 'invalid_request_error'
    case 401:
      return 'authentication_error'
    case 403:
      return 'permission_error'
    case 404:
      return 'not_found_error'
    case 410:
      return 'gone_error'
    case 413:
      return 'request_entity_too_large_error'
    case 429:
      return 'rate_limit_error'
    default:
      // Whatever else is refused is for the sender to mend; the rest is ours.
      return status >= 400 && status < 500 ? 'invalid_request_error' : 'api_error'
  }
}

/** A source that a refused request could have meant. */
export interface ConnectionCandidate {
  readonly connection_id: string
  readonly connector_key: string
  readonly grant_id: string | null
  readonly display_name?: string
  /** Whether the stream that was asked for can be read there. */
  readonly has_stream?: boolean
}

export interface ErrorDetail {
  readonly param?: string
  readonly nextStep?: string
  readonly retryWith?: 'connection_id'
  readonly candidates?: readonly ConnectionCandidate[]
  readonly retryAfterSeconds?: number
  /** What the WWW-Authenticate header of a 401 says about the token that was sent (RFC 6750 section 3.1). */
  readonly challenge?: 'invalid_token'
  /** Instead of the status in the table: the grant of something else has ended, not that of the request. */
  readonly status?: 409
}

/** At most this many candidates are named; the rest is counted. */
export const MAX_CANDIDATES = 12

/** The one error that our code throws across layers; each edge converts it once. */
export class PdppError extends Error {
  override readonly name = 'PdppError'
  readonly code: ErrorCode
  readonly detail: ErrorDetail

  constructor(code: ErrorCode, message: string, detail: ErrorDetail = {}) {
    super(message)
    this.code = code
    this.detail = detail
  }

  get status(): number {
    return this.detail.status ?? ERRORS[this.code].status
  }

  get nextStep(): string {
    return this.detail.nextStep ?? ERRORS[this.code].nextStep
  }

  /** The error object that every surface shows. */
  toWire(requestId: string): WireError {
    const { param, retryWith, candidates } = this.detail
    return {
      type: errorType(this.status),
      code: this.code,
      message: this.message,
      http_status: this.status,
      next_step: this.nextStep,
      request_id: requestId,
      ...(param === undefined ? {} : { param }),
      ...(retryWith === undefined ? {} : { retry_with: retryWith }),
      ...(candidates === undefined ? {} : candidateMembers(candidates)),
    }
  }
}

export interface WireError {
  readonly type: ErrorType
  readonly code: ErrorCode
  readonly message: string
  readonly http_status: number
  readonly next_step: string
  readonly request_id: string
  readonly param?: string
  readonly retry_with?: string
  readonly available_connections?: readonly ConnectionCandidate[]
  readonly available_connection_count?: number
  readonly available_connections_truncated?: true
  readonly resource_metadata?: string
}

function candidateMembers(candidates: readonly ConnectionCandidate[]) {
  return {
    available_connections: candidates.slice(0, MAX_CANDIDATES),
    available_connection_count: candidates.length,
    ...(candidates.length > MAX_CANDIDATES ? { available_connections_truncated: true as const } : {}),
  }
}
