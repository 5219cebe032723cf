import { EXIT, exitForStatus } from './exit-codes.ts'
import { printError } from './output.ts'
import { ServerRefusal } from './server-refusal.ts'

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
}

/** One clear line, what to do next, and an exit code that a script can branch on. Never a stack trace. */
export function report(error: unknown): number {
  if (error instanceof CommandFailure) return say(error, error.nextStep, error.exitCode)
  if (error instanceof ServerRefusal) return say(error, error.nextStep, exitForStatus(error.status))
  if (error instanceof UsageError) return say(error, error.nextStep, EXIT.usage)
  if (error instanceof Cancelled) return say(error, 'Run the command again when you are ready.', EXIT.other)
  // By name: to load the server only for reporting a failed read would cost more than the read.
  const { name, code, message } = error as NodeJS.ErrnoException
  if (name === 'PdppError') return protocolFailure(error as Error & { code: string; status: number; nextStep: string })
  if (name === 'StartupError') return say(error as Error, undefined, EXIT.other)
  if (code === 'ECONNREFUSED' || message === 'fetch failed')
    return say(
      { message: 'The server does not answer.' },
      'Start it with `npm start` or `pdpp serve`.',
      EXIT.unreachable,
    )
  return say(
    { message: `Something went wrong: ${message ?? error}` },
    'Try again; `pdpp doctor` looks for the cause.',
    1,
  )
}

function protocolFailure(error: Error & { code: string; status: number; nextStep: string }): number {
  const unreachable = error.code === 'server_unreachable' || error.code === 'request_timeout'
  return say(error, error.nextStep, unreachable ? EXIT.unreachable : exitForStatus(error.status))
}

function say({ message }: { message: string }, nextStep: string | undefined, exitCode: number): number {
  printError(message, nextStep)
  return exitCode
}
