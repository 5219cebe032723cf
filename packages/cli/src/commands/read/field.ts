import { grouped, type JsonObject, objectOf, recordPath, textOf } from '@pdpp/mcp-server/client'
import { commandLine } from '@pdpp/mcp-server/hosts'
import type { ConnectionOptions } from '../../provider/connected.ts'
import { openReader, type Pairs, type Reader } from '../../provider/reader.ts'
import { UsageError } from '../../terminal/failure.ts'
import { printJson, printNote, safeBlock } from '../../terminal/output.ts'
import { withPager } from '../../terminal/pager.ts'
import { withProgress } from '../../terminal/progress.ts'
import { parameters, type RecordName, recordName, recordWords, splitWords } from './arguments.ts'
import type { PrintOptions } from './paging.ts'

interface FieldOptions extends ConnectionOptions, PrintOptions {
  field?: string
  offset?: number
  limit?: number
  find?: string
  before?: number
  after?: number
  all?: boolean
  connection?: string
  connector?: string
  pager: boolean
}

/** GET /v1/streams/{stream}/records/{id}/field-window. Reads one window, or all of them. */
export async function readField(words: string[], options: FieldOptions): Promise<void> {
  const { provider, rest } = splitWords(words)
  const field = options.field ?? rest.pop()
  if (field === undefined || rest.length === 0)
    throw new UsageError(
      'Name a record and a field: pdpp read field <id> <field>',
      '`pdpp read record <id>` shows the fields.',
    )
  const record = recordName(rest, options.connection)
  const reader = openReader(provider, options)
  const path = `${recordPath(record.stream, record.recordKey)}/field-window`
  const fixed: Pairs = parameters({ field, connection_id: record.connectionId, connector_id: options.connector })
  const first = await withProgress('Reading the field', () =>
    reader.get(path, [
      ...fixed,
      ...parameters({
        offset_chars: options.offset,
        limit_chars: options.limit,
        q: options.find,
        before_chars: options.before,
        after_chars: options.after,
      }),
    ]),
  )
  if (options.json) return printJson(first)
  const found = { ...record, connectionId: record.connectionId ?? textOf(first['connection_id']) }
  if (first['window'] === null) return describe(first, found, reader)
  const reading =
    process.stdout.isTTY === true && process.stdin.isTTY === true && options.pager && options.limit === undefined
  const last = await show(first, options.all === true || reading, options.pager, (offset) =>
    reader.get(path, [
      ...fixed,
      ['offset_chars', String(offset)],
      ...parameters({ limit_chars: options.limit ?? 16_384 }),
    ]),
  )
  continuation(first, last, reader.command('read', 'field', ...recordWords(found, field)))
}

/** Prints the exact text into a pipe. On a terminal, control characters are replaced. */
async function show(
  first: JsonObject,
  walk: boolean,
  pager: boolean,
  next: (offset: number) => Promise<JsonObject>,
): Promise<JsonObject> {
  let last = first
  await withPager(pager, async (page) => {
    for (;;) {
      const { text, next_offset_chars: offset, has_more: more } = objectOf(last['window'])
      const whole = String(text ?? '')
      await page.write(process.stdout.isTTY ? safeBlock(whole) : whole)
      if (!walk || more !== true || typeof offset !== 'number' || !page.open) break
      last = await next(offset)
    }
    if (process.stdout.isTTY) await page.write('\n')
  })
  return last
}

function continuation(first: JsonObject, last: JsonObject, words: string[]): void {
  const { start_chars: start } = objectOf(first['window'])
  const { end_chars: end, total_chars: total, next_offset_chars: next, has_more: more } = objectOf(last['window'])
  if (more !== true && start === 0) return
  const known = typeof total === 'number' ? ` of ${grouped(total)}` : ''
  printNote(`Characters ${grouped(Number(start ?? 0))} to ${grouped(Number(end ?? 0))}${known}.`)
  const command = (offset: string) => commandLine([...words, '--offset', offset])
  if (more === true && typeof next === 'number') printNote(`Continue: ${command(String(next))}`)
  if (start !== 0) printNote(`From the beginning: ${command('0')}`)
}

/** For a binary field: prints its type and size, and the commands that get its text and its bytes. */
function describe(body: JsonObject, record: RecordName, reader: Reader): void {
  const { path, media_type: type, size_bytes: size, sha256 } = objectOf(body['field'])
  const blob = objectOf(body['field'])['blob_id']
  const bytes = typeof size === 'number' ? `, ${grouped(size)} bytes` : ''
  printNote(`${path} is not text: ${type ?? 'binary'}${bytes}${sha256 === undefined ? '' : `, sha256 ${sha256}`}.`)
  const text = objectOf(objectOf(body['field'])['extracted_text'])
  if (typeof text['field'] === 'string')
    printNote(`Read its text: ${commandLine(reader.command('read', 'field', ...recordWords(record, text['field'])))}`)
  const from = record.connectionId === undefined ? [] : ['--connection', record.connectionId]
  const get =
    typeof blob === 'string'
      ? reader.command('read', 'blob', blob, ...from, '--output', 'file')
      : reader.command('read', 'record', ...recordWords(record), '--fields', String(path), '--json')
  printNote(`Get it: ${commandLine(get)}`)
}
