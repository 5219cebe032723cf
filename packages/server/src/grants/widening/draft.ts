import { hash } from 'node:crypto'
import { type Grant, PdppError, type StreamGrant } from '@pdpp/protocol'
import { newId } from '../../lib/ids.ts'
import { grantedConnections } from '../authority.ts'
import type { GrantRequest, GrantService } from '../grant-service.ts'
import { MAX_MEMBERS } from '../packages/package-service.ts'
import { resolveSelection, type StreamSelection } from '../selection.ts'
import { endOf } from './access.ts'
import { type ChosenPart, instantOf, sinceOf, type WideningChoice } from './choice.ts'
import type { OfferedPart } from './offer.ts'
import type { WideningSubject } from './subject.ts'

/** The changes that an approval would make. */
export interface WideningDraft {
  readonly replaced: readonly { readonly grantId: string; readonly grant: Grant }[]
  /** Grants for further sources, with the requests that they are made from. */
  readonly added: readonly { readonly request: GrantRequest; readonly grant: Grant }[]
  /** For each grant that is new or replaced, the streams that change, as they would be afterwards. */
  readonly changed: readonly Grant[]
  readonly becomesPackage: boolean
  /** Why it cannot be approved, as text for the owner. */
  readonly problems: readonly string[]
  /** Hash of everything that an approval would do. */
  readonly digest: string
}

type Chosen = readonly [OfferedPart, ChosenPart]

/** Resolves a choice into the grants that an approval would make, without making them. */
export async function draftWidening(
  grants: Pick<GrantService, 'draft'>,
  subjectId: string,
  subject: WideningSubject,
  choice: WideningChoice,
): Promise<WideningDraft> {
  const { access, offer } = subject
  const problems: string[] = []
  const chosen = offer.flatMap((part): Chosen[] => {
    const found = choice.parts.get(part.key)
    return found ? [[part, found]] : []
  })
  if (chosen.length === 0) problems.push('Tick at least one thing.')
  const since = sinceOf(choice.reach, access, subject.lacks)
  const attempt = async <T>(work: () => T | Promise<T>): Promise<T[]> => {
    try {
      return [await work()]
    } catch (error) {
      if (!(error instanceof PdppError)) throw error
      problems.push(error.message)
      return []
    }
  }
  const inside = Map.groupBy(
    chosen.filter(([{ member }]) => member),
    ([{ member }]) => member!,
  )
  const replaced = (
    await Promise.all(
      [...inside].map(([{ grant }, parts]) =>
        attempt(() => ({ grantId: grant.grant_id, ...widened(grant, parts, since, subject) })),
      ),
    )
  ).flat()
  const outside = Map.groupBy(
    chosen.filter(([{ member }]) => !member),
    ([{ declaration }]) => declaration.connector_key,
  )
  const added = (
    await Promise.all(
      [...outside.values()].map((parts) =>
        attempt(async () => {
          const request = requestOf(subject, parts, since, choice)
          return { request, grant: await grants.draft(subjectId, request) }
        }),
      ),
    )
  ).flat()
  const members = (access?.members.length ?? 0) + added.length
  if (members > MAX_MEMBERS) problems.push(`An access can have at most ${MAX_MEMBERS} sources.`)
  const changed = [...replaced.map((one) => one.changed), ...added.map(({ grant }) => grant)]
  return {
    replaced: replaced.map(({ grantId, grant }) => ({ grantId, grant })),
    added,
    changed,
    becomesPackage: access?.kind === 'grant' && added.length > 0,
    problems,
    digest: digestOf(subject, replaced, added, choice),
  }
}

/** The grant that replaces one, and the same with nothing but the streams that change. */
function widened(
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
  return { grant: wider, changed: { ...wider, streams: streams.filter((one) => !grant.streams.includes(one)) } }
}

/** A granted stream with more fields, connections or time. Everything else about it stays. */
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

function selectionOf(part: OfferedPart, chosen: ChosenPart, since: string | undefined): StreamSelection {
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

/** A grant for a source that the access does not read yet, with the purpose and the promises of the access. */
function requestOf(
  { access, client, purpose }: WideningSubject,
  parts: readonly Chosen[],
  since: string | undefined,
  { end }: WideningChoice,
): GrantRequest {
  const ends = [access && endOf(access), timeOf(instantOf(end))].filter((one) => one !== undefined).sort()
  const streams = parts.map(([part, chosen]) => selectionOf(part, chosen, since))
  return {
    clientId: client.id,
    clientName: client.name,
    ...purpose,
    singleUse: access?.members[0]?.grant.access_mode === 'single_use',
    expiresAt: ends[0],
    connections: [...new Set(streams.flatMap(({ connections }) => connections ?? []))],
    streams,
  }
}

const timeOf = (at: number | undefined): string | undefined =>
  at === undefined ? undefined : new Date(at).toISOString()

function digestOf(
  { access, client, lacks, offer }: WideningSubject,
  replaced: readonly { readonly grantId: string; readonly grant: Grant }[],
  added: WideningDraft['added'],
  { end }: WideningChoice,
): string {
  const had = access?.members.map(({ grant }) => [grant.grant_id, grant.source.connector_key])
  const facts = (grant: Grant) => [
    ...[grant.source, grant.purpose_code, grant.purpose_description, grant.access_mode, grant.retention, grant.streams],
    grantedConnections(grant),
  ]
  const offered = offer.map(({ key, connections, fields }) => [
    key,
    connections.map(({ displayName }) => displayName),
    fields,
  ])
  // The exact end moves on until the owner decides, so the choice counts.
  const terms = [end, access && endOf(access)]
  const all = [
    access?.id,
    had,
    client.id,
    lacks,
    terms,
    offered,
    replaced.map((one) => [one.grantId, facts(one.grant)]),
    added.map(({ grant }) => facts(grant)),
  ]
  return hash('sha256', JSON.stringify(all), 'base64url')
}

function invalid(message: string): PdppError {
  return new PdppError('invalid_argument', message)
}
