import type { Entrypoint } from '../calling/entrypoint.ts'
import type { Tool } from '../calling/tool.ts'
import type { SubscriptionServer } from '../resource-server/subscription-server.ts'
import { eventSubscriptionCapabilities } from '../tools/event-subscriptions/capabilities/capabilities.ts'
import { createEventSubscription } from '../tools/event-subscriptions/create/create.ts'
import { deleteEventSubscription } from '../tools/event-subscriptions/delete/delete.ts'
import { getEventSubscription } from '../tools/event-subscriptions/get/get.ts'
import { listEventSubscriptions } from '../tools/event-subscriptions/list/list.ts'
import { sendTestEvent } from '../tools/event-subscriptions/test-event/test-event.ts'
import { updateEventSubscription } from '../tools/event-subscriptions/update/update.ts'
import { fetchBlob } from '../tools/fetch-blob/fetch-blob.ts'
import { listStreams } from '../tools/list-streams/list-streams.ts'
import { DEVELOPER_TOOLS, type DeveloperToolName } from './developer-definitions.ts'
import { DEVELOPER_INSTRUCTIONS } from './instructions/developer.ts'
import { NORMAL } from './normal.ts'

const tools: Record<DeveloperToolName, Tool<SubscriptionServer>> = {
  list_streams: listStreams,
  fetch_blob: fetchBlob,
  event_subscription_capabilities: eventSubscriptionCapabilities,
  create_event_subscription: createEventSubscription,
  list_event_subscriptions: listEventSubscriptions,
  get_event_subscription: getEventSubscription,
  update_event_subscription: updateEventSubscription,
  delete_event_subscription: deleteEventSubscription,
  send_test_event: sendTestEvent,
}

/**
 * For the owner's own programs: the normal tools, tools for single routes of `/v1` (003.8.3), and event subscriptions,
 * which are the client's own state (point 44).
 */
export const DEVELOPER: Entrypoint<SubscriptionServer> = {
  name: 'pdpp-mcp-server-developer',
  title: 'PDPP for developers: personal data, read-only',
  instructions: DEVELOPER_INSTRUCTIONS,
  definitions: [...NORMAL.definitions, ...DEVELOPER_TOOLS],
  tools: { ...NORMAL.tools, ...tools },
  listens: true,
  surface: 'stdio-developer',
}
