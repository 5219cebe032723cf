import { hash } from 'node:crypto'
import type { FormSeal } from './form-seal.ts'
import type { StoredSession } from './session-store.ts'

/** Who looks at a page: the owner in a session, or somebody who has yet to sign in. */
export class PageSession {
  readonly session: StoredSession | undefined
  readonly #binding: string
  readonly #seal: FormSeal

  /** `secret` is what the browser holds: of the session, or of the visit before there is one. */
  constructor(seal: FormSeal, secret: string, session: StoredSession | undefined) {
    this.session = session
    this.#binding = hash('sha256', `${session ? 'session' : 'visit'}:${secret}`, 'base64url')
    this.#seal = seal
  }

  formToken(purpose: string): string {
    return this.#seal.token(this.#binding, purpose)
  }

  sentForm(token: string, purpose: string): boolean {
    return this.#seal.holds(token, this.#binding, purpose)
  }
}
