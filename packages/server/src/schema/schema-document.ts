import { schemaPart } from '@pdpp/protocol'
import type { Authority, ReadAuthority } from '../grants/authority.ts'
import { expandCapabilities } from '../records/expand/relation.ts'
import { fieldCapabilities } from './field-capabilities.ts'
import { connectionsOf } from './granted-connections.ts'
import { freshness, type SchemaSource, totals, type VisibleStream } from './schema-service.ts'
import { example, valuesOf } from './stream-hints.ts'

/** Max. bytes of one stream's description in an answer for a model. Text and structured output have the same limit. */
const PART_BYTES = 32_000

/** The full schema of one stream of one connection, some of its fields at a time (000.5.6). */
export function fullSchemaPart(authority: Authority, sources: readonly SchemaSource[], fieldsOffset: number) {
  const { connectors, ...document } = fullSchema(authority, sources)
  const [connector] = connectors
  const whole = connector?.streams[0]
  if (!connector || !whole) return { ...document, connectors }
  const { row, part } = schemaPart(whole, fieldsOffset, PART_BYTES)
  const all = part.from === 0 && part.next_fields_offset === null
  return {
    ...document,
    detail: 'full',
    ...(all ? {} : { field_page: part }),
    connectors: [{ ...connector, streams: [row] }],
  }
}

/** Describes everything that the token can read: JSON Schemas, capabilities, relations. */
export function fullSchema(authority: Authority, sources: readonly SchemaSource[]) {
  return {
    object: 'schema',
    bearer: bearer(authority),
    connectors: sources.map((source) => ({
      object: 'connector',
      ...memberGrant(authority, source.authority),
      connector_key: source.declaration.connector_key,
      connector_id: source.declaration.connector_key,
      display_name: source.declaration.display.name,
      source: source.declaration.source,
      stream_count: source.streams.length,
      streams: source.streams.map((stream) => ({
        ...fullStream(stream, grantedField(source.authority)),
        granted_connections: connectionsOf(source, stream),
        ...(stream.frequentValues === undefined ? {} : { ...valuesOf(stream), example: example(authority, stream) }),
      })),
    })),
  }
}

export function fullStream({ declaration, scope, statistics }: VisibleStream, granted: GrantedField) {
  const { count, span } = totals(statistics)
  // Do not name streams outside the grant, not even as the target of a relation.
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

/** True if another stream, or a field of it, is granted. Used for relations. */
export type GrantedField = (stream: string, field?: string) => boolean

export function grantedField(authority: ReadAuthority): GrantedField {
  if (authority.kind === 'owner') return () => true
  const { streams } = authority.grant
  return (stream, field) =>
    streams.some(({ name, fields }) => name === stream && (field === undefined || fields.includes(field)))
}

/** In a package each entry names its grant, because two members may read the same source differently. */
export function memberGrant(authority: Authority, member: ReadAuthority): { grant_id?: string } {
  return authority.kind === 'package' && member.kind === 'client' ? { grant_id: member.grant.grant_id } : {}
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
