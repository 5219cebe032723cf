import { PdppError } from '@pdpp/protocol/reading'
import type { ToolDefinition } from './entrypoint.ts'
import { requireExpandLimit, requireFilter } from './typed-arguments.ts'

export type Arguments = Readonly<Record<string, unknown>>

interface Property {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly maximum?: number
  readonly maxItems?: number
  readonly items?: { readonly enum?: readonly string[] }
}

/** Accepted but not listed: names that clients of other adapters, or of older versions of the list, still send. */
const UNLISTED: Readonly<Record<string, Record<string, Property>>> = {
  search: { q: { type: 'string' }, mode: { type: 'string', enum: ['lexical', 'semantic', 'hybrid'] } },
  read_record_field: { stream: { type: 'string' }, record_id: { type: 'string' }, cursor: { type: 'string' } },
}

/** Names that models guess, for each argument. */
const GUESSES: readonly (readonly [string, readonly string[]])[] = [
  ['limit', ['maxresults', 'pagesize', 'topk', 'count', 'n', 'size']],
  ['since', ['from', 'start', 'startdate', 'starttime', 'after', 'datefrom']],
  ['until', ['to', 'end', 'enddate', 'endtime', 'before', 'dateto']],
  ['cursor', ['pagetoken', 'nextcursor', 'page', 'offset']],
  ['filter', ['where', 'conditions']],
  ['q', ['query', 'search', 'text']],
  ['query', ['text', 'question', 'keywords', 'search']],
  ['time_zone', ['tz']],
  ['granularity', ['interval', 'bucket', 'period']],
  ['metric', ['aggregation', 'function', 'operation']],
  ['sort', ['orderby', 'sortby', 'order']],
  ['fields', ['select', 'columns', 'projection']],
  ['field_path', ['field', 'path']],
  ['connection_id', ['connection', 'source', 'account', 'connectorinstanceid']],
  ['id', ['recordid', 'uri', 'url', 'key']],
  ['callback_url', ['url', 'webhookurl', 'endpoint', 'address']],
  ['connection_ids', ['connectionid', 'connection', 'source']],
  ['subscription_id', ['id', 'subscription', 'eventsubscriptionid']],
]

const CLAMPED = new Set(['limit', 'limit_chars'])
const MAX_NAMED = 5
/** A search reads only this many characters of a query. */
const MAX_TEXT_CHARS = 4096
const MAX_ITEMS = 50

/** Checks the arguments before any request. Null means left out, and a string is accepted as a list of one. */
export function checkArguments({ name: tool, inputSchema }: ToolDefinition, input: unknown): Arguments {
  const { required = [] } = inputSchema
  const properties = inputSchema.properties as Record<string, Property>
  const known: Record<string, Property> = { ...properties, ...UNLISTED[tool] }
  const checked: Record<string, unknown> = {}
  const sent = Object.entries(input ?? {})
  const unknown = sent.map(([name]) => name).filter((name) => !Object.hasOwn(known, name))
  if (unknown.length > 0) throw unknownArguments(tool, unknown, Object.keys(properties))
  for (const [name, value] of sent)
    if (value !== null && value !== undefined) checked[name] = checkValue(name, value, known[name]!)
  return withAliases(tool, checked, required)
}

function withAliases(tool: string, checked: Record<string, unknown>, required: readonly string[]): Arguments {
  if (tool === 'search' && checked['q'] !== undefined) {
    const { q, ...rest } = checked
    if (rest['query'] !== undefined && rest['query'] !== q) throw invalid('q', 'q and query are different.')
    return requireAll(tool, { ...rest, query: q }, required)
  }
  // `stream` with `record_id` replaces `id`, and a window URI replaces `field_path`.
  const named = checked['record_id'] !== undefined && checked['stream'] !== undefined
  const uri = String(checked['id'] ?? '').startsWith('pdpp://field-window/')
  const needed = required.filter((name) => !(named && name === 'id') && !(uri && name === 'field_path'))
  return requireAll(tool, checked, tool === 'read_record_field' ? needed : required)
}

function requireAll(tool: string, checked: Arguments, required: readonly string[]): Arguments {
  const missing = required.find((name) => checked[name] === undefined || checked[name] === '')
  if (missing === undefined) return checked
  throw new PdppError('invalid_argument', `${tool} needs the argument "${missing}".`, {
    param: missing,
    nextStep: `Give ${required.join(' and ')}.`,
  })
}

function checkValue(name: string, value: unknown, property: Property): unknown {
  if (name === 'filter') return requireFilter(value)
  if (name === 'expand_limit') return requireExpandLimit(value)
  if (property.enum) return requireChoice(name, value, property.enum)
  if (property.type === 'integer') return requireInteger(name, value, property)
  if (property.type === 'array') return requireTexts(name, value, property)
  if (property.type === 'boolean') return requireBoolean(name, value)
  if (typeof value !== 'string') throw invalid(name, `${name} must be a string.`)
  if (value.length > MAX_TEXT_CHARS) throw invalid(name, `${name} is longer than ${MAX_TEXT_CHARS} characters.`)
  return value
}

function requireChoice(name: string, value: unknown, choices: readonly string[]): unknown {
  if (typeof value === 'string' && choices.includes(value)) return value
  throw invalid(name, `${name} must be one of: ${choices.join(', ')}.`)
}

function requireInteger(name: string, value: unknown, { maximum }: Property): number {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  const minimum = name.startsWith('limit') ? 1 : 0
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < minimum)
    throw invalid(name, `${name} must be a whole number from ${minimum}${maximum ? ` to ${maximum}` : ''}.`)
  // A server lowers a limit that is too large and warns, which helps more than an error.
  if (maximum !== undefined && number > maximum && !CLAMPED.has(name))
    throw invalid(name, `${name} may be at most ${maximum}.`)
  return number
}

function requireBoolean(name: string, value: unknown): boolean {
  if (value === true || value === 'true') return true
  if (value === false || value === 'false') return false
  throw invalid(name, `${name} must be true or false.`)
}

function requireTexts(name: string, value: unknown, { maxItems = MAX_ITEMS, items }: Property): string[] {
  const list = typeof value === 'string' ? (listIn(value) ?? [value]) : value
  if (
    !Array.isArray(list) ||
    list.some((item) => typeof item !== 'string' || item === '' || item.length > MAX_TEXT_CHARS)
  )
    throw invalid(name, `${name} must be a list of strings, such as ["a","b"].`)
  if (list.length === 0) throw invalid(name, `${name} is empty: leave it out, or name something.`)
  if (list.length > maxItems) throw invalid(name, `${name} takes at most ${maxItems}.`)
  if (items?.enum) for (const item of list) requireChoice(name, item, items.enum)
  return list
}

/** Detects a JSON list sent as a string. Otherwise the error would suggest asking the owner for such a stream. */
function listIn(text: string): unknown[] | undefined {
  if (!/^\s*\[.*\]\s*$/s.test(text)) return
  try {
    return JSON.parse(text) as unknown[]
  } catch {
    return
  }
}

/** Names all unknown arguments at once with suggestions, because each further call costs the model time. */
function unknownArguments(tool: string, unknown: readonly string[], listed: readonly string[]): PdppError {
  const named = unknown.slice(0, MAX_NAMED).map((name) => {
    const meant = meantArgument(name, listed)
    return `"${name.length > 60 ? `${name.slice(0, 60)}…` : name}"${meant === undefined ? '' : ` (use ${meant})`}`
  })
  const others = unknown.length > MAX_NAMED ? ` and ${unknown.length - MAX_NAMED} others` : ''
  return new PdppError('invalid_argument', `${tool} has no argument ${named.join(', ')}${others}.`, {
    param: unknown[0]!.slice(0, 60),
    nextStep: `Arguments: ${listed.join(', ')}.`,
  })
}

function meantArgument(name: string, listed: readonly string[]): string | undefined {
  const plain = (text: string) =>
    text
      .slice(0, 60)
      .toLowerCase()
      .replace(/[^a-z]/g, '')
  const same = listed.find((other) => [plain(other), `${plain(other)}s`].includes(plain(name)))
  return same ?? GUESSES.find(([meant, guesses]) => listed.includes(meant) && guesses.includes(plain(name)))?.[0]
}

function invalid(param: string, message: string): PdppError {
  return new PdppError('invalid_argument', message, { param })
}
