import { stepOnSurface } from '@pdpp/protocol/reading'

/** An error answer of the server, with the server's own message. */
export class ServerRefusal extends Error {
  override readonly name = 'ServerRefusal'
  readonly status: number
  readonly code: string | undefined
  readonly nextStep: string | undefined

  constructor(status: number, error: { message?: string; next_step?: string; code?: string } | undefined) {
    super(error?.message ?? `The server answered ${status}.`)
    this.status = status
    this.code = error?.code
    this.nextStep = stepOnSurface('command', error?.code ?? '', error?.next_step) ?? error?.next_step
  }
}
