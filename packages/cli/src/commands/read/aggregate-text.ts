import { grouped, type JsonObject, objectOf } from '@pdpp/mcp-server/client'
import { rawNumber } from '@pdpp/protocol'
import { bold, cyan, dim, oneLine, printLine, printNote, terminalColumns } from '../../terminal/output.ts'
import { cutToWidth, displayWidth, padToWidth } from '../../terminal/width.ts'

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']
const MAX_LABEL_COLUMNS = 32

/** Prints one number, or a bar chart of groups. */
export function aggregateText(body: JsonObject): void {
  const { metric, field, stream } = body
  const unit = unitOf(body)
  const what = metric === 'count' ? `records of ${stream}` : `${metric} of ${field} in ${stream}`
  if (!Array.isArray(body['groups'])) {
    const counted = (body['value'] ?? null) === null || unit === '' ? '' : ` ${unit}`
    printLine(`${bold(valueText(body['value']))}${counted} ${metric === 'count' ? what : dim(what)}`)
    noteTimeZone(body)
    return
  }
  const groups = body['groups'].map(objectOf)
  printLine(
    dim(
      `${what}${unit === '' ? '' : `, ${unit}`}, by ${[body['group_by'], body['group_by_time']]
        .flat()
        .filter((name) => name !== null && name !== undefined)
        .join(' and ')}${periods(body)}`,
    ),
  )
  const labels = groups.map(labelOf)
  const values = groups.map((group) => group[metric === 'count' ? 'count' : 'value'])
  for (const line of chart(labels, values)) printLine(line)
  printFooter(body, groups.length)
}

function chart(labels: readonly string[], values: readonly unknown[]): string[] {
  const labelWidth = Math.min(MAX_LABEL_COLUMNS, Math.max(1, ...labels.map(displayWidth)))
  const texts = values.map(valueText)
  const valueWidth = Math.max(1, ...texts.map((text) => text.length))
  const columns = terminalColumns()
  const room = columns === undefined ? 0 : Math.max(0, columns - labelWidth - valueWidth - 4)
  const numbers = values.map((value) => Number(rawNumber(value) ?? value))
  const drawable = numbers.every((value) => Number.isFinite(value) && value >= 0)
  const largest = Math.max(...numbers)
  return labels.map((label, index) => {
    const line = `${padToWidth(cutToWidth(label, labelWidth), labelWidth)}  ${texts[index]!.padStart(valueWidth)}`
    return drawable && largest > 0 && room > 5 ? `${line}  ${cyan(bar(numbers[index]! / largest, room))}` : line
  })
}

/** Draws in eighths of a character, to show small differences. Every share above zero gets a mark. */
function bar(share: number, room: number): string {
  const eighths = Math.round(share * room * 8)
  const text = '█'.repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8]
  return text === '' && share > 0 ? '▏' : text
}

function labelOf(group: Record<string, unknown>): string {
  const keys = Array.isArray(group['keys']) ? group['keys'] : [group['key']]
  return keys
    .map((key) => (key === null || key === undefined ? '(none)' : oneLine(String(rawNumber(key) ?? key))))
    .join(' · ')
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'none'
  const raw = rawNumber(value)
  if (raw !== undefined) return raw
  return typeof value === 'number' ? value.toLocaleString('en', { maximumFractionDigits: 2 }) : oneLine(String(value))
}

/** The length of a group and its time zone, such as `, per month, UTC`. */
function periods(body: JsonObject): string {
  if (!body['group_by_time']) return ''
  const { granularity, time_zone: zone } = body
  return [typeof granularity === 'string' ? `per ${granularity}` : undefined, zone]
    .filter((part): part is string => typeof part === 'string')
    .map((part) => `, ${oneLine(part)}`)
    .join('')
}

/** The unit that the source declares, such as `cents EUR`. */
const unitOf = (body: JsonObject): string =>
  [body['unit'], body['currency']]
    .filter((part): part is string => typeof part === 'string')
    .map(oneLine)
    .join(' ')

function noteTimeZone(body: JsonObject): void {
  const zone = body['filter_time_zone']
  if (typeof zone === 'string') printNote(`A date in --where means midnight in ${oneLine(zone)}.`)
}

function printFooter(body: JsonObject, shown: number): void {
  noteTimeZone(body)
  const { group_count: groups, other_count: other, filtered_record_count: records } = body
  if (typeof groups === 'number' && groups > shown)
    printNote(
      `${shown} of ${grouped(groups)} groups; ${grouped(Number(other ?? 0))} records are in the others. Raise --limit, or filter with --where.`,
    )
  else if (typeof records === 'number') printNote(`${grouped(records)} ${records === 1 ? 'record' : 'records'}.`)
}
