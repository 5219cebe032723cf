import { grantOf, type JsonObject, rowsOf, streamPath, textOf } from '@pdpp/mcp-server/client'
import { commandLine } from '@pdpp/mcp-server/hosts'
import type { ConnectionOptions } from '../../provider/connected.ts'
import { ChangeFollower } from '../../provider/follow-changes.ts'
import { openReader, type Pairs, type Reader } from '../../provider/reader.ts'
import { UsageError } from '../../terminal/failure.ts'
import { printNote, writeOut } from '../../terminal/output.ts'
import { withProgress } from '../../terminal/progress.ts'
import { conditions, expansion, jsonConditions, oneStream, parameters, recordWords, splitWords } from './arguments.ts'
import { followRecords } from './follow-records.ts'
import { JsonPrinter, nextPageCommand, type PrintOptions, pages } from './paging.ts'
import { recordRows } from './record-rows.ts'

export interface RecordsOptions extends ConnectionOptions, PrintOptions {
  where?: string[]
  filterJson?: string
  fields?: string
  view?: string
  sort?: string
  order?: string
  limit?: number
  cursor?: string
  all?: boolean
  count?: string
  expand?: string[]
  expandLimit?: string[]
  around?: string
  changesSince?: string
  sinceLast?: boolean
  restart?: boolean
  follow?: boolean
  maxBytes?: number
  connection?: string
  connector?: string
}

/** GET /v1/streams/{stream}/records */
export async function readRecords(words: string[], options: RecordsOptions): Promise<void> {
  const { provider, rest } = splitWords(words)
  const stream = oneStream(rest, 'records')
  check(options)
  const reader = openReader(provider, options)
  await reader.require('--around', 'around', options.around)
  const follower = options.sinceLast ? followerOf(reader, stream, options) : undefined
  if (options.follow) return follow(reader, stream, options, follower)
  const query = parametersOf(options, follower?.position(options.restart === true))
  const walk = options.all === true || follower !== undefined
  const print = printer(options, reader, stream)
  const last = await withProgress(`Reading ${stream}`, async (progress) => {
    let body: JsonObject = {}
    for await (body of pages(reader, `${streamPath(stream)}/records`, query, walk, progress)) await print.page(body)
    return body
  })
  await print.end(last)
  // Save the position only after everything was printed.
  const next = textOf(last['next_changes_since'])
  if (follower && next !== undefined) follower.keep(next)
}

function follow(reader: Reader, stream: string, options: RecordsOptions, follower: ChangeFollower | undefined) {
  const print = printer(options, reader, stream)
  return followRecords({
    reader,
    stream,
    connectionId: options.connection,
    from: follower?.position(options.restart === true) ?? options.changesSince,
    query: (position) => parametersOf(options, position),
    // A page without changes would print a table without rows.
    print: async (body) => (rowsOf(body).length > 0 ? print.page(body) : undefined),
    follower,
  })
}

function check(options: RecordsOptions): void {
  if (options.follow && options.json && !options.jsonl)
    throw new UsageError('--json prints at the end, and --follow has no end. Use --jsonl.')
  if (options.follow && (options.cursor ?? options.around) !== undefined)
    throw new UsageError('--follow shows changes, so leave out --cursor and --around.')
  if (options.restart && !options.sinceLast) throw new UsageError('--restart needs --since-last.')
  const other = options.changesSince ?? options.cursor ?? options.around
  if (options.sinceLast && other !== undefined)
    throw new UsageError('--since-last has its own position, so leave out --changes-since, --cursor and --around.')
}

function followerOf(reader: Reader, stream: string, options: RecordsOptions): ChangeFollower {
  const { cache, providerUrl, grant } = reader.connection
  return new ChangeFollower(cache.root, {
    providerUrl,
    grantId: grantOf(grant.credential) ?? 'grant',
    stream,
    connectionId: options.connection,
  })
}

function parametersOf(options: RecordsOptions, position: string | undefined): Pairs {
  return [
    ...parameters({
      fields: options.fields,
      view: options.view,
      sort: options.sort,
      order: options.order,
      limit: options.limit ?? (options.all || position !== undefined ? 100 : undefined),
      cursor: options.cursor,
      count: options.count,
      around: options.around,
      changes_since: position ?? options.changesSince,
      max_bytes: options.maxBytes,
      connection_id: options.connection,
      connector_id: options.connector,
    }),
    ...conditions(options.where),
    ...jsonConditions(options.filterJson),
    ...expansion(options),
  ]
}

function printer(options: RecordsOptions, reader: Reader, stream: string) {
  if (options.json || options.jsonl) return new JsonPrinter(options)
  let rows = 0
  let example: string[] | undefined
  return {
    page: async (body: JsonObject) => {
      const found = rowsOf(body)
      example ??=
        found[0] &&
        recordWords({
          stream,
          recordKey: String(found[0]['id']),
          connectionId: textOf(found[0]['connection_id']) ?? options.connection,
        })
      rows += found.length
      const table = recordRows(found)
      await writeOut(table.lines.map((line) => `${line}\n`).join(''))
      if (table.note !== undefined) printNote(table.note)
    },
    end: async (last: JsonObject) => {
      if (rows === 0) return printNote(options.sinceLast ? 'Nothing has changed.' : 'No records match.')
      if (example) printNote(`Open one: ${commandLine(reader.command('read', 'record', ...example))}`)
      more(last)
    },
  }
}

function more(last: JsonObject): void {
  const cursor = textOf(last['next_cursor'])
  if (last['has_more'] !== true) return
  if (cursor === undefined) printNote('There are more records. To see them, name one connection with --connection.')
  else printNote(`There are more records. Add --all, or continue with\n  ${nextPageCommand(cursor)}`)
}
