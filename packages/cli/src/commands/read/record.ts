import { blobOf, type JsonObject, objectOf, recordPath, shortTime, textOf } from '@pdpp/mcp-server/client'
import { commandLine } from '@pdpp/mcp-server/hosts'
import type { ConnectionOptions } from '../../provider/connected.ts'
import { openReader, type Reader } from '../../provider/reader.ts'
import { bold, dim, oneLine, printJson, printNote, safeBlock, terminalColumns } from '../../terminal/output.ts'
import { withPager } from '../../terminal/pager.ts'
import { withProgress } from '../../terminal/progress.ts'
import { cellText } from '../../terminal/record-table.ts'
import { wrap } from '../../terminal/width.ts'
import { expansion, parameters, recordName, splitWords } from './arguments.ts'
import type { PrintOptions } from './paging.ts'

interface RecordOptions extends ConnectionOptions, PrintOptions {
  fields?: string
  view?: string
  expand?: string[]
  expandLimit?: string[]
  maxBytes?: number
  connection?: string
  connector?: string
  pager: boolean
}

/** GET /v1/streams/{stream}/records/{id} */
export async function readRecord(words: string[], options: RecordOptions): Promise<void> {
  const { provider, rest } = splitWords(words)
  const { stream, recordKey, connectionId } = recordName(rest, options.connection)
  const reader = openReader(provider, options)
  const query = [
    ...parameters({
      fields: options.fields,
      view: options.view,
      max_bytes: options.maxBytes,
      connection_id: connectionId,
      connector_id: options.connector,
    }),
    ...expansion(options),
  ]
  const record = await withProgress('Reading the record', () => reader.get(recordPath(stream, recordKey), query))
  if (options.json) return printJson(record)
  await withPager(options.pager, (page) => page.write(`${recordText(record).join('\n')}\n`))
  noteFile(record, reader)
}

/** Prints the command that saves the first file of the record or of its related records. */
function noteFile(record: JsonObject, reader: Reader): void {
  const related = Object.values(objectOf(record['expanded'])).flatMap((list) => objectOf(list)['data'] ?? [])
  const blob = [record, ...related.flat().map(objectOf)]
    .flatMap((each) => Object.values(objectOf(each['data'])))
    .map(blobOf)
    .find((found) => found !== undefined)
  if (!blob) return
  const connection = textOf(record['connection_id'])
  const from = connection === undefined ? [] : ['--connection', connection]
  printNote(`Save a file: ${commandLine(reader.command('read', 'blob', blob.id, ...from, '--output', 'file'))}`)
}

/** One line per field. Long values go below the name of their field. */
function recordText(record: JsonObject): string[] {
  const columns = terminalColumns() ?? 100
  const about = [
    textOf(record['display_name']) ?? textOf(record['connection_id']),
    textOf(record['connector_key']),
    textOf(record['emitted_at']) === undefined ? undefined : `last changed ${shortTime(String(record['emitted_at']))}`,
  ].filter((part) => part !== undefined)
  const head = `${bold(oneLine(`${record['stream'] ?? ''} ${record['id'] ?? ''}`.trim()))}  ${dim(oneLine(about.join(' · ')))}`
  return [head, '', ...fieldLines(objectOf(record['data']), columns), ...relatedLines(record, columns)]
}

function fieldLines(data: Record<string, unknown>, columns: number): string[] {
  const entries = Object.entries(data).filter(
    ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
  )
  const width = Math.min(24, Math.max(4, ...entries.map(([name]) => name.length)))
  const short = entries.filter(([, value]) => !isLong(value, columns - width - 2))
  const long = entries.filter(([, value]) => isLong(value, columns - width - 2))
  return [
    ...short.map(([name, value]) => `${dim(oneLine(name).padEnd(width))}  ${cellText(value)}`),
    ...long.flatMap(([name, value]) => [
      '',
      dim(oneLine(name)),
      ...wrap(longText(value), columns - 2).map((line) => `  ${line}`),
    ]),
  ]
}

const isLong = (value: unknown, room: number): boolean =>
  blobOf(value) === undefined &&
  ((typeof value === 'string' && value.trim().includes('\n')) || cellText(value).length > room)

const longText = (value: unknown): string =>
  typeof value === 'string' ? safeBlock(value.trim()) : safeBlock(JSON.stringify(value, null, 2))

function relatedLines(record: JsonObject, columns: number): string[] {
  return Object.entries(objectOf(record['expanded'])).flatMap(([relation, value]) => {
    const list = objectOf(value)
    const rows = Array.isArray(list['data']) ? list['data'].map(objectOf) : list['id'] === undefined ? [] : [list]
    const more = list['has_more'] === true ? ', more exist' : ''
    return [
      '',
      `${bold(oneLine(relation))} ${dim(`(${rows.length}${more})`)}`,
      ...rows.flatMap((row) => [
        '',
        `  ${bold(oneLine(String(row['id'])))}`,
        ...fieldLines(objectOf(row['data']), columns - 2).map((line) => `  ${line}`),
      ]),
    ]
  })
}
