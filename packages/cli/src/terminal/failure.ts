import { EXIT, exitForStatus } from './exit-codes.ts'
import { printError } from './output.ts'

/** What went wrong, what to do next, and the exit code that says which kind it is. */
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

/** The words of the command line do not add up. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly nextStep: string

  constructor(message: string, nextStep = 'Run the command with --help for its options.') {
    super(message)
    this.nextStep = nextStep
  }
}

/** Asked to stop at a question: nothing was done. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
  readonly nextStep = 'Run the command again when you are ready.'
  readonly exitCode = EXIT.other
}

/** One clear line, what to do next, and an exit code that a script can branch on. Never a stack trace. */
export function report(error: unknown): number {
  sayFailure(error)
  return exitCodeOf(error)
}

export function sayFailure(error: unknown): void {
  const { message, nextStep } = describe(error)
  printError(message, nextStep)
}

export const exitCodeOf = (error: unknown): number => describe(error).exitCode

/** What to do next, in the words of the command line. */
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

/** Errors that name a next step, recognised by their members: importing their classes would load the whole server. */
interface Explained extends Error {
  readonly nextStep?: string
  /** An error of the protocol has words for each surface. */
  nextStepOn?(surface: 'command'): string
  readonly exitCode?: number
  readonly status?: number
  readonly code?: string
}

const AT_ONCE = 'Start it with `npm start` or `pdpp serve`.'

function describe(error: unknown): Description {
  const { name, code, message, exitCode, status } = error as Explained
  const nextStep = nextStepOf(error)
  if (name === 'StartupError') return { message, exitCode: EXIT.other }
  if (name === 'ServerRefusal') return { message, nextStep, exitCode: exitForStatus(status!) }
  if (typeof nextStep === 'string')
    return { message, nextStep, exitCode: exitCode ?? (status === undefined ? EXIT.usage : exitForError(status, code)) }
  if (code === 'ECONNREFUSED' || message === 'fetch failed')
    return { message: 'The server does not answer.', nextStep: AT_ONCE, exitCode: EXIT.unreachable }
  if (message === 'terminated')
    return { message: 'The connection broke off.', nextStep: 'Run the command again.', exitCode: EXIT.unreachable }
  const words = `Something went wrong: ${message ?? error}`
  return { message: words, nextStep: 'Try again; `pdpp doctor` looks for the cause.', exitCode: EXIT.other }
}

function exitForError(status: number, code: string | undefined): number {
  return code === 'server_unreachable' || code === 'request_timeout' ? EXIT.unreachable : exitForStatus(status)
}
