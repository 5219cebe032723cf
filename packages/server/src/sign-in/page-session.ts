import { createHmac, hash, timingSafeEqual } from 'node:crypto'
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

/**
 * Makes and checks the token in every form (CSRF protection). A token is valid for one browser session and one purpose.
 * The purpose names the form and its subject, such as `consent:<request id>`.
 */
export class FormSeal {
  readonly #key: Uint8Array

  constructor(key: Uint8Array) {
    this.#key = key
  }

  token(binding: string, purpose: string): string {
    return createHmac('sha256', this.#key)
      .update(JSON.stringify([binding, purpose]))
      .digest('base64url')
  }

  holds(token: string, binding: string, purpose: string): boolean {
    const expected = Buffer.from(this.token(binding, purpose))
    const actual = Buffer.from(token)
    return actual.length === expected.length && timingSafeEqual(actual, expected)
  }
}
