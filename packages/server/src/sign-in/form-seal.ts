import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * The token in every form: it holds for one browser session and one purpose, so a form made for another session, or for
 * something else, changes nothing. A purpose names the form and what it is about, such as `consent:<request id>`.
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
    const given = Buffer.from(token)
    return given.length === expected.length && timingSafeEqual(given, expected)
  }
}
