import {
  isAboutReach,
  isStandardStep,
  nextStepFrom,
  objectOf,
  parameterOf,
  type Reply,
  secondsOf,
  textOf,
} from '@pdpp/mcp-server/client'
import { EXIT, exitForStatus } from '../terminal/exit-codes.ts'
import { CommandFailure } from '../terminal/failure.ts'
import { safe } from '../terminal/output.ts'
import { withConnect } from './connect-command.ts'

/** Turns an error answer of the server into a failure of the command. */
export function refusal(reply: Reply, providerUrl: string): CommandFailure {
  const { error, ...body } = objectOf(reply.body)
  const found = typeof error === 'string' ? { code: error, message: body['error_description'] } : objectOf(error)
  const code = textOf(found['code']) ?? `http_${reply.status}`
  const message = textOf(found['message']) ?? `The server answered with status ${reply.status}.`
  // Another implementation sends 401 if the grant is too narrow. Signing in again would not help.
  const status = isAboutReach(code) ? 403 : reply.status
  return new CommandFailure(
    exitForStatus(status),
    `${safe(message)}${candidates(found)}${whereToAllow(found, providerUrl)}`,
    withConnect(nextStep(code, found, reply), providerUrl),
  )
}

function nextStep(code: string, found: Record<string, unknown>, { retryAfter }: Reply): string {
  const sentence = textOf(found['next_step'])
  const param = textOf(found['param'])
  const flag = param === undefined ? undefined : FLAGS.get(parameterOf(param))
  if (code === 'invalid_request' && sentence === undefined && flag !== undefined)
    return `Leave out ${flag}: this server does not accept it with a client's token.`
  const seconds = isStandardStep(code, sentence) ? secondsOf(retryAfter) : undefined
  if (seconds !== undefined)
    return `Wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}, then run the command again.`
  return nextStepFrom('command', code, sentence) ?? 'Run `pdpp doctor` to see what is wrong.'
}

/** The page where the owner can allow the refused access. Only addresses of the server that refused are accepted. */
function whereToAllow(found: Record<string, unknown>, providerUrl: string): string {
  const address = textOf(found['request_access_url'])
  if (address === undefined || URL.parse(address)?.origin !== URL.parse(providerUrl)?.origin) return ''
  return `\n      The owner can allow it at ${safe(address)}`
}

/** Flags for parameters that other implementations only accept from owners. */
const FLAGS: ReadonlyMap<string, string> = new Map([
  ['filter', '--where'],
  ['expand', '--expand'],
  ['expand_limit', '--expand-limit'],
  ['view', '--view'],
])

export const unreachable = (providerUrl: string): CommandFailure =>
  new CommandFailure(
    EXIT.unreachable,
    `${providerUrl} does not answer.`,
    `Is it running, and is the address right? \`pdpp doctor ${providerUrl}\` checks it step by step.`,
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
