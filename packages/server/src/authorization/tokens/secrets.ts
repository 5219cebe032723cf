import { createHmac, hash, randomBytes } from 'node:crypto'

/** What is stored in the place of a secret; the kind keeps one kind's secret from opening another. */
export function storedName(kind: string, secret: string): string {
  return hash('sha256', `${kind}:${secret}`, 'base64url')
}

export function randomSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** A secret that follows from another one, for whoever holds our key and nobody else. */
export function derivedSecret(key: Uint8Array, purpose: string, from: string): string {
  return createHmac('sha256', key).update(`${purpose}:${from}`).digest('base64url')
}
