import {
  declaredFields,
  type LackingAccess,
  parseInstant,
  requiredFields,
  type SourceDeclaration,
  type StreamDeclaration,
  type StreamGrant,
} from '@pdpp/protocol'
import type { Connection } from '../../sources/connections/connection-store.ts'
import { grantedConnections } from '../authority.ts'
import type { StoredGrant } from '../grant-store.ts'
import { type CurrentAccess, isOpen } from './access.ts'

/** One thing that the owner can add: a stream, missing fields of a granted stream, or records of another time. */
export interface OfferedPart {
  readonly kind: LackingAccess['kind']
  /** Identifies the part in the names of form fields. */
  readonly key: string
  readonly declaration: SourceDeclaration
  readonly stream: StreamDeclaration
  /** Connections to choose from. Empty for parts of a granted stream, whose connections do not change. */
  readonly connections: readonly Connection[]
  /** The grant that gets the part; undefined if the part needs a new grant. */
  readonly member: StoredGrant | undefined
  /** The grant of this stream, if there is one. */
  readonly granted: StreamGrant | undefined
  /** Fields that can be added. */
  readonly fields: readonly string[]
  /** Fields that cannot be left out. */
  readonly required: readonly string[]
  /** For another time: before or after the granted time. */
  readonly direction?: 'earlier' | 'later'
  readonly isSensitive: boolean
}

interface Sources {
  readonly declarations: readonly SourceDeclaration[]
  readonly connections: readonly Connection[]
}

/** Everything that could be added to an access, or exactly what it lacks. Without an access: everything. */
export function offerOf(sources: Sources, access: CurrentAccess | undefined, lacks?: LackingAccess): OfferedPart[] {
  const members = access?.members ?? []
  const all = sources.declarations.flatMap((declaration) => {
    const own = sources.connections.filter(({ connectorKey }) => connectorKey === declaration.connector_key)
    return own.length === 0 ? [] : partsOf(declaration, own, members)
  })
  return lacks ? all.filter((part) => isLacking(part, lacks)).map((part) => exactly(part, lacks)) : all
}

/**
 * True if the owner has the missing data, so that there is something to allow. `offer` is everything that could be
 * added.
 */
export const isOffered = (offer: readonly OfferedPart[], lacks: LackingAccess): boolean =>
  offer.some((part) => isLacking(part, lacks))

function partsOf(
  declaration: SourceDeclaration,
  connections: readonly Connection[],
  members: readonly StoredGrant[],
): OfferedPart[] {
  const own = members.filter(({ grant }) => grant.source.connector_key === declaration.connector_key)
  const free = connections.filter(
    ({ connectionId }) => !own.some(({ grant }) => grantedConnections(grant).includes(connectionId)),
  )
  const within = own
    .filter(isOpen)
    .flatMap((member) =>
      declaration.streams.flatMap((stream) => partsInside({ declaration, stream, member, connections })),
    )
  if (free.length === 0) return within
  return [
    ...within,
    ...declaration.streams.map((stream) => newPart({ declaration, stream, member: undefined, connections: free })),
  ]
}

interface Candidate {
  readonly declaration: SourceDeclaration
  readonly stream: StreamDeclaration
  readonly member: StoredGrant | undefined
  readonly connections: readonly Connection[]
}

/** Parts of a source that the access already reads. */
function partsInside(candidate: Candidate & { readonly member: StoredGrant }): OfferedPart[] {
  const { stream, member, connections } = candidate
  const granted = member.grant.streams.find(({ name }) => name === stream.name)
  const reads = grantedConnections(member.grant)
  const here = connections.filter(({ connectionId }) => reads.includes(connectionId))
  if (here.length === 0) return []
  if (!granted) return [newPart({ ...candidate, connections: here })]
  const common = { ...newPart({ ...candidate, connections: [] }), granted }
  const missing = [...declaredFields(stream).keys()].filter((name) => !granted.fields.includes(name))
  const elsewhere = here.filter(({ connectionId }) => !granted.instance_ids.includes(connectionId))
  const part = (kind: OfferedPart['kind'], changes: Partial<OfferedPart>): OfferedPart => ({
    ...common,
    ...{ kind, key: keyOf(kind, candidate, member) },
    ...changes,
  })
  return [
    ...(elsewhere.length === 0 ? [] : [part('stream', { connections: elsewhere, fields: [], required: [] })]),
    ...(missing.length === 0 ? [] : [part('field', { fields: missing, required: [] })]),
    ...(granted.time_constraint?.since === undefined ? [] : [part('time', { fields: [], direction: 'earlier' })]),
    ...(granted.time_constraint?.until === undefined
      ? []
      : [part('time', { key: `${keyOf('time', candidate, member)}+`, fields: [], direction: 'later' })]),
  ]
}

function newPart(candidate: Candidate): OfferedPart {
  const { declaration, stream, member, connections } = candidate
  const fields = [...declaredFields(stream).keys()]
  return {
    kind: 'stream',
    key: keyOf('stream', candidate, member),
    ...{ declaration, stream, connections, member, fields },
    granted: undefined,
    required: stream.selection?.fields === false ? fields : requiredFields(stream),
    isSensitive: declaration.sensitivity === 'sensitive' || stream.sensitivity === 'sensitive',
  }
}

/** Two grants of one source are distinguished by their order, which is the same in every request. */
function keyOf(kind: string, { declaration, stream }: Candidate, member: StoredGrant | undefined): string {
  const suffix = member === undefined ? '' : `/${member.grant.grant_id}`
  return `${kind}/${declaration.connector_key}/${stream.name}${suffix}`
}

function isLacking(
  { kind, stream, declaration, fields, direction, granted }: OfferedPart,
  lacks: LackingAccess,
): boolean {
  if (kind !== lacks.kind || stream.name !== lacks.stream) return false
  if (lacks.kind === 'stream') return true
  if (declaration.connector_key !== lacks.connectorKey) return false
  if (lacks.kind === 'field') return fields.includes(lacks.field)
  return (direction === 'later') === isLater(lacks, granted?.time_constraint?.until)
}

/** True if the requested days are after the granted ones. */
function isLater({ since }: { readonly since?: string }, until: string | undefined): boolean {
  return since !== undefined && until !== undefined && parseInstant(since)! + 86_400_000_000 > parseInstant(until)!
}

const exactly = (part: OfferedPart, lacks: LackingAccess): OfferedPart =>
  lacks.kind === 'field' ? { ...part, fields: [lacks.field] } : part

/** True if these grants already include what was missing. */
export function isGranted(
  lacks: LackingAccess,
  grants: readonly { source: { connector_key: string }; streams: readonly StreamGrant[] }[],
): boolean {
  const streams = grants.flatMap(({ source, streams: own }) =>
    own
      .filter(({ name }) => name === lacks.stream)
      .filter(() => lacks.kind === 'stream' || source.connector_key === lacks.connectorKey),
  )
  return streams.some(({ fields, time_constraint: time }) => {
    if (lacks.kind === 'stream') return true
    if (lacks.kind === 'field') return fields.includes(lacks.field)
    const { since, until } = time ?? {}
    const starts =
      since === undefined || (lacks.since !== undefined && parseInstant(lacks.since)! >= parseInstant(since)!)
    return (
      starts &&
      (until === undefined || (lacks.until !== undefined && parseInstant(lacks.until)! <= parseInstant(until)!))
    )
  })
}
