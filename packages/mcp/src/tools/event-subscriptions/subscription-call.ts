import { PdppError } from '@pdpp/protocol/reading'
import type { Arguments } from '../../calling/arguments.ts'
import { Refusal } from '../../calling/failure.ts'
import { bodyOrThrow, readOrThrow, type ToolCall } from '../../calling/tool.ts'
import type { JsonObject } from '../../resource-server/envelope.ts'
import {
  type SubscriptionServer,
  type SubscriptionWrite,
  subscriptionPath,
} from '../../resource-server/subscription-server.ts'

export type SubscriptionCall = ToolCall<SubscriptionServer>
const ELSEWHERE = 'list_event_subscriptions shows yours; event_subscription_capabilities says if this server has any.'

export const idOf = ({ args }: SubscriptionCall): string => String(args['subscription_id'])

export function readSubscription(call: SubscriptionCall): Promise<Readonly<JsonObject>> {
  return explained(readOrThrow(call, subscriptionPath(idOf(call)), []))
}

/** Sends a change that must succeed. Returns an empty object for an answer without a body. */
export function change(
  call: SubscriptionCall,
  write: Pick<SubscriptionWrite, 'method' | 'path' | 'body'>,
): Promise<Readonly<JsonObject>> {
  const { server, tool, signal } = call
  const sent = server.send({ ...write, tool, signal }).then((reply) => {
    return reply.status === 204 ? {} : bodyOrThrow(reply, tool)
  })
  return explained(sent)
}

/** The filters of a subscription, in the form that the server expects. */
export function filtersOf(args: Arguments): object | undefined {
  const named = ['streams', 'connection_ids', 'change_kinds'].filter((name) => args[name] !== undefined)
  return named.length === 0 ? undefined : Object.fromEntries(named.map((name) => [name, args[name]]))
}

/** Replaces errors that have another meaning here than for a read. */
export async function explained<Given>(answer: Promise<Given>): Promise<Given> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof Refusal && error.failure.http_status === 404)
      throw new Refusal({ ...error.failure, next_step: ELSEWHERE })
    if (error instanceof PdppError && ['server_unreachable', 'request_timeout'].includes(error.code))
      throw new PdppError(error.code, error.message, {
        nextStep: 'Call list_event_subscriptions before you try again: the change may have been made.',
      })
    throw error
  }
}
