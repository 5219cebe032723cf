import type { Handler } from 'hono'
import type { Context } from '../../context.ts'
import type { GrantedSubscription } from '../../subscriptions/subscription-service.ts'
import type { HttpEnvironment } from '../environment.ts'
import { deliveryWire, subscriptionWire } from '../events/subscription-wire.ts'
import { Query } from '../request/query.ts'

/** GET /v1/owner/subscriptions: lists where events go, newest first, each with its last deliveries. */
export function listAllSubscriptions(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const query = new Query(c.req.url, ['limit', 'cursor', 'grant_id'])
    const { limit } = query
    const { subjectId } = c.get('authority')
    const found = await context.subscriptions.listAll(subjectId, {
      limit: limit + 1,
      before: query.text('cursor'),
      grantId: query.text('grant_id'),
    })
    const page = found.slice(0, limit)
    const next = found.length > limit ? page.at(-1)?.subscription.subscriptionId : undefined
    return c.json({
      object: 'list',
      has_more: next !== undefined,
      ...(next === undefined ? {} : { next_cursor: next }),
      meta: { warnings: query.warnings },
      data: await Promise.all(page.map((one) => withDeliveries(context, one))),
    })
  }
}

/** POST /v1/owner/subscriptions/{id}/stop */
export function stopSubscription(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const stopped = await context.subscriptions.stop(c.get('authority').subjectId, c.req.param('id')!)
    return c.json(await withDeliveries(context, stopped))
  }
}

async function withDeliveries(context: Context, found: GrantedSubscription) {
  const deliveries = await context.subscriptions.deliveries(found.subscription)
  return { ...subscriptionWire(found), deliveries: deliveries.map(deliveryWire) }
}
