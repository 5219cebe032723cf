import { EXIT, exitForStatus } from './exit-codes.ts'
import { printError } from './output.ts'

/** An error with a message, a next step for the user, and an exit code for scripts. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
  readonly exitCode: number
  readonly nextStep: string

  constructor(exitCode: number, message: string, nextStep: string) {
    super(message)
    this.exitCode = exitCode
    this.nextStep = nextStep
  }
}

/** The arguments or flags of the command are wrong. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly nextStep: string

  constructor(message: string, nextStep = 'Run the command with --help for its options.') {
    super(message)
    this.nextStep = nextStep
  }
}

/** The user cancelled at a question, before anything was changed. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
  readonly nextStep = 'Run the command again when you are ready.'
  readonly exitCode = EXIT.other
}

/** Prints the error and its next step, never a stack trace. Returns the exit code. */
export function report(error: unknown): number {
  sayFailure(error)
  return exitCodeOf(error)
}

export function sayFailure(error: unknown): void {
  const { message, nextStep } = describe(error)
  printError(message, nextStep)
}

export const exitCodeOf = (error: unknown): number => describe(error).exitCode

/** The next step, in the text for the command line. */
export const nextStepOf = (error: unknown): string | undefined => {
  const explained = error as Explained
  const nextStep = explained.nextStepOn?.('command') ?? explained.nextStep
  return nextStep?.replace('{connect}', 'pdpp connect <provider-url>')
}

interface Description {
  readonly message: string
  readonly nextStep?: string | undefined
  readonly exitCode: number
}

/** Errors are recognised by their members, because importing their classes would load the server. */
interface Explained extends Error {
  readonly nextStep?: string
  /** An error of the protocol has a text for each surface. */
  nextStepOn?(surface: 'command'): string
  readonly exitCode?: number
  readonly status?: number
  readonly code?: string
}

const START_SERVER = 'Start it with `pdpp serve`.'

function describe(error: unknown): Description {
  const { name, code, message, exitCode, status } = error as Explained
  const nextStep = nextStepOf(error)
  if (name === 'StartupError') return { message, exitCode: EXIT.other }
  if (name === 'ServerRefusal') return { message, nextStep, exitCode: exitForStatus(status!) }
  if (typeof nextStep === 'string')
    return { message, nextStep, exitCode: exitCode ?? (status === undefined ? EXIT.usage : exitForError(status, code)) }
  if (code === 'ECONNREFUSED' || message === 'fetch failed')
    return { message: 'The server does not answer.', nextStep: START_SERVER, exitCode: EXIT.unreachable }
  if (message === 'terminated')
    return {
      message: 'The connection was interrupted.',
      nextStep: 'Run the command again.',
      exitCode: EXIT.unreachable,
    }
  const text = `Something went wrong: ${message ?? error}`
  return { message: text, nextStep: 'Try again. `pdpp doctor` looks for the cause.', exitCode: EXIT.other }
}

function exitForError(status: number, code: string | undefined): number {
  return code === 'server_unreachable' || code === 'request_timeout' ? EXIT.unreachable : exitForStatus(status)
}
