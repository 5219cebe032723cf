import { FLAG_LEGEND, PdppError, previewChars } from '@pdpp/protocol/reading'
import { handles, warningLines } from '../../rendering/header.ts'
import { exactValue, grouped, safeLine, shortLine } from '../../rendering/safe-text.ts'
import { type JsonObject, objectOf, objectsOf, textOf } from '../../resource-server/envelope.ts'
import { type Connector, connectorsOf, isPackageOfSeveral, type StreamRow } from './schema-document.ts'
import { connectionList, counted, sourceName } from './schema-names.ts'

/** Describes one stream. From this text alone a model can make a valid call (000.5.2 to 000.5.4). */
export function streamText(body: Readonly<JsonObject>, stream: string): string {
  const rows = rowsOf(body)
  if (rows.length === 0) throw notInReach(stream)
  return [
    ...(handles(body) === '' ? [] : [handles(body)]),
    ...fieldPageLine(body),
    ...warningLines(body),
    ...severalLine(body, rows),
    ...rows.flatMap(({ connector, row }) => streamLines(connector, row)),
    legendLine(body),
  ].join('\n')
}

interface DescribedStream {
  readonly connector: Connector
  readonly row: StreamRow
}

function rowsOf(body: Readonly<JsonObject>): DescribedStream[] {
  return connectorsOf(body).flatMap((connector) => connector.streams.map((row) => ({ connector, row })))
}

/** For other servers, which answer with an empty list. Ours refuses and suggests similar names. */
function notInReach(stream: string): PdppError {
  return new PdppError('not_found', `There is no stream "${shortLine(stream, 100)}" that you can read.`, {
    param: 'stream',
    reason: 'stream',
  })
}

function severalLine(body: Readonly<JsonObject>, rows: readonly DescribedStream[]): string[] {
  const named = rows.reduce((sum, { connector, row }) => sum + connectionsFor(connector, row).connections.length, 0)
  if (isPackageOfSeveral(body, named)) return ['This token reads several sources: pass connection_id.']
  if (rows.length > 1) return ['Several sources: pass connection_id to read one of them.']
  return named > 1 ? ['Connections are read together; pass connection_id to read one alone.'] : []
}

function streamLines(connector: Connector, stream: StreamRow): string[] {
  const { name, recordCount, row } = stream
  const title = `stream ${name} of ${sourceName(connector)} ${connectionList(connector, connectionsFor(connector, stream))}`
  if (row['field_capabilities'] === undefined)
    return [
      `${title}${recordCount === undefined ? '' : `, ${counted(recordCount, 'record')}`}: pass its connection_id for the fields`,
    ]
  const fields = objectOf(row['field_capabilities'])
  return [
    title,
    factsLine(stream),
    `fields: ${fieldList(fields)}`,
    ...frequentLines(objectOf(row['frequent_values'])),
    ...viewsLine(row),
    // Later parts of a long field list only contain fields.
    ...(Array.isArray(row['expand_capabilities']) ? [usesLine(row, fields)] : []),
    ...exampleLine(name, row),
  ].filter((line) => line !== '')
}

function factsLine({ recordCount, row }: StreamRow): string {
  const span = objectOf(row['time_span'])
  const fresh = objectOf(row['freshness'])
  const time = textOf(row['consent_time_field'])
  const facts = [
    recordCount === undefined ? undefined : counted(recordCount, 'record'),
    textOf(span['earliest']) === undefined
      ? undefined
      : `${day(span['earliest'])} to ${day(span['latest'])}${time === undefined ? '' : ` by ${time}`}`,
    Array.isArray(row['primary_key']) ? `key ${row['primary_key'].map(String).join('+')}` : undefined,
    textOf(row['semantics']),
    textOf(fresh['captured_at']) === undefined ? undefined : `as of ${day(fresh['captured_at'])} (${fresh['status']})`,
  ]
  return facts.filter((fact) => fact !== undefined).join(', ')
}

function usesLine(row: Readonly<JsonObject>, fields: Record<string, unknown>): string {
  const searched = Object.values(fields).some((flags) => /\blex\b/.test(String(flags)))
  return `projection: fields=[…] with any field that is granted; sort: those flagged s; count: none, estimated, exact; expand: ${expandList(row)}; search: ${searched ? 'lexical' : 'no searched field'}`
}

/** The values of `view`, with the fields of each. */
function viewsLine(row: Readonly<JsonObject>): string[] {
  const views = objectsOf(row['views']).flatMap(({ id, fields }) =>
    typeof id === 'string' && Array.isArray(fields)
      ? [`${safeLine(id)} (${fields.map((name) => safeLine(String(name))).join(', ')})`]
      : [],
  )
  const more = Number(row['more_views'] ?? 0)
  if (views.length === 0 && more === 0) return []
  return [`views: ${[...views, ...(more > 0 ? [`${grouped(more)} more, in detail "full"`] : [])].join('; ')}`]
}

/** The position, if the field list comes in parts. */
function fieldPageLine(body: Readonly<JsonObject>): string[] {
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

/** Frequent values that the model can use in a filter. */
function frequentLines(values: Record<string, unknown>): string[] {
  return Object.entries(values).map(([field, entries]) => {
    const shown = objectsOf(entries).map(
      ({ value, count: times, truncated }) =>
        `${exactValue(previewChars(String(value), 100), AMBIGUOUS)} ${grouped(Number(times))}${truncated === true ? ' (cut, so no filter)' : ''}`,
    )
    return `most frequent ${safeLine(field)}: ${shown.join(', ')}`
  })
}

/** A value that could be confused with the text around it. */
const AMBIGUOUS = /^$|[,"]|\s\S*\d$/

/** The relations that this grant can expand. */
function expandList(row: Readonly<JsonObject>): string {
  const relations = objectsOf(row['expand_capabilities'])
  const usable = relations.filter((relation) => relation['usable'] !== false)
  const more = Number(row['more_relations'] ?? 0)
  const named = [...usable.map(relationText), ...(more > 0 ? [`${grouped(more)} more, in detail "full"`] : [])]
  return named.length === 0 ? 'none' : named.join(', ')
}

function relationText({
  name,
  target_stream: target,
  cardinality,
  default_limit: usual,
  max_limit: max,
}: Readonly<JsonObject>): string {
  if (cardinality === 'has_one') return `${name} (one of ${target})`
  const limits =
    typeof usual === 'number' && typeof max === 'number' ? `, ${usual} unless expand_limit, at most ${max}` : ''
  return `${name} (${target}${limits})`
}

/** Turns the example route of the document into a tool call. */
function exampleLine(stream: string, row: Readonly<JsonObject>): string[] {
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

/** The meaning of the flags. Other implementations do not send it, but use the same flags (000.5.4). */
function legendLine(body: Readonly<JsonObject>): string {
  const sent = Object.entries(objectOf(body['field_capability_legend']))
  const legend = sent.length === 0 ? Object.entries(FLAG_LEGEND) : sent
  return `flags: ${legend.map(([flag, meaning]) => `${flag} ${String(meaning)}`).join('; ')}`
}

export function fullText(body: Readonly<JsonObject>, stream: string): string {
  const rows = rowsOf(body)
  if (rows.length === 0) throw notInReach(stream)
  const described = rows.flatMap(({ connector, row }) => [
    `stream ${row.name} of ${sourceName(connector)} ${connectionList(connector, connectionsFor(connector, row))}`,
    ...exampleLine(row.name, row.row),
    safeLine(JSON.stringify(row.row)),
  ])
  return [...fieldPageLine(body), ...warningLines(body), ...described].join('\n')
}

const connectionsFor = (connector: Connector, row: StreamRow): Pick<Connector, 'connections' | 'connectionCount'> =>
  row.connections.length > 0 || row.connectionCount !== undefined ? row : connector

const day = (value: unknown): string => String(value ?? '').slice(0, 10)
