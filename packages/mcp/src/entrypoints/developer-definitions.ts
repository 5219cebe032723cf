import { EVENT_SUBSCRIPTION_CAPABILITIES } from '../tools/event-subscriptions/capabilities/definition.ts'
import { CREATE_EVENT_SUBSCRIPTION } from '../tools/event-subscriptions/create/definition.ts'
import { DELETE_EVENT_SUBSCRIPTION } from '../tools/event-subscriptions/delete/definition.ts'
import { GET_EVENT_SUBSCRIPTION } from '../tools/event-subscriptions/get/definition.ts'
import { LIST_EVENT_SUBSCRIPTIONS } from '../tools/event-subscriptions/list/definition.ts'
import { SEND_TEST_EVENT } from '../tools/event-subscriptions/test-event/definition.ts'
import { UPDATE_EVENT_SUBSCRIPTION } from '../tools/event-subscriptions/update/definition.ts'
import { FETCH_BLOB } from '../tools/fetch-blob/definition.ts'
import { LIST_STREAMS } from '../tools/list-streams/definition.ts'

/** The tools that this entrypoint lists in addition to those of the normal one. */
export const DEVELOPER_TOOLS = [
  LIST_STREAMS,
  FETCH_BLOB,
  EVENT_SUBSCRIPTION_CAPABILITIES,
  CREATE_EVENT_SUBSCRIPTION,
  LIST_EVENT_SUBSCRIPTIONS,
  GET_EVENT_SUBSCRIPTION,
  UPDATE_EVENT_SUBSCRIPTION,
  DELETE_EVENT_SUBSCRIPTION,
  SEND_TEST_EVENT,
] as const

export type DeveloperToolName = (typeof DEVELOPER_TOOLS)[number]['name']
