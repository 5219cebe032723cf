import { randomBytes } from 'node:crypto'
import type { CursorSealer } from '@pdpp/protocol'
import { ROTATION_MS } from './limits.ts'
import type { SealedSecret } from './subscription-store.ts'

const SECRET_BYTES = 32

/** Secrets of webhooks. They are shown once and stored encrypted, not hashed, because signing needs the plain text. */
export class WebhookSecrets {
  readonly #sealer: CursorSealer

  constructor(sealer: CursorSealer) {
    this.#sealer = sealer
  }

  create(subscriptionId: string): { secret: string; sealed: SealedSecret } {
    const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
    return { secret, sealed: { sealed: this.#sealer.seal(binding(subscriptionId), secret) } }
  }

  /** Puts a new secret first. The previous one stays valid for a day; older ones end. */
  rotated(secrets: readonly SealedSecret[], next: SealedSecret, now: number): SealedSecret[] {
    const [former] = secrets
    return former ? [next, { ...former, validUntil: now + ROTATION_MS }] : [next]
  }

  /** The currently valid secrets for signing, newest first. */
  valid(subscriptionId: string, secrets: readonly SealedSecret[], now: number): string[] {
    return secrets
      .filter(({ validUntil }) => validUntil === undefined || validUntil > now)
      .map(({ sealed }) => this.#sealer.open(binding(subscriptionId), sealed) as string)
  }
}

const binding = (subscriptionId: string): string => JSON.stringify(['webhook secret', subscriptionId])
