import { ERRORS, type ErrorCode, PdppError, previewChars } from '@pdpp/protocol/reading'
import { grouped, shortLine } from '../rendering/preview.ts'
import { objectOf, textOf } from '../resource-server/envelope.ts'
import { isAboutReach, isAboutToken } from '../resource-server/reach-codes.ts'
import type { Reply } from '../resource-server/resource-server.ts'
import type { ToolResult } from './result.ts'

/** An error as every surface shows it. Codes of other servers pass through as they are. */
export interface Failure {
  readonly type: string
  readonly code: string
  readonly message: string
  readonly http_status: number
  readonly next_step: string
  readonly request_id?: string
  readonly param?: string
  readonly retry_with?: string
  readonly available_connections?: readonly object[]
  readonly available_connection_count?: number
  readonly available_connections_truncated?: true
}

/** A message may name the fields or sources there are; what follows it must stay near the beginning. */
const MESSAGE_CHARS = 1_000
const NEXT_CHARS = 600

/** A server's refusal, on its way to the model with its meaning kept (003.3). */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
}

/** Next steps that name tools instead of routes. */
const NEXT: Partial<Record<ErrorCode, string>> = {
  unknown_field: 'Call schema with this stream for the fields that are valid here.',
  field_not_granted: 'Use a field that the grant includes; only the owner can add others.',
  invalid_sort: 'Call schema with this stream: fields flagged s can be sorted by.',
  invalid_filter: 'Call schema with this stream: eq and r flags say which fields can be filtered, and how.',
  invalid_expand: 'Call schema with this stream: it lists the relations that can be expanded, and their limits.',
  invalid_field_path: 'Call schema with this stream for its field names.',
  invalid_cursor: 'Make the same call again without cursor.',
  cursor_expired: 'Make the same call again without cursor.',
  not_found: 'Check the name or id: schema lists what can be read, search finds ids.',
  connection_not_found: 'Use a connection_id that schema lists.',
  ambiguous_connection: 'Call again with one of available_connections as connection_id; schema lists all of them.',
  grant_stream_not_allowed: 'Use a stream that schema lists; only the owner can add others.',
  authentication_error: 'The token no longer works: the owner has to connect this client again and restart it.',
  unsupported_search_mode: 'Call search without mode: it searches by words.',
  query_not_found: 'Search the field for other words, or read it from an offset.',
  field_not_text: 'Read the record with fetch and fields instead.',
}

export function refusalOf(reply: Reply, tool: string): Refusal {
  if (reply.status >= 200 && reply.status < 300) return new Refusal(ownFailure(NO_SERVER))
  const body = (reply.body ?? {}) as Record<string, unknown>
  const error = body['error']
  // RFC 6749 section 5.2: `error` is a string, and `error_description` is a separate member.
  const found =
    typeof error === 'object' && error !== null
      ? (error as Record<string, unknown>)
      : typeof error === 'string'
        ? { code: error, message: body['error_description'] }
        : {}
  const code = textOf(found['code']) ?? `http_${reply.status}`
  const message = textOf(found['message']) ?? `The server answered with status ${reply.status}.`
  const param = argumentOf(textOf(found['param']), tool)
  return new Refusal({
    type: textOf(found['type']) ?? 'api_error',
    code,
    message: previewChars(message, MESSAGE_CHARS),
    http_status: reply.status,
    next_step: previewChars(nextStep(code, textOf(found['next_step']), reply, param), NEXT_CHARS),
    ...optional('request_id', textOf(found['request_id']) ?? reply.requestId),
    ...optional('param', param),
    ...retry(found),
  })
}

/** Arguments of tools whose names differ from the parameters of the routes. */
const ARGUMENTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  search: { q: 'query' },
  fetch: { record_id: 'id' },
  read_record_field: { record_id: 'id', field: 'field_path' },
}

/** `filter[a][gte]` is the typed filter here. */
function argumentOf(param: string | undefined, tool: string): string | undefined {
  const plain = param?.replace(/\[.*$/s, '')
  return plain === undefined ? undefined : (ARGUMENTS[tool]?.[plain] ?? plain)
}

/** Arguments that other implementations take from owners alone. */
const OWNERS_ONLY = ['filter', 'expand', 'expand_limit', 'view']

/** A page of a proxy, or of something else that took the place of the server. */
const NO_SERVER = new PdppError('server_unreachable', 'What answers at this address is no PDPP server.', {
  nextStep: 'Check the address of the server and what stands before it, such as a proxy that asks to sign in.',
})

/** The server's own advice wins where it is more than the table's, and speaks of no routes or headers. */
function nextStep(
  code: string,
  told: string | undefined,
  { status, retryAfter }: Reply,
  param: string | undefined,
): string {
  const table = Object.hasOwn(ERRORS, code) ? ERRORS[code as ErrorCode].nextStep : undefined
  const ours = NEXT[code as ErrorCode]
  // Another implementation's way to say that the grant does not reach there; its advice is to connect again.
  if (isAboutReach(code)) return 'Use a stream and a connection_id that schema lists; only the owner can add others.'
  if (isAboutToken(code)) return NEXT.authentication_error!
  if (code === 'needs_broader_grant') return told ?? ERRORS.insufficient_scope.nextStep
  if (code === 'invalid_request' && told === undefined && OWNERS_ONLY.includes(param ?? ''))
    return `Leave out ${param}: this server does not take it with a client's token.`
  const seconds = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) : undefined
  if (seconds !== undefined && (told === undefined || told === table))
    return `Wait ${grouped(seconds)} ${seconds === 1 ? 'second' : 'seconds'}, then make the same call again.`
  if (told !== undefined && (ours === undefined || (told !== table && !/\b(GET|POST) \//.test(told))))
    return told.replaceAll(/GET \/v1\/schema( \(the schema tool\))?/g, 'schema')
  return (
    ours ?? table ?? (status === 401 ? NEXT.authentication_error! : 'Try again later, or ask the owner of the server.')
  )
}

function retry(found: Record<string, unknown>) {
  const connections = found['available_connections']
  const count = found['available_connection_count']
  const asked = found['retry_with']
  return {
    // An object in some implementations, a text in ours.
    ...(asked === undefined ? {} : { retry_with: typeof asked === 'string' ? asked : 'connection_id' }),
    ...(Array.isArray(connections) ? { available_connections: connections.slice(0, 12) } : {}),
    ...(typeof count === 'number' ? { available_connection_count: count } : {}),
    ...(found['available_connections_truncated'] === true ? { available_connections_truncated: true as const } : {}),
  }
}

/** Whatever was thrown, as a result that a model can act on. What we did not foresee tells nothing of its inside. */
export function failureResult(error: unknown, stream?: unknown): ToolResult {
  const failure = error instanceof Refusal ? error.failure : error instanceof PdppError ? ownFailure(error) : UNFORESEEN
  return {
    content: [
      { type: 'text', text: failureText(failure, typeof stream === 'string' ? shortLine(stream, 100) : 'the stream') },
    ],
    structuredContent: { error: failure },
    isError: true,
  }
}

function ownFailure(error: PdppError): Failure {
  const { request_id: _none, ...wire } = error.toWire('')
  return { ...wire, next_step: error.detail.nextStep ?? NEXT[error.code] ?? error.nextStep }
}

const UNFORESEEN: Failure = {
  type: 'api_error',
  code: 'api_error',
  message: 'Something went wrong inside the adapter.',
  http_status: 500,
  next_step: 'Try the call again; if it stays, tell the owner of the server.',
}

/** `stream` is what was asked for: candidates that have it say so. */
function failureText(failure: Failure, stream: string): string {
  const lines = [
    `${failure.code} (${failure.http_status}${failure.param === undefined ? '' : `, ${shortLine(failure.param, 100)}`}): ${shortLine(failure.message, MESSAGE_CHARS)}`,
    `Next: ${shortLine(failure.next_step, NEXT_CHARS)}`,
  ]
  const shown = failure.available_connections ?? []
  if (shown.length > 0) {
    const total = failure.available_connection_count ?? shown.length
    lines.push(
      `available_connections (${shown.length} of ${grouped(total)}${total > shown.length ? '; schema lists all' : ''}):`,
    )
    lines.push(...shown.map((connection) => candidateLine(connection, stream)))
  }
  return lines.join('\n')
}

function candidateLine(connection: object, stream: string): string {
  const candidate = objectOf(connection)
  const name = textOf(candidate['display_name'])
  const parts = ['connection_id', 'connector_key', 'grant_id'].flatMap((key) => {
    const value = textOf(candidate[key])
    return value === undefined ? [] : [`${key}=${shortLine(value, 100)}`]
  })
  const has = candidate['has_stream'] === true ? ` has ${stream}` : ''
  return `- ${parts.join(' ')}${name === undefined ? '' : ` "${shortLine(name, 60)}"`}${has}`
}

const optional = <Name extends string>(name: Name, value: string | undefined) =>
  (value === undefined ? {} : { [name]: value }) as Partial<Record<Name, string>>
