import { PAGE_LIMIT } from '@pdpp/protocol/reading'
import { fits, type ToolResult, toolResult } from '../../calling/result.ts'
import { parameters, readOrThrow, type Tool } from '../../calling/tool.ts'
import { type FilterArgument, filterParameters } from '../../calling/typed-arguments.ts'
import type { JsonObject } from '../../resource-server/envelope.ts'
import { streamPath } from '../../resource-server/resource-server.ts'
import { aggregateText } from './aggregate-text.ts'

const DEFAULT_LIMIT = 25

/** GET /v1/streams/{stream}/aggregate. The text has the number or all groups of the answer. */
export const aggregate: Tool = async (call) => {
  const { args } = call
  const filter = args['filter'] as FilterArgument | undefined
  const isGrouped = args['group_by'] !== undefined || args['group_by_time'] !== undefined
  const body = await readOrThrow(call, `${streamPath(String(args['stream']))}/aggregate`, [
    ...parameters(args, 'metric', 'field', 'group_by_time', 'granularity', 'time_zone', 'order', 'connection_id'),
    ...(args['group_by'] === undefined
      ? []
      : [['group_by', (args['group_by'] as string[]).join(',')] as [string, string]]),
    ...filterParameters(filter),
    ...(isGrouped ? [['limit', String(args['limit'] ?? DEFAULT_LIMIT)] as [string, string]] : []),
  ])
  return fitGroups(body, filter)
}

/** Removes the last groups until the result fits. Adds their records to other_count. */
function fitGroups(body: JsonObject, filter: FilterArgument | undefined): ToolResult {
  const groups = Array.isArray(body['groups']) ? (body['groups'] as JsonObject[]) : []
  const render = (count: number) => {
    const shown = count === groups.length ? body : withFewer(body, groups, count)
    const canRaiseLimit = shown === body && count < PAGE_LIMIT.max
    return toolResult(aggregateText(shown, { filter, canRaiseLimit }), { data: shown })
  }
  let result = render(groups.length)
  for (let count = groups.length; !fits(result) && count > 1; result = render(count)) count = Math.floor(count * 0.8)
  return result
}

function withFewer(body: JsonObject, groups: readonly JsonObject[], count: number): JsonObject {
  const droppedRecords = groups.slice(count).reduce((sum, group) => sum + Number(group['count'] ?? 0), 0)
  return {
    ...body,
    limit: count,
    other_count: Number(body['other_count'] ?? 0) + droppedRecords,
    groups: groups.slice(0, count),
  }
}
