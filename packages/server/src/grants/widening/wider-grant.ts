import { type Grant, PdppError, type StreamGrant } from '@pdpp/protocol'
import { newId } from '../../lib/ids.ts'
import { resolveSelection, type StreamSelection } from '../selection.ts'
import type { ChosenPart } from './choice.ts'
import type { OfferedPart } from './offer.ts'
import type { WideningSubject } from './subject.ts'

export type Chosen = readonly [OfferedPart, ChosenPart]

/** The grant that replaces another, and a copy of it with only the streams that change. */
export function widened(
  grant: Grant,
  parts: readonly Chosen[],
  since: string | undefined,
  subject: WideningSubject,
): { readonly grant: Grant; readonly changed: Grant } {
  let streams: StreamGrant[] = [...grant.streams]
  for (const [part, chosen] of parts) {
    const before = streams.find(({ name }) => name === part.stream.name)
    const after = before ? grownStream(before, part, chosen, since, subject) : newStream(part, chosen, since)
    streams = before ? streams.map((one) => (one === before ? after : one)) : [...streams, after]
  }
  const wider: Grant = {
    ...grant,
    grant_id: newId('grt'),
    issued_at: new Date().toISOString(),
    source_declaration: { version: parts[0]![0].declaration.declaration_version },
    streams,
  }
  const changed = streams.filter((one) => !grant.streams.includes(one)).map((after) => addedTime(grant, after, parts))
  return { grant: wider, changed: { ...wider, streams: changed } }
}

/** If only the time of a stream grows, the owner should see the added time. */
function addedTime({ streams }: Grant, after: StreamGrant, parts: readonly Chosen[]): StreamGrant {
  const before = streams.find(({ name }) => name === after.name)
  const [only, another] = parts.filter(([{ stream }]) => stream.name === after.name)
  if (!before?.time_constraint || another || only?.[0].kind !== 'time') return after
  const { field, since, until } = before.time_constraint
  return only[0].direction === 'later'
    ? withTime(after, { ...after.time_constraint, field, ...(until === undefined ? {} : { since: until }) })
    : withTime(after, { ...after.time_constraint, field, ...(since === undefined ? {} : { until: since }) })
}

/** A granted stream with more fields, connections or time. Nothing else about it changes. */
function grownStream(
  before: StreamGrant,
  { kind, stream, direction }: OfferedPart,
  { fields, connections }: ChosenPart,
  since: string | undefined,
  { lacks }: WideningSubject,
): StreamGrant {
  if (kind === 'stream') {
    if (connections.length === 0) throw invalid('Choose at least one of the accounts.')
    return { ...before, instance_ids: [...before.instance_ids, ...connections] }
  }
  if (kind === 'field') {
    if (fields.length === 0) throw invalid('Tick at least one field.')
    const wanted = new Set([...before.fields, ...fields])
    const declared = Object.keys((stream.schema['properties'] ?? {}) as object)
    return { ...before, fields: declared.filter((name) => wanted.has(name)) }
  }
  const { field, since: first, until } = before.time_constraint!
  if (direction === 'later') {
    const end = lacks?.kind === 'time' ? lacks.until : undefined
    return withTime(before, {
      field,
      ...(first === undefined ? {} : { since: first }),
      ...(end === undefined ? {} : { until: end }),
    })
  }
  if (since !== undefined && first !== undefined && Date.parse(since) >= Date.parse(first))
    throw invalid(`It already reads ${stream.display?.label ?? stream.name} from that day on.`)
  return withTime(before, {
    field,
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
  })
}

function withTime(
  { time_constraint: _, ...stream }: StreamGrant,
  time: NonNullable<StreamGrant['time_constraint']>,
): StreamGrant {
  return time.since === undefined && time.until === undefined ? stream : { ...stream, time_constraint: time }
}

function newStream(part: OfferedPart, chosen: ChosenPart, since: string | undefined): StreamGrant {
  const connections = requireConnections(part, chosen)
  const [stream] = resolveSelection(part.declaration, { connections, streams: [selectionOf(part, chosen, since)] })
  return stream!
}

export function selectionOf(part: OfferedPart, chosen: ChosenPart, since: string | undefined): StreamSelection {
  const { stream, fields } = part
  const isWhole = chosen.fields.length === fields.length
  return {
    name: stream.name,
    connections: requireConnections(part, chosen),
    ...(isWhole ? {} : { fields: chosen.fields }),
    // A stream without dates cannot be limited in time. The page says so.
    ...(since === undefined || stream.consent_time_field == null ? {} : { since }),
  }
}

function requireConnections({ connections, declaration }: OfferedPart, chosen: ChosenPart): readonly string[] {
  if (connections.length === 0 || chosen.connections.length > 0) return chosen.connections
  throw invalid(`Choose at least one of the accounts of ${declaration.display.name}.`)
}

function invalid(message: string): PdppError {
  return new PdppError('invalid_argument', message)
}
