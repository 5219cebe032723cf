import { PdppError } from '@pdpp/protocol'
import { StartupError } from '@pdpp/server'
import { safe } from './output.ts'
import { ServerRefusal } from './owner-api.ts'

/** One clear line, what to do next, and an exit code that a script can branch on. Never a stack trace. */
export function report(error: unknown): number {
  sayFailure(error)
  return exitCodeOf(error)
}

export function sayFailure(error: unknown): void {
  const { message, nextStep } = describe(error)
  process.stderr.write(`pdpp: ${message}\n${nextStep === undefined ? '' : `      ${nextStep}\n`}`)
}

export const exitCodeOf = (error: unknown): number => describe(error).exitCode

interface Failure {
  message: string
  nextStep?: string | undefined
  exitCode: number
}

/** Errors of a command that know themselves what to do next. */
interface Explained {
  readonly nextStep: string
  readonly exitCode?: number
}

const EXPLAINED = new Set(['ImportRefusal', 'FileError'])

function describe(error: unknown): Failure {
  if (error instanceof ServerRefusal || error instanceof PdppError)
    return { message: error.message, nextStep: error.nextStep, exitCode: exitFor(error.status) }
  if (error instanceof StartupError) return { message: error.message, exitCode: 1 }
  if (error instanceof UsageError)
    return { message: error.message, nextStep: 'Run the command with --help for its options.', exitCode: 2 }
  const { code, message, name } = error as NodeJS.ErrnoException
  if (EXPLAINED.has(name)) {
    const { nextStep, exitCode = 2 } = error as Error & Explained
    // They name files and columns, which come from others.
    return { message: safe(message), nextStep: safe(nextStep), exitCode }
  }
  if (code === 'ECONNREFUSED' || message === 'fetch failed')
    return {
      message: 'The server does not answer.',
      nextStep: 'Start it with `npm start` or `pdpp serve`.',
      exitCode: 6,
    }
  return { message: `Something went wrong: ${message ?? error}`, exitCode: 1 }
}

/** The words of the command line do not add up. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

function exitFor(status: number): number {
  return { 400: 2, 401: 3, 403: 4, 404: 5 }[status] ?? 1
}
