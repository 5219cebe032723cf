import { handles, warningLines } from '../rendering/header.ts'
import { grouped, shortLine } from '../rendering/preview.ts'
import { streamPath } from '../resource-server/resource-server.ts'
import { fits, type ToolResult, toolResult } from '../result.ts'
import { parameters, read, type Tool } from '../tool.ts'
import { type FilterArgument, filterParameters } from '../typed-arguments.ts'

type Body = Record<string, unknown>

const DEFAULT_LIMIT = 25

/** GET /v1/streams/{stream}/aggregate: the number, or every group of the answer, in text. */
export const aggregate: Tool = async (call) => {
  const { args } = call
  const path = `${streamPath(String(args['stream']))}/aggregate`
  const query = [
    ...parameters(args, 'metric', 'field', 'group_by_time', 'granularity', 'time_zone', 'order', 'connection_id'),
    ...(args['group_by'] === undefined
      ? []
      : [['group_by', (args['group_by'] as string[]).join(',')] as [string, string]]),
    ...filterParameters(args['filter'] as FilterArgument | undefined),
  ]
  const isGrouped = args['group_by'] !== undefined || args['group_by_time'] !== undefined
  if (!isGrouped) return render(await read(call, path, query))
  // Fewer groups rather than cut ones: the rest stays counted in other_count.
  for (let limit = Number(args['limit'] ?? DEFAULT_LIMIT); ; limit = Math.max(1, Math.floor(limit / 3))) {
    const result = render(await read(call, path, [...query, ['limit', String(limit)]]))
    if (fits(result) || limit === 1) return result
  }
}

function render(body: Body): ToolResult {
  const groups = Array.isArray(body['groups']) ? (body['groups'] as Body[]) : undefined
  const lines = groups ? groupLines(body, groups) : [`${subject(body)} = ${resultOf(body)}.${overWhat(body)}`]
  return toolResult([...lines, ...warningLines(body)].join('\n'), { data: body })
}

function groupLines(body: Body, groups: readonly Body[]): string[] {
  const by = [names(body['group_by']), names(body['group_by_time'])].filter((text) => text !== '').join(', ')
  const time = body['group_by_time'] == null ? '' : ` per ${body['granularity']} in ${body['time_zone'] ?? 'UTC'}`
  const total = typeof body['group_count'] === 'number' ? ` of ${grouped(body['group_count'])}` : ''
  const state = handles(body)
  const head = `${subject(body)} by ${by}${time}: ${groups.length}${total} ${groups.length === 1 ? 'group' : 'groups'}.`
  const other =
    typeof body['other_count'] === 'number' ? ` other_count=${body['other_count']} (records in groups not shown).` : ''
  return [
    `${head}${other}${overWhat(body)}${state === '' ? '' : ` ${state}`}`,
    ...groups.map((group) => groupLine(body, group)),
  ]
}

function groupLine(body: Body, group: Body): string {
  const keys = Array.isArray(group['keys']) ? group['keys'] : [group['key']]
  const label = keys.map(keyText).join(' / ')
  const count = group['count']
  if (body['metric'] === 'count') return `${label}: ${show(group['value'] ?? count)}`
  // No value is an answer too: how many records there are must not stand in its place.
  const value = [group['value'], group[String(body['metric'])]].find((told) => told !== undefined) ?? 'none'
  const beside = typeof count === 'number' ? ` (${grouped(count)} ${count === 1 ? 'record' : 'records'})` : ''
  return `${label}: ${show(value)}${beside}`
}

/** No value and an empty one are two groups, and neither is nameless. */
const keyText = (key: unknown): string => (key == null ? '(none)' : shortLine(String(key), 120) || '""')

const subject = (body: Body): string =>
  `${body['metric']}${body['field'] == null ? '' : ` of ${shortLine(String(body['field']), 100)}`} (${shortLine(String(body['stream']), 100)})`

const overWhat = (body: Body): string =>
  typeof body['filtered_record_count'] === 'number' ? ` Over ${grouped(body['filtered_record_count'])} records.` : ''

const resultOf = (body: Body): string => show(body['value'] ?? body['count'] ?? null)

function names(value: unknown): string {
  return (Array.isArray(value) ? value : value == null ? [] : [value])
    .map((name) => shortLine(String(name), 100))
    .join(', ')
}

function show(value: unknown): string {
  if (value === null || value === undefined) return 'none (no record has a value)'
  return typeof value === 'string' ? shortLine(value, 200) : JSON.stringify(value)
}
