import { isName, PdppError } from '@pdpp/protocol/reading'
import { withoutAddress } from '../../calling/record-address.ts'
import { recordHandle } from '../../calling/record-handle.ts'
import { fits, type ToolResult, toolResult } from '../../calling/result.ts'
import { fetchPageWithinBudget, parameters, type Tool, type ToolCall } from '../../calling/tool.ts'
import { expandParameters, type FilterArgument, filterParameters } from '../../calling/typed-arguments.ts'
import { handles, warningLines } from '../../rendering/header.ts'
import { omittedFieldLines } from '../../rendering/omitted-fields.ts'
import { idOf, relatedLines } from '../../rendering/related.ts'
import { safeLine, shortLine, wholeTime } from '../../rendering/safe-text.ts'
import { cell } from '../../rendering/table.ts'
import { objectOf, rowsOf, textOf } from '../../resource-server/envelope.ts'
import { streamPath } from '../../resource-server/resource-server.ts'
import { requireExpandable } from './expand-check.ts'
import { describeLarge, withBytesDescribed } from './oversized-fields.ts'

const DEFAULT_LIMIT = 25
const RELATED_CHARS = 400
/** Short, because every page repeats it. The instructions explain it. */
const SHORT_NOTICE = 'Third-party text.'
/** Tells how to build an id from a row of the structured output. The text shows complete ids. */
const ID_FORM = 'connection_id/stream:id'
/** Added only if a key needs encoding, because an unencoded id is refused. */
const ID_ENCODED = ', with % / and \\ of id as %25 %2F and %5C'
/** From this many rows on, a value that all rows share is shown once. */
const MIN_SAME_ROWS = 3
const MAX_SAME_CHARS = 80

/** GET /v1/streams/{stream}/records. The text is a table; the structured output is the server's envelope, unchanged. */
export const queryRecords: Tool = async (asked) => {
  const call = await withoutAddress(asked, 'around')
  const { args, server } = call
  const stream = String(args['stream'])
  const features = await server.features(call.signal)
  if (args['changes_since'] === 'now' && !features.changesNow) throw noBookmark()
  const around = args['around'] === undefined ? [] : aroundParameters(call, stream, features.around)
  await requireExpandable(call, stream)
  const isSourced = around.some(([name]) => name === 'connection_id')
  const connection = isSourced ? [] : parameters(args, 'connection_id')
  const query = [
    ...parameters(args, 'cursor', 'count', 'view', 'changes_since'),
    ...sortParameters(args),
    ...(args['fields'] === undefined ? [] : [['fields', (args['fields'] as string[]).join(',')] as [string, string]]),
    ...filterParameters(args['filter'] as FilterArgument | undefined),
    ...expandParameters(args['expand'] as string[] | undefined, args['expand_limit'] as Record<string, number>),
    ...(features.urls ? [['urls', 'false'] as [string, string]] : []),
    ...(features.binary ? [['binary', 'described'] as [string, string]] : []),
    ...around,
    ...connection,
  ]
  const named = ((args['fields'] ?? []) as string[]).flatMap((names) => names.split(','))
  const page = { isAround: args['around'] !== undefined, isContinued: args['cursor'] !== undefined }
  return fetchPageWithinBudget(call, {
    path: `${streamPath(stream)}/records`,
    query,
    limit: Number(args['limit'] ?? DEFAULT_LIMIT),
    bounds: features.resultBytes ? 'result_bytes' : features.maxBytes ? 'max_bytes' : 'limit',
    share: 0.98,
    render: (body, last) => {
      const shown = features.binary ? body : withBytesDescribed(body)
      return render(
        { stream, asked: named, repeated: repeatedArguments(args), ...page },
        shown,
        last && !features.maxBytes,
      )
    },
  })
}

const noBookmark = (): PdppError =>
  new PdppError('invalid_argument', 'This server does not support changes_since "now".', {
    param: 'changes_since',
    nextStep: 'Begin with changes_since "beginning", or filter by a time field.',
  })

/** Makes `-field` from `sort` with `order`, or from the SQL form `field desc`. */
function sortParameters(args: ToolCall['args']): [string, string][] {
  const [sort, order] = [args['sort'] as string | undefined, args['order'] as string | undefined]
  const [, field, word] = /^-?(.*\S)\s+(asc|desc)$/is.exec(sort ?? '') ?? []
  const directions = new Set([word?.toLowerCase(), order, sort?.startsWith('-') ? 'desc' : undefined])
  directions.delete(undefined)
  const name = field ?? sort?.replace(/^-/, '')
  // If the directions contradict each other, let the server refuse them.
  if (name === undefined || directions.size > 1) return parameters(args, 'order', 'sort')
  return [['sort', directions.has('desc') ? `-${name}` : name]]
}

/** `around` is a key, or an id, which also names the connection. */
function aroundParameters({ args }: ToolCall, stream: string, features: boolean): [string, string][] {
  const around = String(args['around'])
  if (!features) {
    throw new PdppError('invalid_argument', "This server can't show the records around another one.", {
      param: 'around',
      nextStep: 'Use filter on the time or conversation field instead.',
    })
  }
  // With a cursor, leave out `around`, because the cursor contains the position.
  const start = (key: string): [string, string][] => (args['cursor'] === undefined ? [['around', key]] : [])
  const [, source, named] = /^([^/:]+)\/([^/:]+):/.exec(around) ?? []
  if (source === undefined || !isName(source))
    return start(around.startsWith(`${stream}:`) ? around.slice(stream.length + 1) : around)
  if (named !== stream) throw otherStream(shortLine(named!, 100), shortLine(stream, 100))
  const { connectionId, recordKey } = recordHandle(around, args['connection_id'])
  return [...start(recordKey), ['connection_id', connectionId!]]
}

const otherStream = (named: string, stream: string): PdppError =>
  new PdppError('invalid_argument', `That record belongs to the stream "${named}", not to "${stream}".`, {
    param: 'around',
    nextStep: `Use stream "${named}", or name a record of "${stream}".`,
  })

interface PageTextOptions {
  readonly stream: string
  /** The requested fields. The text lists those that are empty in every row. */
  readonly asked: readonly string[]
  /** Names of arguments that go with a cursor of this page too. */
  readonly repeated: readonly string[]
  readonly isAround: boolean
  /** Whether there were pages before this one. */
  readonly isContinued: boolean
}

/** A cursor belongs to its fields. Without `expand` it works, but the related records are missing. */
const repeatedArguments = (args: ToolCall['args']): string[] =>
  ['fields', 'view', 'expand', 'expand_limit'].filter((name) => args[name] !== undefined)

function render(of: PageTextOptions, body: Record<string, unknown>, describe: boolean): ToolResult {
  const encoded = rowsOf(body).some(({ id }) => /[%/\\]/.test(String(id)))
  const id_form = encoded ? `${ID_FORM}${ID_ENCODED}` : ID_FORM
  const structured = (data: Record<string, unknown>) => ({ id_form, data, notice: SHORT_NOTICE })
  const result = toolResult(recordsText(of, body), structured(body))
  if (!describe || fits(result)) return result
  // Another server sent records that are too large. Large fields are described, as our server would do.
  const smaller = { ...body, data: rowsOf(body).map(describeLarge) }
  return toolResult(recordsText(of, smaller), structured(smaller))
}

function recordsText(of: PageTextOptions, body: Record<string, unknown>): string {
  const rows = rowsOf(body)
  const state = handles(body)
  const head = `${shortLine(of.stream, 100)}: ${rows.length} ${rows.length === 1 ? 'record' : 'records'}${state === '' ? `, ${lastPage(of)}.` : `. ${state}`}`
  const lines = [head, ...(of.isAround ? cursorLines(of, body, rows) : []), ...warningLines(body)]
  if (rows.length === 0) return lines.join('\n')
  return [...lines, SHORT_NOTICE, ...table(rows, of.asked)].join('\n')
}

/** Names a page without cursors. Only the first page can have all records. */
function lastPage({ isAround, isContinued }: PageTextOptions): string {
  if (isContinued) return 'the last page'
  return isAround ? 'none before or after' : 'all there are'
}

/**
 * The arguments that go with a cursor. `around` is then left out, so its id no longer names the connection.
 */
function cursorLines(
  { stream, repeated }: PageTextOptions,
  body: Record<string, unknown>,
  [first]: readonly Record<string, unknown>[],
): string[] {
  const connection = textOf(first?.['connection_id'])
  if (connection === undefined || (textOf(body['next_cursor']) ?? textOf(body['previous_cursor'])) === undefined)
    return []
  const same = repeated.length === 0 ? '' : `, the same ${repeated.join(' and ')},`
  return [`A cursor goes with ${JSON.stringify({ stream, connection_id: connection })}${same} and without around.`]
}

/** Columns that are empty or the same in every row are listed once, above the table. */
function table(rows: readonly Record<string, unknown>[], asked: readonly string[]): string[] {
  const described = rows.flatMap((row) => (Array.isArray(row['described_fields']) ? row['described_fields'] : []))
  const missing = asked.filter((name) => !described.includes(name))
  const columns = [...new Set([...rows.flatMap((row) => Object.keys(fieldsOf(row))), ...missing])]
  const filled = columns.filter((name) => rows.some((row) => !isEmpty(fieldsOf(row)[name])))
  const empty = columns.filter((name) => !filled.includes(name))
  const same = rows.length < MIN_SAME_ROWS ? [] : filled.filter((name) => isSame(rows, name))
  // Leave out a column that repeats the key, which the id contains. A deleted record has no columns.
  const kept = rows.filter((row) => row['deleted'] !== true)
  const shown = filled.filter((name) => !same.includes(name) && !kept.every((row) => fieldsOf(row)[name] === row['id']))
  return [
    ...(empty.length === 0 ? [] : [`empty in every row: ${empty.map((name) => shortLine(name, 80)).join(', ')}`]),
    ...(same.length === 0 ? [] : [`same in every row: ${same.map((name) => sameText(rows[0]!, name)).join(', ')}`]),
    ['id', ...shown.map((name) => shortLine(name, 80))].join(' | '),
    ...rows.flatMap((row) => [rowLine(row, shown), ...omittedFieldLines(row), ...relatedLines(row, RELATED_CHARS)]),
  ]
}

function isSame(rows: readonly Record<string, unknown>[], name: string): boolean {
  const first = JSON.stringify(fieldsOf(rows[0]!)[name]) ?? ''
  return first.length <= MAX_SAME_CHARS && rows.every((row) => JSON.stringify(fieldsOf(row)[name]) === first)
}

function sameText(row: Record<string, unknown>, name: string): string {
  const value = fieldsOf(row)[name]
  const time = typeof value === 'string' ? wholeTime(value) : undefined
  return `${shortLine(name, 80)}=${time ?? safeLine(JSON.stringify(value))}`
}

function rowLine(row: Record<string, unknown>, columns: readonly string[]): string {
  const id = idOf(row)
  const readOn = (field: string, offset: number) =>
    `read_record_field field_path=${JSON.stringify(shortLine(field, 200))}${offset > 0 ? ` offset_chars=${offset}` : ''}`
  if (row['deleted'] === true) return `${id} | deleted at ${textOf(row['deleted_at']) ?? 'an unknown time'}`
  const data = fieldsOf(row)
  const cells = columns.map((name) => cell(data[name], name, readOn))
  return [id, ...cells].join(' | ')
}

const fieldsOf = (row: Record<string, unknown>): Record<string, unknown> => objectOf(row['data'])
const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0)
