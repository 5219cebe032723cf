import { hash } from 'node:crypto'
import type { FormSeal } from './form-seal.ts'
import type { StoredSession } from './session-store.ts'

/** The session of a page request: the owner's, or that of somebody who is not signed in yet. */
export class PageSession {
  readonly session: StoredSession | undefined
  readonly #binding: string
  readonly #seal: FormSeal

  /** `secret` is the value of the browser's cookie: the session's secret, or a random one before sign-in. */
  constructor(seal: FormSeal, secret: string, session: StoredSession | undefined) {
    this.session = session
    this.#binding = hash('sha256', `${session ? 'session' : 'visit'}:${secret}`, 'base64url')
    this.#seal = seal
  }

  formToken(purpose: string): string {
    return this.#seal.token(this.#binding, purpose)
  }

  acceptsFormToken(token: string, purpose: string): boolean {
    return this.#seal.holds(token, this.#binding, purpose)
  }
}
