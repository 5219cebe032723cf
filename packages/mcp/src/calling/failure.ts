import { NEXT_STEPS, PdppError, previewChars } from '@pdpp/protocol/reading'
import { grouped, shortLine } from '../rendering/safe-text.ts'
import { objectOf, textOf } from '../resource-server/envelope.ts'
import type { Reply } from '../resource-server/resource-server.ts'
import { isStandardStep, nextStepFrom, parameterOf, secondsOf } from '../resource-server/server-error.ts'
import type { ToolResult } from './result.ts'

/** An error of a tool. Codes of other servers are passed on unchanged. */
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
  readonly request_access_url?: string
}

/** Max. characters of a message. It may list many fields, and the next step after it must stay near the beginning. */
const MESSAGE_CHARS = 1_000
const NEXT_CHARS = 600

/** An error of the server, passed on to the model with its code and data (003.3). */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
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
    ...optional('request_access_url', pageAddress(found['request_access_url'])),
  })
}

/** Arguments of tools whose names differ from the parameters of the routes. */
const ARGUMENTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  search: { q: 'query' },
  fetch: { record_id: 'id' },
  read_record_field: { record_id: 'id', field: 'field_path' },
}

function argumentOf(param: string | undefined, tool: string): string | undefined {
  if (param === undefined) return
  const name = parameterOf(param)
  return ARGUMENTS[tool]?.[name] ?? name
}

/** Other implementations accept these arguments only from owners. */
const OWNERS_ONLY = ['filter', 'expand', 'expand_limit', 'view']

/** The answer came from a proxy, or from another server at this address. */
const NO_SERVER = new PdppError('server_unreachable', 'The answer did not come from a PDPP server.', {
  nextStep: 'Check the address of the server, and any proxy in front of it that may ask to sign in.',
})

function nextStep(
  code: string,
  sentence: string | undefined,
  { status, retryAfter }: Reply,
  param: string | undefined,
): string {
  if (code === 'invalid_request' && sentence === undefined && OWNERS_ONLY.includes(param ?? ''))
    return `Leave out ${param}: this server does not accept it with a client's token.`
  const seconds = isStandardStep(code, sentence) ? secondsOf(retryAfter) : undefined
  if (seconds !== undefined)
    return `Wait ${grouped(seconds)} ${seconds === 1 ? 'second' : 'seconds'}, then make the same call again.`
  const step = nextStepFrom('tool', code, sentence) ?? sentence
  if (step !== undefined) return step
  return status === 401 ? NEXT_STEPS.authentication_error.tool : 'Try again later, or ask the owner of the server.'
}

/** The page where the owner can grant the refused access. Values that are not web addresses are dropped. */
function pageAddress(value: unknown): string | undefined {
  const text = textOf(value)
  return text !== undefined && text.length <= MAX_ADDRESS_CHARS && /^https?:\/\/[\x21-\x7e]+$/.test(text)
    ? text
    : undefined
}

const MAX_ADDRESS_CHARS = 2_000

function retry(found: Record<string, unknown>) {
  const connections = found['available_connections']
  const count = found['available_connection_count']
  const asked = found['retry_with']
  return {
    // Some implementations send an object here; ours sends a string.
    ...(asked === undefined ? {} : { retry_with: typeof asked === 'string' ? asked : 'connection_id' }),
    ...(Array.isArray(connections) ? { available_connections: connections.slice(0, 12) } : {}),
    ...(typeof count === 'number' ? { available_connection_count: count } : {}),
    ...(found['available_connections_truncated'] === true ? { available_connections_truncated: true as const } : {}),
  }
}

/** A thrown error as a tool result. Unexpected errors reach the model without details. */
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
  return { ...wire, next_step: error.nextStepOn('tool') }
}

const UNFORESEEN: Failure = {
  type: 'api_error',
  code: 'api_error',
  message: 'Something went wrong inside the adapter.',
  http_status: 500,
  next_step: NEXT_STEPS.api_error.tool,
}

/** Marks the candidates that have the requested `stream`. */
function failureText(failure: Failure, stream: string): string {
  const lines = [
    `${failure.code} (${failure.http_status}${failure.param === undefined ? '' : `, ${shortLine(failure.param, 100)}`}): ${shortLine(failure.message, MESSAGE_CHARS)}`,
    `Next: ${shortLine(failure.next_step, NEXT_CHARS)}`,
  ]
  if (failure.request_access_url !== undefined)
    lines.push(
      `The owner can allow exactly this at ${failure.request_access_url} (show them the address, and call again when they have).`,
    )
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
