import { previewChars } from '@pdpp/protocol/reading'
import type { FilterArgument } from '../../calling/typed-arguments.ts'
import { handles, warningLines } from '../../rendering/header.ts'
import { exactValue, grouped, safeLine, shortLine } from '../../rendering/safe-text.ts'
import { type JsonObject, objectOf, textOf } from '../../resource-server/envelope.ts'

interface AggregateTextOptions {
  readonly filter: FilterArgument | undefined
  /** Whether a larger limit shows more groups. */
  readonly canRaiseLimit: boolean
}

/** The number or the groups, with metric, stream, filter and time zone, because a bare number can be misread. */
export function aggregateText(body: JsonObject, { filter: asked, canRaiseLimit }: AggregateTextOptions): string {
  const groups = Array.isArray(body['groups']) ? (body['groups'] as JsonObject[]) : undefined
  const [first, ...rest] = groups
    ? groupLines(body, groups, canRaiseLimit)
    : [`${subject(body)} = ${withUnit(body, resultOf(body))}.${overWhat(body)}`]
  return [first, ...filterLines(body, asked), ...warningLines(body), ...rest].join('\n')
}

function groupLines(body: JsonObject, groups: readonly JsonObject[], canRaiseLimit: boolean): string[] {
  const by = [names(body['group_by']), names(body['group_by_time'])].filter((text) => text !== '').join(', ')
  const count = body['group_count']
  const total = typeof count === 'number' ? ` of ${grouped(count)}` : ''
  const noun = (typeof count === 'number' ? count : groups.length) === 1 ? 'group' : 'groups'
  const state = handles(body)
  const unit = unitOf(body)
  const measured = unit === '' ? '' : ` in ${unit}`
  const head = `${subject(body)}${measured} by ${by}${periods(body)}: ${groups.length}${total} ${noun}.`
  return [
    `${head}${otherCount(body, canRaiseLimit)}${overWhat(body)}${state === '' ? '' : ` ${state}`}`,
    ...groups.map((group) => groupLine(body, group)),
  ]
}

/** 003.13: the number of records in groups beyond the limit. Above zero it also tells that groups are missing. */
function otherCount({ other_count: other }: JsonObject, canRaiseLimit: boolean): string {
  if (typeof other !== 'number') return ''
  if (other === 0) return ' other_count=0: all.'
  return ` other_count=${other}: records in groups not shown; ${canRaiseLimit ? 'raise limit or narrow' : 'narrow with filter'}.`
}

/** For example ` per month in Europe/Berlin`, and whether the server chose the granularity. */
function periods(body: JsonObject): string {
  if (body['group_by_time'] == null) return ''
  const { earliest, latest } = objectOf(body['time_span'])
  const span = textOf(earliest) === undefined ? '' : ` for ${day(earliest)} to ${day(latest)}`
  const chosen = body['granularity_chosen'] === true ? ` (chosen${span}; set granularity for another)` : ''
  return ` per ${shortLine(String(body['granularity']), 20)}${chosen} in ${shortLine(String(body['time_zone'] ?? 'UTC'), 64)}`
}

const day = (value: unknown): string => safeLine(String(value).slice(0, 10))

function groupLine(body: JsonObject, group: JsonObject): string {
  const keys = (Array.isArray(group['keys']) ? group['keys'] : [group['key']]).map(keyText)
  const cut = group['key_truncated'] === true ? ' (cut, so no filter)' : ''
  const label = `${keys.join(' / ')}${offsetOf(body, group)}${cut}`
  const count = group['count']
  if (body['metric'] === 'count') return `${label}: ${show(group['value'] ?? count)}`
  // Show "none" for a missing value. The number of records must not replace it.
  const value = [group['value'], group[String(body['metric'])]].find((each) => each !== undefined) ?? 'none'
  const records = typeof count === 'number' ? ` (${grouped(count)} ${count === 1 ? 'record' : 'records'})` : ''
  return `${label}: ${show(value)}${records}`
}

const SIGNS: Readonly<Record<string, string>> = { gte: '>=', gt: '>', lte: '<=', lt: '<' }

/** The filter as the server understood it, or as it was sent if the server does not repeat it. */
function filterLines(body: JsonObject, asked: FilterArgument | undefined): string[] {
  const filter = Object.entries(body['filter'] === undefined ? (asked ?? {}) : objectOf(body['filter']))
  if (filter.length === 0) return []
  const conditions = filter.flatMap(([field, condition]) => {
    const name = shortLine(field, 100)
    if (typeof condition !== 'object' || condition === null) return [`${name} = ${filterValue(condition)}`]
    return Object.entries(condition).map(
      ([operator, bound]) => `${name} ${SIGNS[operator] ?? shortLine(operator, 10)} ${filterValue(bound)}`,
    )
  })
  const zone = textOf(body['filter_time_zone'])
  return [
    `Filter: ${conditions.join(', ')}.${zone === undefined ? '' : ` A date is its midnight in ${shortLine(zone, 64)}.`}`,
  ]
}

const filterValue = (value: unknown): string =>
  typeof value === 'string' ? exactValue(previewChars(value, 200), /^$|^"|, /) : show(value)

/** Max. characters of a key. Our server sends no more. */
const KEY_CHARS = 501

/** A key that could be confused with a missing one, with a quoted one, or with the text around it. */
const AMBIGUOUS = /^$|^"|^\(none\)$| \/ |: /

const keyText = (key: unknown): string =>
  key == null ? '(none)' : exactValue(previewChars(String(key), KEY_CHARS), AMBIGUOUS)

/** The offset of an hour or a minute from UTC, because an hour occurs twice when clocks change. */
function offsetOf(body: JsonObject, group: JsonObject): string {
  const key = Array.isArray(group['keys']) ? group['keys'].at(-1) : group['key']
  if (body['group_by_time'] == null || !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(String(key))) return ''
  const minutes = (Date.parse(`${key}:00Z`) - Date.parse(String(group['starts_at']))) / 60_000
  if (!Number.isInteger(minutes) || /^utc$/i.test(String(body['time_zone'] ?? 'UTC'))) return ''
  const [hour, minute] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((part) =>
    String(part).padStart(2, '0'),
  )
  return `${minutes < 0 ? '-' : '+'}${hour}:${minute}`
}

const subject = (body: JsonObject): string =>
  `${body['metric']}${body['field'] == null ? '' : ` of ${shortLine(String(body['field']), 100)}`} (${shortLine(String(body['stream']), 100)})`

const overWhat = (body: JsonObject): string =>
  typeof body['filtered_record_count'] === 'number'
    ? ` Over ${grouped(body['filtered_record_count'])} ${body['filtered_record_count'] === 1 ? 'record' : 'records'}.`
    : ''

const resultOf = (body: JsonObject): string => show(body['value'] ?? body['count'] ?? null)

/** The unit that the source declares, such as `cents EUR`. */
function unitOf(body: JsonObject): string {
  const parts = [textOf(body['unit']), textOf(body['currency'])].filter((part) => part !== undefined)
  return parts.map((part) => shortLine(part, 40)).join(' ')
}

function withUnit(body: JsonObject, value: string): string {
  const unit = unitOf(body)
  return unit === '' || (body['value'] ?? null) === null ? value : `${value} ${unit}`
}

function names(value: unknown): string {
  return (Array.isArray(value) ? value : value == null ? [] : [value])
    .map((name) => shortLine(String(name), 100))
    .join(', ')
}

function show(value: unknown): string {
  if (value === null || value === undefined) return 'none (no record has a value)'
  return typeof value === 'string' ? shortLine(value, 200) : JSON.stringify(value)
}
