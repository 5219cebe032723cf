import type { default as Provider } from 'oidc-provider'
import { LruCache } from '../../lib/lru-cache.ts'
import { POLL_SECONDS } from '../consent/paths.ts'
import { storedName } from '../tokens/secrets.ts'
import type { TokenResponse } from '../tokens/token-issuer.ts'

type Ctx = NonNullable<typeof Provider.ctx>

const SLOW_DOWN_SECONDS = 5
/** Clocks and networks jitter; a poll a little early is not a hasty one. */
const TOLERANCE_MS = 250

/** What goes into the engine's answers before they leave, and what it does not know itself. */
export class Answers {
  readonly #polls = new LruCache<string, { at: number; seconds: number }>(10_000)

  finish(ctx: Ctx): void {
    const body = ctx.body as Record<string, unknown> | undefined
    if (body === undefined || body === null || typeof body !== 'object') return
    if (ctx.path === '/oauth/token') this.#finishToken(ctx, body)
    if (ctx.path === '/oauth/device_authorization' && ctx.status === 200)
      ctx.body = { ...body, interval: POLL_SECONDS, interval_ms: POLL_SECONDS * 1000 }
  }

  #finishToken(ctx: Ctx, body: Record<string, unknown>): void {
    const issued = ctx.state['issued'] as TokenResponse | undefined
    if (ctx.status === 200 && issued) {
      const { refresh_token: refreshToken } = body
      ctx.body = { ...issued, ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }) }
    }
    if (body['error'] === 'invalid_grant' && ctx.state['fresh']) {
      ctx.body = { ...body, fresh_authorization_required: true }
    }
    if (body['error'] === 'authorization_pending') ctx.body = this.#pending(ctx, body)
  }

  /** RFC 8628 section 3.5: who asks too soon has to wait longer from then on. */
  #pending(ctx: Ctx, body: Record<string, unknown>): Record<string, unknown> {
    const code = storedName('poll', String(ctx.oidc.params?.['device_code']))
    const last = this.#polls.get(code)
    const hasty = last !== undefined && performance.now() - last.at < last.seconds * 1000 - TOLERANCE_MS
    const seconds = (last?.seconds ?? POLL_SECONDS) + (hasty ? SLOW_DOWN_SECONDS : 0)
    this.#polls.set(code, { at: performance.now(), seconds })
    return hasty
      ? { error: 'slow_down', error_description: `Wait ${seconds} seconds between two requests.`, interval: seconds }
      : body
  }
}
