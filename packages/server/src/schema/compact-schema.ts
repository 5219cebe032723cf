import { FLAG_LEGEND, flagString, RESULT_BYTES } from '@pdpp/protocol'
import type { Authority } from '../grants/authority.ts'
import { expandCapabilities } from '../records/expand/relation.ts'
import { fieldCapabilities } from './field-capabilities.ts'
import { cost, type FieldPage, fieldPage, fieldsOn } from './field-page.ts'
import { boundedConnections, connectionsOf, shortLabel } from './granted-connections.ts'
import { bearer, grantedField, memberGrant } from './schema-document.ts'
import { freshness, type SchemaSource, totals, type VisibleStream } from './schema-service.ts'
import { example, valuesOf, viewsOf } from './stream-hints.ts'

/** Max. bytes of the fields and hints together. MCP results repeat them as text and must stay readable. */
const DETAIL_BYTES = 7_600
const MIN_FIELD_BYTES = 1_000
/** For links and warnings, and for what an adapter adds. */
const ENVELOPE_BYTES = 400
const RELATION_BYTES = 1_200
/** Max. fields of a stream, to measure an answer without its fields. */
const MAX_FIELDS = 500
/** Max. sources with this stream that are described. Further sources are only named. */
const MAX_DESCRIBED = 8

interface Row {
  readonly source: SchemaSource
  readonly stream: VisibleStream
}

/** One stream of every source that has it: field flags, their legend, and hints for a first read. */
export function compactStream(authority: Authority, sources: readonly SchemaSource[], fieldsOffset: number) {
  const rows = sources.flatMap((source) => source.streams.map((stream) => ({ source, stream })))
  const described = rows.slice(0, MAX_DESCRIBED)
  const share = 1 / Math.max(1, described.length)
  const hintRows = fieldsOffset > 0 ? [] : described.map((row) => hints(authority, row, share))
  const connections = sources.map((source) => boundedConnections(connectionsOf(source, ...source.streams), share))
  const lists = described.map(({ stream }) => flagsOf(stream))
  const document = (page: FieldPage) => ({
    object: 'schema',
    detail: 'compact',
    bearer: bearer(authority),
    connector_count: sources.length,
    stream_count: rows.length,
    ...(page.from > 0 || page.to < page.total ? { field_page: fieldPageMembers(page) } : {}),
    ...(rows.length > described.length ? { described_streams: described.length } : {}),
    field_capability_legend: FLAG_LEGEND,
    connectors: sources.map((source, index) => ({
      object: 'connector',
      ...memberGrant(authority, source.authority),
      connector_key: source.declaration.connector_key,
      display_name: shortLabel(source.declaration.display.name),
      source: source.declaration.source,
      stream_count: source.streams.length,
      ...connections[index],
      streams: source.streams.map((stream) => {
        const at = described.findIndex((row) => row.stream === stream)
        const head = { object: 'stream', name: stream.declaration.name, record_count: totals(stream.statistics).count }
        if (at < 0) return head
        return { ...head, ...facts(stream), ...hintRows[at], field_capabilities: fieldsOn(page, lists[at]!) }
      }),
    })),
  })
  const hintBytes = cost(JSON.stringify(hintRows))
  const otherBytes = cost(JSON.stringify(document({ from: fieldsOffset, to: fieldsOffset, total: MAX_FIELDS })))
  const room = Math.min(DETAIL_BYTES - hintBytes, RESULT_BYTES.default - ENVELOPE_BYTES - otherBytes)
  return document(fieldPage(lists, fieldsOffset, Math.max(MIN_FIELD_BYTES, room)))
}

/** Included only if the fields do not fit into one answer. */
function fieldPageMembers({ from, to, total }: FieldPage) {
  return { from, to, total, next_fields_offset: to < total ? to : null }
}

function facts({ declaration, statistics }: VisibleStream) {
  const { span } = totals(statistics)
  return {
    semantics: declaration.semantics,
    primary_key: declaration.primary_key,
    cursor_field: declaration.cursor_field ?? null,
    consent_time_field: declaration.consent_time_field ?? null,
    ...(span === undefined ? {} : { time_span: span }),
    freshness: freshness(statistics),
  }
}

/** Everything except the fields. Only the first part of a long field list contains it. */
function hints(authority: Authority, { source, stream }: Row, share: number) {
  return {
    ...valuesOf(stream, share),
    ...viewsOf(stream, share),
    ...relationsOf(source, stream, share),
    example: example(authority, stream),
  }
}

function relationsOf(source: SchemaSource, { declaration }: VisibleStream, share: number) {
  const all = expandCapabilities(declaration, grantedField(source.authority))
    .map(({ name, target_stream, cardinality, direction, usable, default_limit, max_limit }) => ({
      name,
      target_stream,
      cardinality,
      direction,
      usable,
      default_limit,
      max_limit,
    }))
    .toSorted((a, b) => Number(b.usable) - Number(a.usable))
  let left = RELATION_BYTES * share
  const fitting = all.filter((relation, index) => {
    left -= cost(JSON.stringify(relation)) + 1
    return left >= 0 || index === 0
  })
  return {
    expand_capabilities: fitting,
    ...(fitting.length < all.length ? { more_relations: all.length - fitting.length } : {}),
  }
}

function flagsOf({ declaration, scope }: VisibleStream): Record<string, string> {
  const capabilities = Object.entries(fieldCapabilities(declaration, scope.usable))
  return Object.fromEntries(capabilities.map(([name, capability]) => [name, flagString(capability)]))
}
