import { FLAG_LEGEND, flagString, type StreamDeclaration } from '@pdpp/protocol'
import type { Authority, ReadAuthority } from '../grants/authority.ts'
import { usableNames } from '../grants/enforce.ts'
import { sortableFields } from '../records/sort.ts'
import { expandable } from '../relations/relation.ts'
import { fieldCapabilities } from './field-capabilities.ts'
import { boundedValues, type FieldPage, fieldPage, fieldsOn } from './field-page.ts'
import { freshness, totals, type VisibleSource, type VisibleStream } from './schema-service.ts'

const MAX_LABEL = 60

/** Everything about what is in reach: JSON Schemas, capabilities, relations. */
export function fullSchema(authority: Authority, sources: readonly VisibleSource[]) {
  return {
    object: 'schema',
    bearer: bearer(authority),
    connectors: sources.map((source) => ({
      object: 'connector',
      ...memberGrant(authority, source.reader),
      connector_key: source.declaration.connector_key,
      connector_id: source.declaration.connector_key,
      display_name: source.declaration.display.name,
      source: source.declaration.source,
      stream_count: source.streams.length,
      streams: source.streams.map((stream) => ({
        ...fullStream(stream, grantedField(source.reader)),
        granted_connections: connections(source, [stream]),
        ...(stream.frequentValues === undefined ? {} : { ...valuesOf(stream), example: example(authority, stream) }),
      })),
    })),
  }
}

export function fullStream({ declaration, scope, statistics }: VisibleStream, granted: GrantedField) {
  const { count, span } = totals(statistics)
  // Streams outside the grant are not named, also not as the other end of a relation.
  const reachable = (declaration.relationships ?? []).filter((relation) => granted(relation.stream))
  return {
    object: 'stream_metadata',
    name: declaration.name,
    ...(declaration.display?.label === undefined ? {} : { display_name: declaration.display.label }),
    ...(declaration.description === undefined ? {} : { description: declaration.description }),
    semantics: declaration.semantics,
    primary_key: declaration.primary_key,
    cursor_field: declaration.cursor_field ?? null,
    consent_time_field: declaration.consent_time_field ?? null,
    record_count: count,
    ...(span === undefined ? {} : { time_span: span }),
    freshness: freshness(statistics),
    selection: declaration.selection ?? { fields: true, resources: true },
    schema: declaration.schema,
    query: {
      ...declaration.query,
      ...(declaration.query?.expand
        ? {
            expand: declaration.query.expand.filter(({ name }) => reachable.some((relation) => relation.name === name)),
          }
        : {}),
    },
    views: declaration.views ?? [],
    relationships: reachable,
    field_capabilities: fieldCapabilities(declaration, scope.usable),
    expand_capabilities: expandCapabilities(declaration, granted),
  }
}

/** All of it is an index: names and counts. One stream has the flags, the legend and an example too. */
export function compactSchema(
  authority: Authority,
  sources: readonly VisibleSource[],
  detail: { readonly fieldsOffset: number } | undefined,
) {
  const streams = sources.flatMap((source) => source.streams)
  const page = detail && fieldPage(streams.map(flagsOf), detail.fieldsOffset)
  return {
    object: 'schema',
    detail: 'compact',
    bearer: bearer(authority),
    connector_count: sources.length,
    stream_count: streams.length,
    ...(page && (page.from > 0 || page.to < page.total) ? { field_page: fieldPageMembers(page) } : {}),
    ...(page ? { field_capability_legend: FLAG_LEGEND } : {}),
    connectors: sources.map((source) => ({
      ...memberGrant(authority, source.reader),
      ...compactSource(source, page && { authority, page, share: 1 / streams.length }),
    })),
  }
}

/** Only where the fields are more than one answer holds. */
function fieldPageMembers({ from, to, total }: FieldPage) {
  return { from, to, total, next_fields_offset: to < total ? to : null }
}

interface StreamDetail {
  readonly authority: Authority
  readonly page: FieldPage
  /** Of what all streams together may take. */
  readonly share: number
}

function compactSource(source: VisibleSource, detail: StreamDetail | undefined) {
  const granted = grantedField(source.reader)
  const shared = mostCommon(source.streams.map((stream) => JSON.stringify(connections(source, [stream]))))
  return {
    connector_key: source.declaration.connector_key,
    display_name: cut(source.declaration.display.name),
    granted_connections: JSON.parse(shared),
    streams: source.streams.map((stream) => {
      const own = connections(source, [stream])
      return {
        name: stream.declaration.name,
        record_count: totals(stream.statistics).count,
        ...(JSON.stringify(own) === shared ? {} : { granted_connections: own }),
        ...(detail ? compactDetail(stream, granted, detail) : {}),
      }
    }),
  }
}

function compactDetail(stream: VisibleStream, granted: GrantedField, { authority, page, share }: StreamDetail) {
  const { declaration, statistics } = stream
  const { span } = totals(statistics)
  return {
    semantics: declaration.semantics,
    primary_key: declaration.primary_key,
    cursor_field: declaration.cursor_field ?? null,
    consent_time_field: declaration.consent_time_field ?? null,
    ...(span === undefined ? {} : { time_span: span }),
    freshness: freshness(statistics),
    ...(page.from > 0 ? {} : valuesOf(stream, share)),
    field_capabilities: fieldsOn(page, flagsOf(stream)),
    expand_capabilities: expandCapabilities(declaration, granted).map(({ name, target_stream, usable }) => ({
      name,
      target_stream,
      usable,
    })),
    example: example(authority, stream),
  }
}

function flagsOf({ declaration, scope }: VisibleStream): Record<string, string> {
  const capabilities = Object.entries(fieldCapabilities(declaration, scope.usable))
  return Object.fromEntries(capabilities.map(([name, capability]) => [name, flagString(capability)]))
}

/** Whether another stream, or a field of it, is in reach: relations lead there. */
type GrantedField = (stream: string, field?: string) => boolean

export function grantedField(authority: ReadAuthority): GrantedField {
  if (authority.kind === 'owner') return () => true
  const { streams } = authority.grant
  return (stream, field) =>
    streams.some(({ name, fields }) => name === stream && (field === undefined || fields.includes(field)))
}

/** Said of a relation exactly what enforcement will do with it. */
function expandCapabilities(declaration: StreamDeclaration, granted: GrantedField) {
  const reachable = expandable(declaration).filter(({ relation }) => granted(relation.stream))
  return reachable.map(({ relation, defaultLimit, maxLimit }) => {
    const usable = granted(relation.stream, relation.foreign_key)
    return {
      name: relation.name,
      stream: declaration.name,
      target_stream: relation.stream,
      cardinality: relation.cardinality,
      foreign_key: relation.foreign_key,
      granted: true,
      usable,
      default_limit: defaultLimit,
      max_limit: maxLimit,
      ...(usable ? {} : { reason: 'field_not_granted' }),
    }
  })
}

function valuesOf({ frequentValues = {} }: VisibleStream, share = 1) {
  const bounded = boundedValues(frequentValues, share)
  return Object.keys(bounded).length > 0 ? { frequent_values: bounded } : {}
}

/** A read that works as it stands: also for who reads several sources that have such a stream. */
function example(authority: Authority, { declaration, scope }: VisibleStream): string {
  const usable = usableNames(declaration, scope.usable)
  const sort = sortableFields(declaration).find((name) => usable.includes(name))
  const [connection] = scope.connections
  const parameters = {
    limit: '10',
    fields: usable.slice(0, 4),
    ...(sort === undefined ? {} : { sort: `-${sort}` }),
    ...(authority.kind === 'owner' ? { connector_id: scope.connectorKey } : {}),
    ...(authority.kind === 'package' && connection !== undefined ? { connection_id: connection } : {}),
  }
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${[value].flat().map(encodeURIComponent)}`)
  return `GET /v1/streams/${encodeURIComponent(declaration.name)}/records?${query.join('&')}`
}

function connections(source: VisibleSource, streams: readonly VisibleStream[]) {
  const ids = new Set(streams.flatMap(({ scope }) => scope.connections))
  return source.named
    .filter(({ connectionId }) => ids.has(connectionId))
    .map(({ connectionId, displayName }) => ({
      connection_id: connectionId,
      ...(displayName === undefined ? {} : { display_name: cut(displayName) }),
    }))
}

/** In a package each entry says whose it is: two members may read the same source differently. */
export function memberGrant(authority: Authority, reader: ReadAuthority): { grant_id?: string } {
  return authority.kind === 'package' && reader.kind === 'client' ? { grant_id: reader.grant.grant_id } : {}
}

export function bearer(authority: Authority) {
  if (authority.kind === 'owner') return { token_kind: 'owner', scope: 'owner' }
  if (authority.kind === 'package') {
    const { packageId, clientId, members, unusable } = authority
    return {
      token_kind: 'mcp_package',
      scope: 'package',
      package_id: packageId,
      client_id: clientId,
      member_count: members.length + unusable.length,
      usable_member_count: members.length,
    }
  }
  return { token_kind: 'client', scope: 'grant', grant_id: authority.grant.grant_id, client_id: authority.clientId }
}

function mostCommon(texts: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? '[]'
}

/** Labels are cut where it can be seen. */
function cut(text: string): string {
  const chars = [...text]
  return chars.length > MAX_LABEL ? `${chars.slice(0, MAX_LABEL - 1).join('')}…` : text
}
