import type { default as Provider } from 'oidc-provider'
import { LruCache } from '../../lib/caches/lru-cache.ts'
import { POLL_SECONDS } from '../requests/agent-connect.ts'
import { storedName } from '../tokens/secrets.ts'
import type { TokenResponse } from '../tokens/token-issuer.ts'

type Ctx = NonNullable<typeof Provider.ctx>

const SLOW_DOWN_SECONDS = 5
/** A poll may be early by these milliseconds, because clocks and networks jitter. */
const TOLERANCE_MS = 250

/** Adds facts to the engine's responses that the engine does not have. */
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

  /** RFC 8628 section 3.5: a client that polls too soon must wait longer from then on. */
  #pending(ctx: Ctx, body: Record<string, unknown>): Record<string, unknown> {
    const code = storedName('poll', String(ctx.oidc.params?.['device_code']))
    const last = this.#polls.get(code)
    const tooSoon = last !== undefined && performance.now() - last.at < last.seconds * 1000 - TOLERANCE_MS
    const seconds = (last?.seconds ?? POLL_SECONDS) + (tooSoon ? SLOW_DOWN_SECONDS : 0)
    this.#polls.set(code, { at: performance.now(), seconds })
    return tooSoon
      ? { error: 'slow_down', error_description: `Wait ${seconds} seconds between two requests.`, interval: seconds }
      : body
  }
}
