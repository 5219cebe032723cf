import {
  declaredFields,
  type Grant,
  PdppError,
  parseInstant,
  type SourceDeclaration,
  type StreamDeclaration,
  type StreamGrant,
} from '@pdpp/protocol'
import { nearestNames } from '../lib/nearest-names.ts'
import type { DeclaredSource } from '../sources/declarations/source-service.ts'
import { accessIdOf, type ReadAuthority } from './authority.ts'
import { type FieldSet, includesField, type ReadScope, type TimeRange } from './read-scope.ts'

/** What a request asks for; it can only narrow. */
export interface ReadRequest {
  readonly connectionId?: string | undefined
  readonly fields?: readonly string[] | undefined
  readonly view?: string | undefined
}

/**
 * The one decision: grant + declaration + request → what may be read, or a refusal. Pure. Every surface comes
 * through here, and every store takes the result as an argument.
 */
export function enforce(
  authority: ReadAuthority,
  source: DeclaredSource,
  streamName: string,
  request: ReadRequest = {},
): ReadScope {
  const granted =
    authority.kind === 'owner' ? undefined : requireGranted(grantedStreams(authority.grant, source), streamName)
  const stream = source.declaration.streams.find((candidate) => candidate.name === streamName)
  if (!stream) throw new PdppError('not_found', `There is no stream "${streamName}".`, { param: 'stream' })
  const usable: FieldSet = granted ? stillDeclared(granted.fields, stream) : 'all'
  const scope = {
    subjectId: authority.subjectId,
    accessId: accessIdOf(authority),
    connectorKey: source.declaration.connector_key,
    stream,
    connections: chooseConnections(granted, source.connections, request.connectionId),
    chosenConnection: request.connectionId,
    usable,
    time: timeRange(granted),
    projection: project(stream, usable, request),
    resources: granted?.resources,
  }
  return scope as unknown as ReadScope
}

/** Streams that this authority may see at all, in the declaration's order. */
export function visibleStreams(authority: ReadAuthority, declaration: SourceDeclaration): StreamDeclaration[] {
  if (authority.kind === 'owner') return declaration.streams
  if (authority.grant.source.connector_key !== declaration.connector_key) return []
  const granted = new Set(authority.grant.streams.map((stream) => stream.name))
  return declaration.streams.filter((stream) => granted.has(stream.name))
}

/** A field that a filter, sort, group, search or window names: unknown and ungranted are different refusals. */
export function requireUsable(scope: Pick<ReadScope, 'stream' | 'usable'>, name: string, param: string): string {
  const declared = declaredFields(scope.stream)
  const choices = usableNames(scope.stream, scope.usable)
  if (!declared.has(name)) {
    throw new PdppError(
      'unknown_field',
      `The stream "${scope.stream.name}" has no field "${shorten(name)}". Fields you can use: ${list(choices)}.`,
      { param },
    )
  }
  if (!includesField(scope.usable, name)) {
    throw new PdppError(
      'field_not_granted',
      `The field "${name}" of "${scope.stream.name}" is outside the grant. Fields you can use: ${list(choices)}.`,
      { param },
    )
  }
  return name
}

export function usableNames(stream: StreamDeclaration, usable: FieldSet): string[] {
  return [...declaredFields(stream).keys()].filter((name) => includesField(usable, name))
}

/** A grant reads one source; of any other it grants nothing. */
function grantedStreams({ source, streams }: Grant, { declaration }: DeclaredSource): readonly StreamGrant[] {
  return source.connector_key === declaration.connector_key ? streams : []
}

function requireGranted(streams: readonly StreamGrant[], name: string): StreamGrant {
  const granted = streams.find((stream) => stream.name === name)
  if (granted) return granted
  throw streamNotGranted(
    name,
    streams.map((stream) => stream.name),
    'stream',
  )
}

/** The same answer whether or not such a stream exists. */
export function streamNotGranted(name: string, granted: readonly string[], param: string): PdppError {
  return new PdppError(
    'grant_stream_not_allowed',
    `The grant does not include a stream "${shorten(name)}".${nearest(name, granted)} It includes: ${list(granted)}.`,
    { param },
  )
}

const MAX_NAMED = 12

/** The caller has the stream, but not in the connection that was named. */
export function streamElsewhere(stream: string, connections: readonly string[]): PdppError {
  const named = connections.slice(0, MAX_NAMED).join(', ')
  const more = connections.length > MAX_NAMED ? ` and ${connections.length - MAX_NAMED} more` : ''
  const message = `The connection that was named has no stream "${shorten(stream)}". It is in: ${named}${more}.`
  return new PdppError('grant_stream_not_allowed', message, {
    param: 'stream',
    reason: 'other_connection',
  })
}

/** Known names that were probably meant. */
export function nearest(name: string, known: readonly string[]): string {
  const near = nearestNames(name, known)
  return near.length === 0 ? '' : ` Nearest: ${near.join(', ')}.`
}

function stillDeclared(fields: readonly string[], stream: StreamDeclaration): string[] {
  const declared = declaredFields(stream)
  return fields.filter((name) => declared.has(name))
}

/** A foreign and an unknown connection get the same answer. */
function chooseConnections(
  granted: StreamGrant | undefined,
  existing: readonly string[],
  asked: string | undefined,
): string[] {
  const allowed = granted ? existing.filter((id) => granted.instance_ids.includes(id)) : [...existing]
  if (asked === undefined) return allowed
  if (allowed.includes(asked)) return [asked]
  throw new PdppError('connection_not_found', 'There is no such connection for this token.', { param: 'connection_id' })
}

function timeRange(granted: StreamGrant | undefined): TimeRange | undefined {
  const constraint = granted?.time_constraint
  if (!constraint) return
  const instant = (text: string | undefined) => (text === undefined ? undefined : (parseInstant(text) ?? Number.NaN))
  return { field: constraint.field, since: instant(constraint.since), until: instant(constraint.until) }
}

function project(stream: StreamDeclaration, usable: FieldSet, { fields, view }: ReadRequest): FieldSet {
  if (fields && view !== undefined)
    throw new PdppError('invalid_argument', 'Give fields or a view, not both.', { param: 'view' })
  const asked = view === undefined ? fields : viewFields(stream, view)
  if (!asked) return usable
  const param = view === undefined ? 'fields' : 'view'
  return [...new Set(asked)].map((name) => requireUsable({ stream, usable }, name, param))
}

function viewFields(stream: StreamDeclaration, id: string): string[] {
  const view = stream.views?.find((candidate) => candidate.id === id)
  if (view) return view.fields
  const known = (stream.views ?? []).map((candidate) => candidate.id)
  throw new PdppError('invalid_argument', `"${stream.name}" has no view "${shorten(id)}". Views: ${list(known)}.`, {
    param: 'view',
  })
}

function list(names: readonly string[]): string {
  if (names.length === 0) return '(none)'
  return names.length > 40 ? `${names.slice(0, 40).join(', ')} and ${names.length - 40} more` : names.join(', ')
}

const shorten = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text)
