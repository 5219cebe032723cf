import {
  type Grant,
  narrowStream,
  PdppError,
  parseInstant,
  requiredFields,
  type SourceDeclaration,
  type StreamGrant,
} from '@pdpp/protocol'
import { checkResources, requireDivisible } from './selection.ts'

/** The part of a grant to keep. An absent member leaves that part of the grant unchanged. */
export interface GrantNarrowing {
  readonly connections?: readonly string[] | undefined
  readonly streams?: readonly { readonly name: string; readonly fields?: readonly string[] | undefined }[] | undefined
  /** Applies to every stream that does not name its own fields. */
  readonly fields?: readonly string[] | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly resources?: readonly string[] | undefined
  readonly expiresAt?: string | undefined
}

/** The streams and the expiry of a smaller grant. Throws if the narrowing names anything that the grant lacks. */
export function narrowGrant(
  grant: Grant,
  declaration: SourceDeclaration,
  by: GrantNarrowing,
): Pick<Grant, 'streams' | 'expires_at'> {
  const kept: NonNullable<GrantNarrowing['streams']> = by.streams ?? grant.streams.map(({ name }) => ({ name }))
  const streams = kept.map((choice) => {
    const granted = grant.streams.find(({ name }) => name === choice.name)
    if (!granted) throw wider('streams', `a stream "${choice.name}"`)
    return narrowOne(granted, declaration, { ...by, fields: choice.fields ?? by.fields })
  })
  if (new Set(kept.map(({ name }) => name)).size < kept.length) throw invalid('streams', 'A stream is named twice.')
  const expires_at = narrowEnd(grant, by.expiresAt)
  const same = JSON.stringify(streams) === JSON.stringify(grant.streams) && expires_at === grant.expires_at
  if (same) throw invalid('body', 'This does not change the grant: leave something out.')
  return { streams, expires_at }
}

function narrowOne(granted: StreamGrant, declaration: SourceDeclaration, by: GrantNarrowing): StreamGrant {
  const stream = declaration.streams.find(({ name }) => name === granted.name)
  requireWithin('connections', by.connections, granted.instance_ids, granted.name)
  requireWithin('fields', by.fields, granted.fields, granted.name)
  requireWithin('resources', by.resources, granted.resources, granted.name)
  checkResources(by.resources)
  for (const param of ['since', 'until'] as const) requireTime(param, by[param])
  const required = stream ? requiredFields(stream).filter((name) => granted.fields.includes(name)) : []
  const { connections, fields, since, until, resources } = by
  const narrowing = { connections, fields: fields && [...fields, ...required], since, until, resources }
  const narrowed = narrowStream(granted, narrowing, stream?.consent_time_field ?? undefined)
  if (!narrowed)
    throw invalid('streams', `Nothing would be left of the stream "${granted.name}"; leave it out instead.`)
  if (stream) {
    const fewer = narrowed.fields.length < granted.fields.length
    requireDivisible(stream, { fields: fewer, resources: resources !== undefined })
  }
  const { time_constraint: time } = narrowed
  // narrowStream keeps the tighter bound. If the result is not the requested bound, the request was wider than the
  // grant.
  if (differs(since, time?.since)) throw wider('since', `records of "${granted.name}" before ${time?.since}`)
  if (differs(until, time?.until)) throw wider('until', `records of "${granted.name}" from ${time?.until} on`)
  return narrowed
}

function differs(requested: string | undefined, result: string | undefined): boolean {
  return (
    requested !== undefined && parseInstant(requested) !== (result === undefined ? undefined : parseInstant(result))
  )
}

function narrowEnd({ expires_at: end }: Grant, requested: string | undefined): string | null {
  if (requested === undefined) return end
  const at = Date.parse(requested)
  if (Number.isNaN(at) || at <= Date.now()) throw invalid('expires_at', 'expires_at must be a time in the future.')
  if (end !== null && at > Date.parse(end)) throw wider('expires_at', `anything after ${end}`)
  return new Date(at).toISOString()
}

function requireWithin(
  param: string,
  requested: readonly string[] | undefined,
  granted: readonly string[] | undefined,
  stream: string,
): void {
  const outside = granted && requested?.find((name) => !granted.includes(name))
  if (outside !== undefined) throw wider(param, `"${outside.slice(0, 80)}" in the ${param} of "${stream}"`)
}

function requireTime(param: string, text: string | undefined): void {
  if (text === undefined || parseInstant(text) !== undefined) return
  throw invalid(param, `${param} must be a date or an RFC 3339 date-time, such as 2026-01-31 or 2026-01-31T08:00:00Z.`)
}

function wider(param: string, what: string): PdppError {
  return new PdppError('invalid_argument', `The grant does not include ${what}; narrowing can only leave things out.`, {
    param,
    nextStep: 'Name only what the grant has, or create another grant for more.',
  })
}

function invalid(param: string, message: string): PdppError {
  return new PdppError('invalid_argument', message, { param })
}
