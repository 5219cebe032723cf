import type { Handler } from 'hono'
import type { Context } from '../../context.ts'
import type { Disclosure } from '../../receipts/receipt-store.ts'
import { eventBody } from '../../subscriptions/event-body.ts'
import type { EventPage } from '../../subscriptions/event-poll.ts'
import { MAX_POLL_SECONDS, POLL_LIMIT } from '../../subscriptions/limits.ts'
import type { HttpEnvironment } from '../environment.ts'
import { Query } from '../request/query.ts'
import { sendJson } from '../response/json-response.ts'
import { noteGrant, subscriberOf } from './subscriptions.ts'

/** GET /v1/event-subscriptions/{id}/events: on request, waits until there are events. */
export function readEvents(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const query = new Query(c.req.url, ['wait', 'limit', 'after'])
    const page = await context.eventPoll.read(subscriberOf(c), c.req.param('id')!, {
      after: query.text('after'),
      waitMs: (query.integer('wait', { min: 0, max: MAX_POLL_SECONDS }) ?? 0) * 1000,
      limit: query.integer('limit', { min: 1, max: POLL_LIMIT.max }) ?? POLL_LIMIT.default,
      onAbort: (listener) => c.get('signal').onAbort(listener),
    })
    noteGrant(c, page.subscription)
    c.set('isUnreceipted', page.events.length === 0)
    const body = {
      object: 'list',
      has_more: page.hasMore,
      next_cursor: page.nextCursor,
      data: page.events.map(eventBody),
    }
    return sendJson(c, JSON.stringify(body), ...disclosures(page))
  }
}

/** One line for each stream that the events are about. */
function disclosures({ subscription, events }: EventPage): Disclosure[] {
  const changes = events.filter(({ type }) => type === 'pdpp.records.changed').map(({ data }) => data)
  const byStream = Map.groupBy(changes, ({ stream, connector_key: key }) => JSON.stringify([key, stream]))
  return [...byStream.values()].map((group) => ({
    grantId: subscription.grantId,
    connectorKey: group[0]!['connector_key'] as string,
    stream: group[0]!['stream'] as string,
    connections: [...new Set(group.map((data) => data['connection_id'] as string))],
    fields: [],
    records: [],
  }))
}
