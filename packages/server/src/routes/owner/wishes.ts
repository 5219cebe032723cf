import { PdppError } from '@pdpp/protocol'
import type { Handler } from 'hono'
import type { Context } from '../../context.ts'
import type { StoredWish } from '../../grants/wishes/wish-store.ts'
import type { Http, HttpEnvironment } from '../environment.ts'
import { Query } from '../request/query.ts'
import { time } from './grant-wire.ts'

const STATES = ['open', 'denied', 'silenced'] as const

/**
 * GET /v1/owner/wishes: lists refused requests of agents, the latest first. No route allows a wish: access grows only
 * by a decision on the page that shows the wish.
 */
export function listWishes(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const query = new Query(c.req.url, ['limit', 'client_id', 'state'])
    const { subjectId } = c.get('authority')
    const state = stateOf(query.text('state'))
    const found = await context.wishes.list(subjectId, {
      limit: query.limit + 1,
      clientId: query.text('client_id'),
      state,
    })
    return c.json({
      object: 'list',
      has_more: found.length > query.limit,
      meta: { warnings: query.warnings },
      data: found.slice(0, query.limit).map((wish) => toWire(context, c, wish)),
    })
  }
}

function stateOf(text: string | undefined) {
  const state = STATES.find((one) => one === text)
  if (state || text === undefined) return state
  throw new PdppError('invalid_argument', `state must be one of ${STATES.join(', ')}.`, { param: 'state' })
}

/** GET /v1/owner/wishes/{id} */
export function readWish(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    new Query(c.req.url, [])
    return c.json(toWire(context, c, await context.wishes.require(c.get('authority').subjectId, c.req.param('id')!)))
  }
}

/** POST /v1/owner/wishes/{id}/deny and /silence */
export function decideWish(context: Context, state: 'denied' | 'silenced'): Handler<HttpEnvironment> {
  return async (c) => {
    const { subjectId } = c.get('authority')
    const wish = await context.wishes.require(subjectId, c.req.param('id')!)
    await context.wishes.decide(subjectId, wish, state)
    return c.json(toWire(context, c, await context.wishes.require(subjectId, wish.wishId)))
  }
}

/** DELETE /v1/owner/wishes/{id}: deletes it, so that the owner is asked again. */
export function forgetWish(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const { subjectId } = c.get('authority')
    const { wishId, clientId, lacks } = await context.wishes.require(subjectId, c.req.param('id')!)
    await context.wishes.forget(subjectId, clientId, lacks)
    return c.json({ forgotten: true, wish_id: wishId })
  }
}

function toWire(context: Context, c: Http, wish: StoredWish) {
  const { accessId, lacks } = wish
  const { origin } = c.get('requestOrigin')
  return {
    object: 'wish',
    wish_id: wish.wishId,
    client_id: wish.clientId,
    state: wish.state,
    times: wish.times,
    first_at: time(wish.firstAt),
    last_at: time(wish.lastAt),
    decided_at: time(wish.decidedAt),
    ...(accessId.startsWith('pkg_') ? { package_id: accessId } : { grant_id: accessId }),
    kind: lacks?.kind ?? 'others',
    ...(lacks && { stream: lacks.stream }),
    ...(lacks && lacks.kind !== 'stream' && { connector_key: lacks.connectorKey }),
    ...(lacks?.kind === 'field' && { field: lacks.field }),
    ...(lacks?.kind === 'time' && { since: lacks.since ?? null, until: lacks.until ?? null }),
    ...(lacks && { request_access_url: origin + context.wishes.pathOf({ accessId, lacks }) }),
  }
}
