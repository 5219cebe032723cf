import type { Grant, SourceDeclaration, StreamDeclaration, StreamGrant } from '@pdpp/protocol'
import { declaredFields, PdppError, parseInstant } from '@pdpp/protocol/reading'
import { nearestNames } from '../lib/nearest-names.ts'
import type { DeclaredSource } from '../sources/declarations/source-service.ts'
import { accessIdOf, type ReadAuthority } from './authority.ts'
import { type FieldSet, includesField, type ReadScope, type TimeRange } from './read-scope.ts'

/** The part of the granted data that a request asks for. It can only narrow the grant. */
export interface ReadRequest {
  readonly connectionId?: string | undefined
  readonly fields?: readonly string[] | undefined
  readonly view?: string | undefined
}

/**
 * Decides what a request may read: grant + declaration + request → ReadScope, or a refusal. A pure function. Every
 * surface calls it, and every read of a store needs its result.
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
    projection: project({ stream, usable, connectorKey: source.declaration.connector_key }, request),
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

/**
 * Checks a field that a filter, sort, group, search or window names. The error distinguishes unknown from ungranted
 * fields.
 */
export function requireUsable(
  scope: Pick<ReadScope, 'stream' | 'usable' | 'connectorKey'>,
  name: string,
  param: string,
): string {
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
      { param, lacks: { kind: 'field', connectorKey: scope.connectorKey, stream: scope.stream.name, field: name } },
    )
  }
  return name
}

export function usableNames(stream: StreamDeclaration, usable: FieldSet): string[] {
  return [...declaredFields(stream).keys()].filter((name) => includesField(usable, name))
}

/** The granted streams of this source. Empty if the grant is for another source. */
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

/** The error must not reveal whether such a stream exists. */
export function streamNotGranted(name: string, granted: readonly string[], param: string): PdppError {
  return new PdppError(
    'grant_stream_not_allowed',
    `The grant does not include a stream "${shorten(name)}".${nearest(name, granted)} It includes: ${list(granted)}.`,
    { param, lacks: { kind: 'stream', stream: name } },
  )
}

const MAX_NAMED = 12

/** The error if the stream is granted, but in other connections than the requested one. */
export function streamElsewhere(stream: string, connections: readonly string[]): PdppError {
  const named = connections.slice(0, MAX_NAMED).join(', ')
  const more = connections.length > MAX_NAMED ? ` and ${connections.length - MAX_NAMED} more` : ''
  const message = `The connection that was named has no stream "${shorten(stream)}". It is in: ${named}${more}.`
  return new PdppError('grant_stream_not_allowed', message, {
    param: 'stream',
    reason: 'other_connection',
    lacks: { kind: 'stream', stream },
  })
}

/** A sentence that suggests similar names; empty if there are none. */
export function nearest(name: string, known: readonly string[]): string {
  const near = nearestNames(name, known)
  return near.length === 0 ? '' : ` Nearest: ${near.join(', ')}.`
}

/** The granted fields that the current declaration still has. */
function stillDeclared(fields: readonly string[], stream: StreamDeclaration): string[] {
  const declared = declaredFields(stream)
  return fields.filter((name) => declared.has(name))
}

/** Connections outside the grant and unknown ones get the same error, so that it does not reveal which exist. */
function chooseConnections(
  granted: StreamGrant | undefined,
  existing: readonly string[],
  requested: string | undefined,
): string[] {
  const allowed = granted ? existing.filter((id) => granted.instance_ids.includes(id)) : [...existing]
  if (requested === undefined) return allowed
  if (allowed.includes(requested)) return [requested]
  throw new PdppError('connection_not_found', 'There is no such connection for this token.', { param: 'connection_id' })
}

function timeRange(granted: StreamGrant | undefined): TimeRange | undefined {
  const constraint = granted?.time_constraint
  if (!constraint) return
  const instant = (text: string | undefined) => (text === undefined ? undefined : (parseInstant(text) ?? Number.NaN))
  return { field: constraint.field, since: instant(constraint.since), until: instant(constraint.until) }
}

function project(
  scope: Pick<ReadScope, 'stream' | 'usable' | 'connectorKey'>,
  { fields, view }: ReadRequest,
): FieldSet {
  const { stream, usable } = scope
  if (fields && view !== undefined)
    throw new PdppError('invalid_argument', 'Give fields or a view, not both.', { param: 'view' })
  const requested = view === undefined ? fields : viewFields(stream, view)
  if (!requested) return usable
  const param = view === undefined ? 'fields' : 'view'
  return [...new Set(requested)].map((name) => requireUsable(scope, name, param))
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

/**
 * The form in which a scope is sent to another thread. It omits declarations, because they are large and every thread
 * can read them itself.
 */
export type SentScope = Omit<ReadScope, 'stream' | symbol> & { readonly streamName: string }

export function sentScope({ stream, ...others }: ReadScope): SentScope {
  return { ...others, streamName: stream.name }
}

/** Restores a scope in another thread. If its stream is no longer declared, nothing can be read. */
export function receivedScope(
  { streamName, ...others }: SentScope,
  declared: StreamDeclaration | undefined,
): ReadScope {
  if (declared) return { ...others, stream: declared } as ReadScope
  return { ...others, connections: [], stream: { name: streamName } as StreamDeclaration } as unknown as ReadScope
}
