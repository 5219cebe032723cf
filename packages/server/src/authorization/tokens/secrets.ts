import { createHmac, hash, randomBytes } from 'node:crypto'

/** The hash that is stored instead of a secret. It includes the kind, so that a secret opens only its own kind. */
export function storedName(kind: string, secret: string): string {
  return hash('sha256', `${kind}:${secret}`, 'base64url')
}

export function randomSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Derives a secret from another one. Only a holder of our key can compute it. */
export function derivedSecret(key: Uint8Array, purpose: string, from: string): string {
  return createHmac('sha256', key).update(`${purpose}:${from}`).digest('base64url')
}
