import { createHmac, timingSafeEqual } from 'node:crypto'

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
