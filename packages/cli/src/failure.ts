import { PdppError } from '@pdpp/protocol'
import { StartupError } from '@pdpp/server'
import { ServerRefusal } from './owner-api.ts'

/** One clear line, what to do next, and an exit code that a script can branch on. Never a stack trace. */
export function report(error: unknown): number {
  if (error instanceof ServerRefusal) return say(error.message, error.nextStep, exitFor(error.status))
  if (error instanceof PdppError) return say(error.message, error.nextStep, exitFor(error.status))
  if (error instanceof StartupError) return say(error.message, undefined, 1)
  if (error instanceof UsageError) return say(error.message, 'Run the command with --help for its options.', 2)
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ECONNREFUSED' || message === 'fetch failed')
    return say('The server does not answer.', 'Start it with `npm start` or `pdpp serve`.', 6)
  return say(`Something went wrong: ${message ?? error}`, undefined, 1)
}

/** The words of the command line do not add up. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

function exitFor(status: number): number {
  return { 400: 2, 401: 3, 403: 4, 404: 5 }[status] ?? 1
}

function say(message: string, nextStep: string | undefined, exitCode: number): number {
  process.stderr.write(`pdpp: ${message}\n${nextStep === undefined ? '' : `      ${nextStep}\n`}`)
  return exitCode
}
