import { describe, expect, test } from 'vitest'
import { errorEnvelopeSchema } from '../wire.ts'
import { type ErrorCode, errorType } from './error-codes.ts'
import { ERRORS } from './error-table.ts'
import { type ConnectionCandidate, MAX_CANDIDATES, PdppError } from './pdpp-error.ts'

const codes = Object.keys(ERRORS) as ErrorCode[]

describe('the table', () => {
  test.each(codes)('%s has a status and one next step', (code) => {
    const { status, nextStep } = ERRORS[code]
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(600)
    expect(nextStep).toMatch(/^[A-Z][^\n]{10,}\.$/)
    expect(code).toMatch(/^[a-z][a-z0-9_]*$/)
  })

  test.each<ErrorCode>(['grant_stream_not_allowed', 'field_not_granted', 'grant_time_range_exceeded'])(
    '%s says over HTTP where the owner can allow it',
    (code) => expect(ERRORS[code].nextStep).toContain('request_access_url'),
  )

  test('only a credential problem is 401, so hosts start OAuth for it alone', () => {
    expect(codes.filter((code) => ERRORS[code].status === 401)).toEqual(['authentication_error'])
  })

  test('code → status: a change here is a change of the wire', () => {
    const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status)
    expect([...byStatus].map(([status, of]) => `${status}: ${of.sort().join(' ')}`)).toMatchInlineSnapshot(`
      [
        "400: append_only_conflict callback_not_allowed conflicting_connection_id connector_invalid invalid_argument invalid_authorization_details invalid_client invalid_client_metadata invalid_cursor invalid_expand invalid_field_path invalid_filter invalid_record invalid_record_identity invalid_request invalid_sort invalid_status invalid_utf8 invalid_window malformed_ndjson unknown_field unsupported_search_mode unsupported_version",
        "401: authentication_error",
        "403: field_not_granted form_expired grant_consumed grant_expired grant_invalid grant_paused grant_revoked grant_stream_not_allowed grant_time_range_exceeded insufficient_scope origin_not_allowed package_revoked permission_error",
        "404: blob_not_found connection_not_found connector_not_found field_not_found not_found query_not_found stream_not_declared",
        "405: method_not_allowed",
        "408: request_stalled",
        "409: already_exists already_revoked ambiguous_connection approval_conflict archive_running backup_by_database import_state invalid_state",
        "410: cursor_expired",
        "413: resource_limit",
        "415: unsupported_media_type",
        "416: range_not_satisfiable",
        "421: misdirected_request",
        "422: field_not_text",
        "429: rate_limit_exceeded",
        "500: api_error",
        "502: server_unreachable",
        "503: ingest_batch_storage_error request_timeout server_busy storage_damaged storage_unavailable",
        "507: insufficient_storage",
      ]
    `)
  })
})

test.each([
  [400, 'invalid_request_error'],
  [401, 'authentication_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [409, 'invalid_request_error'],
  [410, 'gone_error'],
  [413, 'request_entity_too_large_error'],
  [422, 'invalid_request_error'],
  [429, 'rate_limit_error'],
  [500, 'api_error'],
  [503, 'api_error'],
])('status %i is of type %s', (status, type) => expect(errorType(status)).toBe(type))

describe('an error on the wire', () => {
  test('has exactly the common members when nothing more is known', () => {
    expect(new PdppError('not_found', 'No such thing.').toWire('req_1')).toEqual({
      type: 'not_found_error',
      code: 'not_found',
      message: 'No such thing.',
      http_status: 404,
      next_step: ERRORS.not_found.nextStep,
      request_id: 'req_1',
    })
  })

  test('names the parameter, its own next step and what to retry with', () => {
    const error = new PdppError('ambiguous_connection', 'Two have it.', {
      param: 'connection_id',
      nextStep: 'Choose.',
      retryWith: 'connection_id',
      candidates: [],
    })
    expect(error.toWire('req_2')).toEqual({
      type: 'invalid_request_error',
      code: 'ambiguous_connection',
      message: 'Two have it.',
      http_status: 409,
      next_step: 'Choose.',
      request_id: 'req_2',
      param: 'connection_id',
      retry_with: 'connection_id',
      available_connections: [],
      available_connection_count: 0,
    })
  })

  test('keeps what only the server needs to itself', () => {
    const wire = new PdppError('server_busy', 'Busy.', { retryAfterSeconds: 3 }).toWire('req_3')
    expect(Object.keys(wire)).not.toContain('retryAfterSeconds')
    expect(JSON.stringify(wire)).not.toContain('errors.test')
  })

  test.each(codes)('fits the published schema: %s', (code) => {
    const error = new PdppError(code, 'M.', { param: 'p', retryWith: 'connection_id', candidates: candidates(30) })
    const wire = { error: error.toWire('req_4') }
    expect(errorEnvelopeSchema.parse(wire)).toEqual(wire)
  })
})

function candidates(count: number): ConnectionCandidate[] {
  return Array.from({ length: count }, (_, index) => ({
    connection_id: `cin_${index}`,
    connector_key: 'notes',
    grant_id: index % 2 ? null : `grt_${index}`,
    display_name: `Notes ${index}`,
  }))
}

describe('candidates', () => {
  test.each([1, MAX_CANDIDATES])('%i are all shown, in their order', (count) => {
    const wire = new PdppError('ambiguous_connection', 'M.', { candidates: candidates(count) }).toWire('r')
    expect(wire.available_connections).toEqual(candidates(count))
    expect(wire.available_connection_count).toBe(count)
    expect(wire).not.toHaveProperty('available_connections_truncated')
  })

  test.each([13, 500])('of %i the first 12 are shown, the rest counted', (count) => {
    const wire = new PdppError('ambiguous_connection', 'M.', { candidates: candidates(count) }).toWire('r')
    expect(wire.available_connections).toEqual(candidates(12))
    expect(wire.available_connection_count).toBe(count)
    expect(wire.available_connections_truncated).toBe(true)
  })
})
