import { filterParameters, requireFilter } from '@pdpp/mcp-server/client'
import { formatResultId, parseResultId } from '@pdpp/protocol'
import { isAddress } from '../../provider/address.ts'
import type { Pairs } from '../../provider/reader.ts'
import { UsageError } from '../../terminal/failure.ts'

/** Splits off the server, if the first word is an address. */
export function splitWords(words: readonly string[]): { provider: string | undefined; rest: string[] } {
  const [first, ...others] = words
  return isAddress(first) ? { provider: first, rest: others } : { provider: undefined, rest: [...words] }
}

export function oneStream(rest: readonly string[], command: string): string {
  if (rest.length === 1) return rest[0]!
  if (rest.length === 0)
    throw new UsageError(`Which stream? Run: pdpp read ${command} <stream>`, '`pdpp read streams` lists them.')
  throw new UsageError(`Name only one stream, not "${rest.join(' ')}".`, 'Put values that contain spaces in quotes.')
}

export interface RecordName {
  readonly stream: string
  readonly recordKey: string
  readonly connectionId: string | undefined
}

/** Reads `connection/stream:key` from one word, or a stream and a key from two. */
export function recordName(words: readonly string[], connection: string | undefined): RecordName {
  if (words.length === 2) return { stream: words[0]!, recordKey: words[1]!, connectionId: connection }
  if (words.length !== 1) throw new UsageError('Name one record: its id from a search, or its stream and key.')
  const id = parseResultId(words[0]!)
  if (connection !== undefined && id.connectionId !== undefined && id.connectionId !== connection)
    throw new UsageError(`The id names connection ${id.connectionId}, but --connection names ${connection}.`)
  return { ...id, connectionId: id.connectionId ?? connection }
}

/** The words that name a record in a printed command. They include the connection, because a package needs it. */
export function recordWords({ stream, recordKey, connectionId }: RecordName, ...more: string[]): string[] {
  if (connectionId === undefined) return [stream, recordKey, ...more]
  const id = formatResultId({ connectionId, stream, recordKey })
  return isReadable(id) ? [id, ...more] : [stream, recordKey, ...more, '--connection', connectionId]
}

/** Ids of other servers may contain characters that make them ambiguous. */
function isReadable(id: string): boolean {
  try {
    return parseResultId(id).connectionId !== undefined
  } catch {
    return false
  }
}

const CONDITION = /^([^<>=!]+?)\s*(>=|<=|>|<|=)\s*(.*)$/s
const OPERATORS: Record<string, string> = { '>=': '[gte]', '<=': '[lte]', '>': '[gt]', '<': '[lt]', '=': '' }

/** Turns `sent_at>=2026-01-01` into its query parameter. */
export function conditions(where: readonly string[] | undefined): Pairs {
  return (where ?? []).map((text) => {
    const [, field, operator, value] = CONDITION.exec(text) ?? []
    if (field === undefined || operator === undefined)
      throw new UsageError(
        `"${text}" is not a condition.`,
        "Write a field, one of = > >= < <=, and a value, all in quotes: --where 'sent_at>=2026-01-01'",
      )
    return [`filter[${field.trim()}]${OPERATORS[operator]}`, value ?? '']
  })
}

/** Reads the JSON object that other `pdpp` commands take. */
export function jsonConditions(text: string | undefined): Pairs {
  if (text === undefined) return []
  try {
    return filterParameters(requireFilter(JSON.parse(text)))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new UsageError('The filter is not JSON.', `Write it like --where 'field=value'`)
  }
}

export function expansion(options: { expand?: string[]; expandLimit?: string[] }): Pairs {
  return [
    ...(options.expand ?? []).flatMap((each) => each.split(',')).map((name): [string, string] => ['expand', name]),
    ...(options.expandLimit ?? []).map((text): [string, string] => {
      const [, relation, number] = /^([^=]+)=(\d+)$/.exec(text) ?? []
      if (relation === undefined || number === undefined)
        throw new UsageError(`"${text}" is not a limit.`, 'Write it like --expand-limit attachments=3')
      return [`expand_limit[${relation}]`, number]
    }),
  ]
}

/** Query parameters, without undefined values. */
export function parameters(values: Record<string, string | number | undefined>): Pairs {
  return Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
}
