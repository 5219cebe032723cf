import { FLAG_LEGEND } from '@pdpp/protocol'
import { handles, warningLines } from '../rendering/header.ts'
import { grouped, shortLine } from '../rendering/preview.ts'
import { safeLine } from '../rendering/safe-text.ts'
import { objectOf, textOf } from '../resource-server/envelope.ts'
import { type ConnectionName, type Connector, connectorsOf, type StreamRow } from './schema-document.ts'

type Body = Readonly<Record<string, unknown>>

/** Every granted stream by name, grouped by connector, whatever the size (000.5). */
export function indexText(body: Body): string {
  const connectors = connectorsOf(body)
  const streams = connectors.reduce((sum, { streams }) => sum + streams.length, 0)
  const head = `${count(connectors.length, 'connector')}, ${count(streams, 'stream')}; numbers are records. Next: schema with stream for fields and filters, or search.`
  return [head, ...warningLines(body), ...connectors.map(connectorLine)].join('\n')
}

function connectorLine(connector: Connector): string {
  const named = connector.streams.map(({ name, recordCount, connections }) => {
    const own = connections.length === 0 ? '' : ` (${connections.map(({ id }) => id).join(' ')})`
    return `${name}${recordCount === undefined ? '' : ` ${grouped(recordCount)}`}${own}`
  })
  return `${sourceName(connector)} ${connectionList(connector, connector.connections)}: ${named.join(', ')}`
}

/** One stream as a reader of text alone needs it to make a valid call (000.5.2 to 000.5.4). */
export function streamText(body: Body, stream: string): string {
  const rows = connectorsOf(body).flatMap((connector) => connector.streams.map((row) => ({ connector, row })))
  if (rows.length === 0)
    return `No stream "${shortLine(stream, 100)}" in reach. Call schema without arguments for the names.`
  const several = rows.length > 1 || rows.some(({ connector, row }) => connectionsFor(connector, row).length > 1)
  return [
    ...(handles(body) === '' ? [] : [handles(body)]),
    ...fieldPageLine(body),
    ...warningLines(body),
    ...(several ? ['Several sources: pass connection_id to read one of them alone.'] : []),
    ...rows.flatMap(({ connector, row }) => streamLines(connector, row)),
    legendLine(body),
  ].join('\n')
}

function streamLines(connector: Connector, { name, recordCount, row, connections }: StreamRow): string[] {
  const span = objectOf(row['time_span'])
  const fresh = objectOf(row['freshness'])
  const time = textOf(row['consent_time_field'])
  const facts = [
    recordCount === undefined ? undefined : count(recordCount, 'record'),
    textOf(span['earliest']) === undefined
      ? undefined
      : `${day(span['earliest'])} to ${day(span['latest'])}${time === undefined ? '' : ` by ${time}`}`,
    Array.isArray(row['primary_key']) ? `key ${row['primary_key'].map(String).join('+')}` : undefined,
    textOf(row['semantics']),
    textOf(fresh['captured_at']) === undefined
      ? undefined
      : `read from its source ${day(fresh['captured_at'])} (${fresh['status']})`,
  ]
  const searched = Object.entries(objectOf(row['field_capabilities'])).some(([, flags]) =>
    /\blex\b/.test(String(flags)),
  )
  return [
    `stream ${name} of ${sourceName(connector)} ${connectionList(connector, connectionsFor(connector, { name, recordCount, row, connections }))}`,
    facts.filter((fact) => fact !== undefined).join(', '),
    `fields: ${fieldList(objectOf(row['field_capabilities']))}`,
    ...frequentLines(objectOf(row['frequent_values'])),
    `projection: fields=[…] with any field that is granted; sort: those flagged s; count: none, estimated, exact; expand: ${expandList(row)}; search: ${searched ? 'lexical' : 'no searched field'}`,
    ...exampleLine(name, row),
  ].filter((line) => line !== '')
}

/** A stream of hundreds of fields comes in parts. */
function fieldPageLine(body: Body): string[] {
  const { from, to, total, next_fields_offset: next } = objectOf(body['field_page'])
  if (typeof total !== 'number') return []
  const on = typeof next === 'number' ? ` Next: this call with fields_offset=${next}.` : ''
  return [`fields ${grouped(Number(from) + 1)} to ${grouped(Number(to))} of ${grouped(total)}.${on}`]
}

function fieldList(fields: Record<string, unknown>): string {
  return Object.entries(fields)
    .map(([name, flags]) => `${safeLine(name)}[${typeof flags === 'string' ? safeLine(flags) : 'declared'}]`)
    .join(' ')
}

/** Who is in here, which channels: what a filter can name. */
function frequentLines(values: Record<string, unknown>): string[] {
  return Object.entries(values).map(([field, entries]) => {
    const shown = (Array.isArray(entries) ? entries.map(objectOf) : []).map(
      ({ value, count: times, truncated }) =>
        `${value === '' ? '""' : shortLine(String(value), 100)} ${grouped(Number(times))}${truncated === true ? ' (cut, so no filter)' : ''}`,
    )
    return `most frequent ${safeLine(field)}: ${shown.join(', ')}`
  })
}

function expandList(row: Body): string {
  const relations = Array.isArray(row['expand_capabilities']) ? row['expand_capabilities'].map(objectOf) : []
  const usable = relations.filter((relation) => relation['usable'] !== false)
  return usable.length === 0 ? 'none' : usable.map(({ name, target_stream }) => `${name} (${target_stream})`).join(', ')
}

/** The same read that the document gives as a route, as a call of a tool. */
function exampleLine(stream: string, row: Body): string[] {
  const route = textOf(row['example'])
  const query = route?.includes('?') ? new URLSearchParams(route.slice(route.indexOf('?') + 1)) : undefined
  if (!query) return []
  const [fields, sort, connection] = [query.get('fields'), query.get('sort'), query.get('connection_id')]
  const call = {
    stream,
    ...(connection ? { connection_id: connection } : {}),
    limit: 10,
    ...(fields ? { fields: fields.split(',') } : {}),
    ...(sort ? { sort } : {}),
  }
  return [`example: query_records ${JSON.stringify(call)}`]
}

/** Other implementations send flags without their meaning; the meaning is the same there (000.5.4). */
function legendLine(body: Body): string {
  const told = Object.entries(objectOf(body['field_capability_legend']))
  const legend = told.length === 0 ? Object.entries(FLAG_LEGEND) : told
  return `flags: ${legend.map(([flag, meaning]) => `${flag} ${String(meaning)}`).join('; ')}`
}

export function fullText(body: Body, stream: string): string {
  const rows = connectorsOf(body).flatMap((connector) => connector.streams.map((row) => ({ connector, row })))
  if (rows.length === 0) return streamText(body, stream)
  return rows
    .map(
      ({ connector, row }) =>
        `stream ${row.name} of ${sourceName(connector)} ${connectionList(connector, connectionsFor(connector, row))}\n${safeLine(JSON.stringify(row.row))}`,
    )
    .join('\n')
}

const connectionsFor = (connector: Connector, row: StreamRow): readonly ConnectionName[] =>
  row.connections.length > 0 ? row.connections : connector.connections

const sourceName = ({ key, name }: Connector): string =>
  name === undefined || name === key ? key : `${key} "${shortLine(name, 60)}"`

/** A connection that is called as its source is known by its id: the name was just said. */
function connectionList(source: Connector, connections: readonly ConnectionName[]): string {
  const named = connections.map(({ id, name }) =>
    name === undefined || name === source.name ? id : `${id} "${shortLine(name, 60)}"`,
  )
  return named.length === 0 ? '' : `connection_id=${named.join(' or ')}`
}

const count = (value: number, noun: string): string => `${grouped(value)} ${noun}${value === 1 ? '' : 's'}`
const day = (value: unknown): string => String(value ?? '').slice(0, 10)
