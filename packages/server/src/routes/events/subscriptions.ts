import { PdppError } from '@pdpp/protocol'
import type { Handler } from 'hono'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { IDLE, MAX_BODY_BYTES } from '../../subscriptions/limits.ts'
import type { Subscriber } from '../../subscriptions/subscription-service.ts'
import type { StoredSubscription } from '../../subscriptions/subscription-store.ts'
import type { Http, HttpEnvironment } from '../environment.ts'
import { parsedBody } from '../owner/body.ts'
import { Query } from '../request/query.ts'
import { filtersSchema, instant, readFilters, subscriptionWire } from './subscription-wire.ts'

const createSchema = z.strictObject({
  callback_url: z.string().min(1).optional(),
  delivery: z.enum(['webhook', 'poll']).optional(),
  filters: filtersSchema.optional(),
  event_types: z.array(z.string()).optional(),
  idle_seconds: z.int().min(IDLE.minSeconds).max(IDLE.maxSeconds).optional(),
})
const changeSchema = z.strictObject({
  enabled: z.boolean().optional(),
  rotate_secret: z.boolean().optional(),
  filters: filtersSchema.optional(),
})

/** Subscriptions belong to a client's grant. The owner does not need any, because the owner sees everything. */
export function subscriberOf(c: Http): Subscriber {
  const authority = c.get('authority')
  if (authority.kind !== 'owner') return authority
  throw new PdppError('grant_invalid', 'Event subscriptions belong to a grant, and this is an owner token.', {
    nextStep: 'Use the token of a grant. The owner sees subscriptions on the page of each access.',
  })
}

/** Records the request's receipt for the grant that the subscription belongs to. */
export function noteGrant(c: Http, { grantId }: Pick<StoredSubscription, 'grantId'>): void {
  c.set('grantsRead', [grantId])
}

/** POST /v1/event-subscriptions */
export function createSubscription(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const subscriber = subscriberOf(c)
    const body = await parsedBody(c, createSchema, MAX_BODY_BYTES)
    checkDelivery(body)
    const callbackUrl = body.callback_url
    const idleMs = body.idle_seconds === undefined ? undefined : body.idle_seconds * 1000
    const filters = readFilters(body.filters)
    const created = await context.subscriptions.create(subscriber, { callbackUrl, idleMs, filters })
    noteGrant(c, created.subscription)
    const { secret } = created
    return c.json({ ...subscriptionWire(created), ...(secret === undefined ? {} : { secret }) }, 201)
  }
}

function checkDelivery(body: z.infer<typeof createSchema>): void {
  const { callback_url: url, delivery, event_types: types, idle_seconds: idle } = body
  if (url !== undefined && idle !== undefined)
    throw new PdppError('invalid_argument', 'idle_seconds is for subscriptions without callback_url.', {
      param: 'idle_seconds',
    })
  if (delivery === 'webhook' && url === undefined)
    throw new PdppError('invalid_argument', 'Delivery by webhook needs a callback_url.', { param: 'callback_url' })
  if (delivery === 'poll' && url !== undefined)
    throw new PdppError('invalid_argument', 'Delivery by poll takes no callback_url.', { param: 'callback_url' })
  if (types === undefined || (types.length > 0 && types.every((type) => type === 'pdpp.records.changed'))) return
  throw new PdppError('invalid_argument', 'event_types may name pdpp.records.changed only.', {
    param: 'event_types',
    nextStep: 'Leave out event_types. Test events and notices about the subscription itself come with every one.',
  })
}

/** GET /v1/event-subscriptions */
export function listSubscriptions(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const subscriber = subscriberOf(c)
    const query = new Query(c.req.url, ['limit', 'cursor'])
    const { limit } = query
    const { subscriptions, next } = await context.subscriptions.list(subscriber, {
      limit,
      cursor: query.text('cursor'),
    })
    return c.json({
      object: 'list',
      has_more: next !== undefined,
      ...(next === undefined ? {} : { next_cursor: next }),
      data: subscriptions.map(subscriptionWire),
    })
  }
}

/** GET /v1/event-subscriptions/{id} */
export function readSubscription(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const subscription = await context.subscriptions.require(subscriberOf(c), c.req.param('id')!)
    noteGrant(c, subscription)
    const [found] = await context.subscriptions.withGrants([subscription])
    return c.json(subscriptionWire(found!))
  }
}

/** PATCH /v1/event-subscriptions/{id}: members that the body does not name stay unchanged. */
export function updateSubscription(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const subscriber = subscriberOf(c)
    const { enabled, rotate_secret: rotateSecret, filters } = await parsedBody(c, changeSchema, MAX_BODY_BYTES)
    const change = { enabled, rotateSecret, filters: filters && readFilters(filters) }
    const updated = await context.subscriptions.update(subscriber, c.req.param('id')!, change)
    noteGrant(c, updated.subscription)
    const { secret } = updated
    return c.json({ subscription: subscriptionWire(updated), ...(secret === undefined ? {} : { secret }) })
  }
}

/** DELETE /v1/event-subscriptions/{id} */
export function deleteSubscription(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const subscriber = subscriberOf(c)
    noteGrant(c, await context.subscriptions.require(subscriber, c.req.param('id')!))
    await context.subscriptions.remove(subscriber, c.req.param('id')!)
    return c.body(null, 204)
  }
}

/** POST /v1/event-subscriptions/{id}/test-event */
export function sendTestEvent(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const subscriber = subscriberOf(c)
    noteGrant(c, await context.subscriptions.require(subscriber, c.req.param('id')!))
    const eventId = await context.subscriptions.sendTest(subscriber, c.req.param('id')!)
    return c.json({ event_id: eventId, queued_at: instant(Date.now()) }, 202)
  }
}
