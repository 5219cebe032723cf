import {
  declaredFields,
  GRANT_RESOURCES,
  isCanonicalKey,
  PdppError,
  parseInstant,
  requiredFields,
  type SourceDeclaration,
  type StreamDeclaration,
  type StreamGrant,
} from '@pdpp/protocol'

/** One chosen stream. Its members override those of the whole GrantSelection. */
export interface StreamSelection {
  readonly name: string
  readonly fields?: readonly string[] | undefined
  readonly view?: string | undefined
  readonly connections?: readonly string[] | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly resources?: readonly string[] | undefined
}

/** An owner's choice of what to grant, before it is resolved. Absent members mean "all". */
export interface GrantSelection {
  readonly connections: readonly string[]
  readonly streams?: readonly StreamSelection[] | undefined
  /** Applies to every stream that does not name its own fields. */
  readonly fields?: readonly string[] | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly resources?: readonly string[] | undefined
}

/** Resolves a choice to the streams and fields declared now, so that later declarations cannot widen the grant. */
export function resolveSelection(source: SourceDeclaration, selection: GrantSelection): StreamGrant[] {
  if (selection.connections.length === 0) throw invalid('connections', 'Name at least one connection.')
  const chosen = selection.streams ?? source.streams.map(({ name }) => ({ name }))
  if (chosen.length === 0) throw invalid('streams', 'Name at least one stream, or leave streams out for all.')
  const names = chosen.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw invalid('streams', `The stream "${twice}" is named twice.`)
  return chosen.map((choice) => resolveStream(source, choice, selection))
}

function resolveStream(source: SourceDeclaration, choice: StreamSelection, all: GrantSelection): StreamGrant {
  const own = { connections: choice.connections, since: choice.since, until: choice.until, resources: choice.resources }
  const selection = { ...all, ...Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)) }
  const foreign = selection.connections.find((id) => !all.connections.includes(id))
  if (foreign !== undefined) throw invalid('streams', `"${foreign}" is not among the connections of the grant.`)
  if (selection.connections.length === 0) throw invalid('streams', `Name a connection for "${choice.name}".`)
  checkTimes(selection)
  checkResources(selection.resources)
  const stream = source.streams.find((candidate) => candidate.name === choice.name)
  if (!stream) {
    const known = source.streams.map(({ name }) => name).join(', ')
    throw invalid('streams', `"${source.connector_key}" has no stream "${choice.name}". It has: ${known}.`)
  }
  if (choice.fields && choice.view !== undefined) throw invalid('streams', 'Give fields or a view, not both.')
  const limited = selection.since !== undefined || selection.until !== undefined
  if (limited && stream.consent_time_field == null) {
    const timed = source.streams.filter((candidate) => candidate.consent_time_field != null).map(({ name }) => name)
    throw new PdppError(
      'invalid_argument',
      `The stream "${stream.name}" has no time field, so it cannot be limited by time.`,
      {
        param: 'since',
        nextStep: `Name only streams that have one (${timed.join(', ') || 'none here'}), or leave out since and until.`,
      },
    )
  }
  const fields = resolveFields(stream, choice.fields ?? viewOf(stream, choice.view) ?? selection.fields)
  requireDivisible(stream, { fields: fields.length < declaredFields(stream).size, resources: !!selection.resources })
  return {
    name: stream.name,
    instance_ids: [...new Set(selection.connections)],
    fields,
    ...(limited ? { time_constraint: { field: stream.consent_time_field!, ...bounds(selection) } } : {}),
    ...(selection.resources ? { resources: [...new Set(selection.resources)] } : {}),
  }
}

/** A source may forbid granting a part of a stream's fields, or single records of it (`selection`, point 17). */
export function requireDivisible(
  { name, selection }: StreamDeclaration,
  parts: { readonly fields: boolean; readonly resources: boolean },
): void {
  if (parts.fields && selection?.fields === false) {
    throw new PdppError('invalid_argument', `The source allows access to "${name}" only with all its fields.`, {
      param: 'fields',
      nextStep: `Name no fields and no view for "${name}", or leave the stream out.`,
    })
  }
  if (parts.resources && selection?.resources === false) {
    throw new PdppError('invalid_argument', `The source does not allow access to single records of "${name}".`, {
      param: 'resources',
      nextStep: `Name no records for "${name}", limit it by time instead, or leave the stream out.`,
    })
  }
}

/** The chosen fields plus the required ones, in the declaration's order. */
function resolveFields(stream: StreamDeclaration, chosen: readonly string[] | undefined): string[] {
  const declared = [...declaredFields(stream).keys()]
  if (!chosen) return declared
  const unknown = chosen.find((name) => !declared.includes(name))
  if (unknown !== undefined) {
    throw new PdppError(
      'unknown_field',
      `The stream "${stream.name}" has no field "${unknown}". It has: ${declared.join(', ')}.`,
      { param: 'fields' },
    )
  }
  const wanted = new Set([...chosen, ...requiredFields(stream)])
  return declared.filter((name) => wanted.has(name))
}

function viewOf(stream: StreamDeclaration, id: string | undefined): readonly string[] | undefined {
  if (id === undefined) return
  const view = stream.views?.find((candidate) => candidate.id === id)
  if (view) return view.fields
  throw invalid('view', `"${stream.name}" has no view "${id}".`)
}

export function checkTimes({ since, until }: Pick<GrantSelection, 'since' | 'until'>): void {
  for (const [param, text] of [
    ['since', since],
    ['until', until],
  ] as const) {
    if (text !== undefined && parseInstant(text) === undefined) {
      throw invalid(
        param,
        `${param} must be a date or an RFC 3339 date-time, such as 2026-01-31 or 2026-01-31T08:00:00Z.`,
      )
    }
  }
  if (since !== undefined && until !== undefined && parseInstant(since)! >= parseInstant(until)!) {
    throw invalid('until', 'until must be later than since.')
  }
}

export function checkResources(resources: readonly string[] | undefined): void {
  if (resources === undefined) return
  if (resources.length === 0 || resources.length > GRANT_RESOURCES)
    throw invalid('resources', `Name 1 to ${GRANT_RESOURCES} records.`)
  const bad = resources.find((key) => !isCanonicalKey(key))
  if (bad !== undefined) throw invalid('resources', `"${bad.slice(0, 80)}" is not a record key.`)
}

function bounds({ since, until }: Pick<GrantSelection, 'since' | 'until'>): { since?: string; until?: string } {
  return { ...(since === undefined ? {} : { since }), ...(until === undefined ? {} : { until }) }
}

function invalid(param: string, message: string): PdppError {
  return new PdppError('invalid_argument', message, { param })
}
