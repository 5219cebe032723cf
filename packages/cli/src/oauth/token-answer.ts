import { objectOf, textOf } from '@pdpp/mcp-server/client'
import { type Answer, errorOf } from '@pdpp/mcp-server/doctor'
import { EXIT } from '../terminal/exit-codes.ts'
import { CommandFailure } from '../terminal/failure.ts'

/** The result of every successful flow. */
export interface Granted {
  readonly accessToken: string
  readonly refreshToken: string | undefined
  readonly expiresAt: string | null
  readonly grantId: string | undefined
  readonly packageId: string | undefined
  readonly scope: string | null
}

export function granted(body: Record<string, unknown>): Granted | undefined {
  const credential = objectOf(body['credential'])
  const found = credential['access_token'] === undefined ? body : credential
  const accessToken = textOf(found['access_token'])
  if (accessToken === undefined) return
  const seconds = found['expires_in']
  const grant = objectOf(body['grant'])
  return {
    accessToken,
    refreshToken: textOf(found['refresh_token']),
    expiresAt:
      typeof seconds === 'number'
        ? new Date(Date.now() + seconds * 1000).toISOString()
        : (textOf(found['expires_at']) ?? null),
    grantId: textOf(found['grant_id']) ?? textOf(body['grant_id']) ?? textOf(grant['grant_id']),
    packageId: textOf(found['grant_package_id']) ?? textOf(body['package_id']),
    scope: textOf(found['scope']) ?? null,
  }
}

function denied(): CommandFailure {
  return new CommandFailure(EXIT.notPermitted, 'The owner denied access.', 'Ask them why, or run the command again.')
}

export function tooLate(): CommandFailure {
  return new CommandFailure(
    EXIT.other,
    'The owner did not answer in time.',
    'Run the command again, and keep the page open.',
  )
}

export function refused(answer: Answer, what: string): CommandFailure {
  const { code, message } = errorOf(answer)
  if (code === 'access_denied') return denied()
  if (code === 'expired_token') return tooLate()
  return new CommandFailure(
    EXIT.other,
    `${what}: ${message ?? code ?? `the server answered ${answer.status}`}`,
    'Run the command again.',
  )
}
