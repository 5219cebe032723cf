/** The type follows from the status, so that a client can branch on either. */
export type ErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'permission_error'
  | 'not_found_error'
  | 'gone_error'
  | 'request_entity_too_large_error'
  | 'rate_limit_error'
  | 'api_error'

/** Every code that crosses the wire, with its HTTP status. */
export const STATUS_BY_CODE = {
  invalid_request: 400,
  invalid_argument: 400,
  invalid_cursor: 400,
  invalid_sort: 400,
  invalid_filter: 400,
  invalid_expand: 400,
  invalid_field_path: 400,
  invalid_window: 400,
  invalid_record: 400,
  invalid_record_identity: 400,
  invalid_authorization_details: 400,
  invalid_client: 400,
  invalid_client_metadata: 400,
  invalid_status: 400,
  conflicting_connection_id: 400,
  unknown_field: 400,
  unsupported_version: 400,
  connector_invalid: 400,
  malformed_ndjson: 400,
  invalid_utf8: 400,
  append_only_conflict: 400,
  callback_not_allowed: 400,
  unsupported_search_mode: 400,
  authentication_error: 401,
  permission_error: 403,
  grant_stream_not_allowed: 403,
  field_not_granted: 403,
  insufficient_scope: 403,
  grant_time_range_exceeded: 403,
  grant_expired: 403,
  grant_revoked: 403,
  grant_paused: 403,
  grant_invalid: 403,
  grant_consumed: 403,
  package_revoked: 403,
  origin_not_allowed: 403,
  form_expired: 403,
  not_found: 404,
  blob_not_found: 404,
  connection_not_found: 404,
  connector_not_found: 404,
  field_not_found: 404,
  query_not_found: 404,
  stream_not_declared: 404,
  method_not_allowed: 405,
  request_stalled: 408,
  ambiguous_connection: 409,
  already_exists: 409,
  already_revoked: 409,
  archive_running: 409,
  backup_by_database: 409,
  import_state: 409,
  invalid_state: 409,
  approval_conflict: 409,
  cursor_expired: 410,
  resource_limit: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  misdirected_request: 421,
  field_not_text: 422,
  rate_limit_exceeded: 429,
  api_error: 500,
  server_unreachable: 502,
  ingest_batch_storage_error: 503,
  server_busy: 503,
  request_timeout: 503,
  storage_damaged: 503,
  storage_unavailable: 503,
  insufficient_storage: 507,
} as const satisfies Record<string, number>

export type ErrorCode = keyof typeof STATUS_BY_CODE

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(STATUS_BY_CODE, code)

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
      // The sender can fix any other 4xx. All other statuses are the fault of the server.
      return status >= 400 && status < 500 ? 'invalid_request_error' : 'api_error'
  }
}
