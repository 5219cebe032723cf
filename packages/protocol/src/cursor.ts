import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import { PdppError } from './errors/pdpp-error.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 12
const NONCES_AT_ONCE = 128

/**
 * Cursors are encrypted, not only signed: they contain versions and sort values, which could reveal changes in fields
 * that the client may not see. The binding (the grant and the query) is authenticated but not stored. So a cursor is
 * short and cannot be used under another grant or query. A cursor is only a position; it gives no access.
 */
export class CursorSealer {
  readonly #key: KeyObject
  #nonces: Buffer = Buffer.alloc(0)

  constructor(secret: Uint8Array) {
    this.#key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'pdpp cursor v1', 16)))
  }

  seal(binding: string, position: unknown): string {
    return this.sealBytes(binding, Buffer.from(JSON.stringify(position)))
  }

  /** For positions that are already packed. The result is short, because models copy cursors. */
  sealBytes(binding: string, position: Uint8Array): string {
    const nonce = this.#nextNonce()
    const cipher = createCipheriv('aes-128-gcm', this.#key, nonce, { authTagLength: TAG_BYTES })
    cipher.setAAD(Buffer.from(binding))
    const body = cipher.update(position)
    return Buffer.concat([nonce, body, cipher.final(), cipher.getAuthTag()]).toString('base64url')
  }

  /** Gets random bytes for many nonces at once, because each request for random bytes is expensive. */
  #nextNonce(): Buffer {
    if (this.#nonces.length < NONCE_BYTES) this.#nonces = randomBytes(NONCE_BYTES * NONCES_AT_ONCE)
    const nonce = this.#nonces.subarray(0, NONCE_BYTES)
    this.#nonces = this.#nonces.subarray(NONCE_BYTES)
    return nonce
  }

  open(binding: string, token: string, param = 'cursor'): unknown {
    try {
      return JSON.parse(this.openBytes(binding, token, param).toString('utf8'))
    } catch {
      throw foreign(param)
    }
  }

  openBytes(binding: string, token: string, param = 'cursor'): Buffer {
    const bytes = Buffer.from(token, 'base64url')
    if (bytes.length < NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== token) throw foreign(param)
    const body = bytes.subarray(NONCE_BYTES, -TAG_BYTES)
    const decipher = createDecipheriv('aes-128-gcm', this.#key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAAD(Buffer.from(binding))
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    try {
      return Buffer.concat([decipher.update(body), decipher.final()])
    } catch {
      throw foreign(param)
    }
  }
}

function foreign(param: string): PdppError {
  return new PdppError('invalid_cursor', `This ${param} was not issued for this token and these arguments.`, {
    param,
    nextStep: `Repeat the arguments that the ${param} came from, or leave it out.`,
  })
}
