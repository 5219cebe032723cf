/** How to receive events. Only the result of the discovery tool explains it (004.2.1). */
export const GUIDANCE = [
  'Before you subscribe: schema lists the streams and connection_ids of the grant, and a subscription never hears of more. A package token names connection_ids or streams of one source.',
  'An event is thin: pdpp.records.changed names stream, connection_id, change_count and a changes_since bookmark, and no record. Read the records with query_records and these three: stream, connection_id, changes_since. gap: true says that changes before it may be missing: read the stream from the beginning once, then go on from the bookmark.',
  'With an https address (callback_url): the first POST is pdpp.subscription.verify; answer it with status 2xx and the JSON {"challenge":"<data.challenge>"}. Until then the subscription is pending_verification and gets no other event.',
  'Verify every POST with the library standardwebhooks and the secret, over the raw body, before you parse it: headers webhook-id, webhook-timestamp and webhook-signature. Refuse timestamps that are more than five minutes off. After rotate_secret both secrets sign for a day.',
  'Delivery is at least once and in order per stream: drop a webhook-id that you have seen. Answer 2xx quickly and work afterwards. Anything else is tried again with growing pauses; Retry-After is honoured, a redirect is a failure, 410 ends the subscription, and three days without a success disable it.',
  'Without an address (delivery poll): GET /v1/event-subscriptions/{id}/events?wait=30 with the same token waits for events; after=<next_cursor> acknowledges them. Unread events are dropped after seven days.',
  'Over this connection, without a subscription of your own: listen to the resource pdpp://stream/{connection_id}/{stream} (subscriptions/listen, or resources/subscribe in the 2025 revisions over stdio). Each notifications/resources/updated has the event in _meta.',
] as const
