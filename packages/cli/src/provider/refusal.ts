import { isAboutReach, isAboutToken, objectOf, type Reply, textOf } from '@pdpp/mcp-server/client'
import { commandLine } from '@pdpp/mcp-server/hosts'
import { EXIT, exitForStatus } from '../terminal/exit-codes.ts'
import { CommandFailure } from '../terminal/failure.ts'
import { safe } from '../terminal/output.ts'

const ASK_AGAIN = 'Ask the owner, or ask again with: '

/** Next steps that name commands instead of routes. `{connect}` is replaced by the command that asks for access. */
const NEXT: Record<string, string> = {
  authentication_error: 'The token is not valid (any more). Get another with: {connect}',
  grant_revoked: `The owner ended this access. ${ASK_AGAIN}{connect}`,
  grant_expired: `This access has ended. ${ASK_AGAIN}{connect}`,
  grant_paused: 'The owner paused this access. Try again later, or ask the owner.',
  grant_invalid: 'Ask again with: {connect}',
  grant_stream_not_allowed: '`pdpp read streams` lists what you may read. For more, ask again with: {connect}',
  'context.stream_not_allowed': '`pdpp read streams` lists what you may read. For more, ask again with: {connect}',
  'context.instance_mismatch': '`pdpp read streams` lists the connections that you may read.',
  'context.field_not_granted':
    '`pdpp read schema <stream>` lists the fields that you may read. For more, ask again with: {connect}',
  needs_broader_grant: `Your access does not reach so far. ${ASK_AGAIN}{connect}`,
  field_not_granted:
    '`pdpp read schema <stream>` lists the fields that you may read. For more, ask again with: {connect}',
  unknown_field: '`pdpp read schema <stream>` lists the fields.',
  invalid_sort: '`pdpp read schema <stream>` shows which fields can be sorted by.',
  invalid_filter: '`pdpp read schema <stream>` shows which fields can be filtered, and how.',
  invalid_expand: '`pdpp read schema <stream>` lists the relations that can be expanded.',
  invalid_cursor: 'Run the command again without --cursor.',
  cursor_expired: 'Run the command again without --cursor; a change feed starts afresh with --since-last --restart.',
  not_found: 'Check the name or id: `pdpp read streams` lists streams, `pdpp read search` finds ids.',
  connection_not_found: '`pdpp read streams` lists the connections that you may read.',
  ambiguous_connection: 'Name one of them with --connection.',
  unsupported_search_mode: 'Leave out --mode: every server searches by words.',
  query_not_found: 'Look for other words, or read it from an offset with --offset.',
  blob_not_found: 'Check the id: a record shows it as blob_ref.',
}

/** A refusal as a failure of the command, with its meaning kept. */
export function refusal(reply: Reply, providerUrl: string): CommandFailure {
  const { error, ...body } = objectOf(reply.body)
  const found = typeof error === 'string' ? { code: error, message: body['error_description'] } : objectOf(error)
  const code = textOf(found['code']) ?? `http_${reply.status}`
  const message = textOf(found['message']) ?? `The server answered with status ${reply.status}.`
  // A server that says 401 for what a grant leaves out must not send people through sign-in again.
  const status = isAboutReach(code) ? 403 : reply.status
  const told = textOf(found['next_step'])
  const param = textOf(found['param'])?.replace(/\[.*$/s, '')
  const next =
    NEXT[isAboutToken(code) ? 'authentication_error' : code] ??
    (told === undefined && code === 'invalid_request' ? leaveOut(param) : undefined) ??
    (told !== undefined && !/\b(GET|POST) \//.test(told) ? told : 'Run `pdpp doctor` to see what is wrong.')
  const connect = commandLine(['pdpp', 'connect', providerUrl])
  return new CommandFailure(
    exitForStatus(status),
    `${safe(message)}${candidates(found)}`,
    next.replace('{connect}', connect),
  )
}

/** Other implementations take these from owners alone. */
const FLAGS: Record<string, string> = {
  filter: '--where',
  expand: '--expand',
  expand_limit: '--expand-limit',
  view: '--view',
}

const leaveOut = (param: string | undefined): string | undefined =>
  param !== undefined && Object.hasOwn(FLAGS, param)
    ? `Leave out ${FLAGS[param]}: this server does not take it with a client's token.`
    : undefined

export const unreachable = (providerUrl: string): CommandFailure =>
  new CommandFailure(
    EXIT.unreachable,
    `${providerUrl} does not answer.`,
    `Is it running, and is the address right? \`pdpp doctor ${providerUrl}\` looks closer.`,
  )

function candidates(found: Record<string, unknown>): string {
  const listed = found['available_connections']
  if (!Array.isArray(listed) || listed.length === 0) return ''
  const lines = listed.slice(0, 12).map((each) => {
    const { connection_id: id, display_name: name, connector_key: key } = objectOf(each)
    return `\n        ${safe(String(id))}  ${safe(String(name ?? key ?? ''))}`.trimEnd()
  })
  return lines.join('')
}
