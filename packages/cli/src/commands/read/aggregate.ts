import { type JsonObject, objectOf, streamPath } from '@pdpp/mcp-server/client'
import type { ConnectionOptions } from '../../provider/connected.ts'
import { openReader } from '../../provider/reader.ts'
import { printJson } from '../../terminal/output.ts'
import { withProgress } from '../../terminal/progress.ts'
import { aggregateText } from './aggregate-text.ts'
import { conditions, oneStream, parameters, splitWords } from './arguments.ts'
import type { PrintOptions } from './paging.ts'

interface AggregateOptions extends ConnectionOptions, PrintOptions {
  metric: string
  field?: string
  groupBy?: string[]
  groupByTime?: string
  granularity?: string
  timeZone?: string
  order?: string
  where?: string[]
  limit?: number
  connection?: string
  connector?: string
}

/** GET /v1/streams/{stream}/aggregate */
export async function readAggregate(words: string[], options: AggregateOptions): Promise<void> {
  const { provider, rest } = splitWords(words)
  const stream = oneStream(rest, 'aggregate')
  const reader = openReader(provider, options)
  const byTime = options.groupByTime !== undefined
  const groups = (options.groupBy ?? []).flatMap((each) => each.split(','))
  const query = [
    ...parameters({
      metric: options.metric,
      field: options.field,
      group_by_time: options.groupByTime,
      granularity: options.granularity ?? (byTime ? 'month' : undefined),
      time_zone: options.timeZone,
      order: options.order,
      limit: options.limit ?? (byTime ? 100 : undefined),
      connection_id: options.connection,
      connector_id: options.connector,
    }),
    ...groups.map((field): [string, string] => ['group_by', field]),
    ...conditions(options.where),
  ]
  const answer = await withProgress(`Counting ${stream}`, () => reader.get(`${streamPath(stream)}/aggregate`, query))
  const body = byTime && options.order === undefined ? inTimeOrder(answer) : answer
  // With --jsonl, each group is a row.
  if (options.jsonl && Array.isArray(body['groups'])) return printJson({ data: body['groups'] })
  if (options.json) return printJson(body)
  aggregateText(body)
}

/** Sorts groups by time, because other servers do not know `order`. Groups without a time come last. */
function inTimeOrder(body: JsonObject): JsonObject {
  if (!Array.isArray(body['groups'])) return body
  const timed = body['groups'].map((group) => {
    const { keys, key } = objectOf(group)
    const time = Array.isArray(keys) ? keys.at(-1) : key
    return { group, time: typeof time === 'string' ? time : '\uffff' }
  })
  // The sort is stable, so groups of the same time keep the server's order.
  timed.sort((one, other) => (one.time < other.time ? -1 : one.time > other.time ? 1 : 0))
  return { ...body, groups: timed.map(({ group }) => group) }
}
