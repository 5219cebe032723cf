import { grouped, type JsonObject, objectOf, objectsOf, shortTime, textOf } from '@pdpp/mcp-server/client'
import { commandLine } from '@pdpp/mcp-server/hosts'
import type { Reader } from '../../provider/reader.ts'
import { EXIT } from '../../terminal/exit-codes.ts'
import { CommandFailure } from '../../terminal/failure.ts'
import { bold, dim, oneLine, printLine, printNote, printTable } from '../../terminal/output.ts'

/** Prints sources with their connections and streams. */
export function printIndex(body: JsonObject, reader: Reader): void {
  const connectors = objectsOf(body['connectors'])
  if (connectors.length === 0) printNote("You can't read anything here.")
  let example: string | undefined
  for (const connector of connectors) {
    printLine(`${bold(oneLine(sourceName(connector)))}  ${dim(oneLine(connectionsOf(connector)))}`)
    for (const stream of objectsOf(connector['streams'])) {
      example ??= String(stream['name'])
      const count = stream['record_count']
      printLine(
        `  ${String(stream['name']).padEnd(24)} ${typeof count === 'number' ? `${grouped(count).padStart(9)} records` : ''}`.trimEnd(),
      )
    }
    printLine()
  }
  if (example) printNote(`Show the fields of a stream: ${commandLine(reader.command('read', 'schema', example))}`)
}

const sourceName = (connector: JsonObject): string =>
  textOf(connector['display_name']) ?? textOf(connector['connector_key']) ?? 'Source'

function connectionsOf(connector: JsonObject): string {
  return objectsOf(connector['granted_connections'])
    .map((each) => {
      const name = textOf(each['display_name'])
      // If a connection has the name of its source, show only its id.
      const own = name === sourceName(connector) ? undefined : name
      return own === undefined ? String(each['connection_id']) : `${own} (${each['connection_id']})`
    })
    .join(', ')
}

/** Prints the fields of a stream and how each can be used. */
export function printStream(
  body: JsonObject,
  name: string,
  reader: Reader,
  asked: { connection?: string; connector?: string },
): void {
  const found = objectsOf(body['connectors']).flatMap((connector) =>
    objectsOf(connector['streams']).map((stream) => ({ connector, stream })),
  )
  if (found.length === 0)
    throw new CommandFailure(
      EXIT.notFound,
      `There is no stream "${name}" that you can read.`,
      `${commandLine(reader.command('read', 'streams'))} lists them.`,
    )
  for (const { connector, stream } of found) {
    const granted = { granted_connections: connector['granted_connections'], ...stream }
    const [from, source] = [
      connectionsOf({ ...granted, display_name: connector['display_name'] }),
      sourceName(connector),
    ]
    // A single connection with the name of its source becomes "Harbour chat (chat)".
    const where = /[ ,]/.test(from) ? `${source}: ${from}` : `${source} (${from})`
    printLine(`${bold(String(stream['name']))}  ${dim(oneLine(where))}`)
    for (const line of facts(stream)) printLine(line)
    printLine()
    printTable(['FIELD', 'TYPE', 'FILTER', 'SORT', 'SEARCH', 'AGGREGATE'], fieldRows(stream))
    for (const line of frequent(stream)) printLine(line)
    printLine()
  }
  const from = [
    ...flag('--connection', asked.connection ?? firstOfPackage(body, found)),
    ...flag('--connector', asked.connector),
  ]
  printNote(`Read it: ${commandLine(reader.command('read', 'records', name, ...from))}`)
}

const flag = (name: string, value: string | undefined): string[] => (value === undefined ? [] : [name, value])

/** Reads with a package must name a connection. Other tokens read all connections of the grant together. */
function firstOfPackage(
  body: JsonObject,
  found: readonly { connector: JsonObject; stream: JsonObject }[],
): string | undefined {
  if (objectOf(body['bearer'])['token_kind'] !== 'mcp_package') return
  const { connector, stream } = found[0]!
  const [first] = objectsOf(stream['granted_connections'] ?? connector['granted_connections'])
  return textOf(first?.['connection_id'])
}

function facts(stream: JsonObject): string[] {
  const { earliest, latest } = objectOf(stream['time_span'])
  const relations = objectsOf(stream['expand_capabilities']).filter((each) => each['usable'] !== false)
  return [
    typeof stream['record_count'] === 'number' ? `Records    ${grouped(stream['record_count'])}` : '',
    earliest === undefined
      ? ''
      : `Time       ${shortTime(String(earliest))} to ${shortTime(String(latest))} (${stream['consent_time_field'] ?? stream['cursor_field']})`,
    relations.length === 0 ? '' : `Related    ${relations.map((each) => `--expand ${each['name']}`).join(', ')}`,
  ].filter((line) => line !== '')
}

/** Table rows from flags such as `t=string,eq,r=gte|gt`. Other servers send objects, whose keys are the flags. */
function fieldRows(stream: JsonObject): string[][] {
  return Object.entries(objectOf(stream['field_capabilities'])).map(([field, flags]) => {
    const parts = String(typeof flags === 'string' ? flags : Object.keys(objectOf(flags)).join(',')).split(',')
    const value = (name: string) => parts.find((part) => part.startsWith(`${name}=`))?.slice(name.length + 1)
    if (parts.includes('g=false')) return [field, value('t') ?? '', 'not granted', '', '', '']
    const range = value('r') !== undefined || parts.includes('r')
    return [
      field,
      value('t') ?? '',
      [parts.includes('eq') ? '=' : '', range ? '< <= > >=' : ''].filter((text) => text !== '').join(' '),
      parts.includes('s') ? 'yes' : '',
      parts.includes('lex') ? 'yes' : '',
      (value('a') ?? '').replaceAll('|', ', '),
    ]
  })
}

function frequent(stream: JsonObject): string[] {
  const fields = Object.entries(objectOf(stream['frequent_values']))
  if (fields.length === 0) return []
  return [
    '',
    dim('COMMON VALUES'),
    ...fields.map(([field, values]) => {
      const texts = objectsOf(values).map(
        (each) => `${oneLine(String(each['value']))} (${grouped(Number(each['count']))})`,
      )
      return `${field}: ${texts.slice(0, 5).join(', ')}`
    }),
  ]
}
