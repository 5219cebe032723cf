import { declaredFields, PdppError, type Retention, type SourceDeclaration } from '@pdpp/protocol'
import { type GrantSelection, resolveSelection, type StreamSelection } from '../../grants/selection.ts'
import type { ConnectionStore } from '../../sources/connections/connection-store.ts'
import type { SourceStore } from '../../sources/declarations/source-store.ts'
import type { Detail } from './authorization-details.ts'

/** The part of a client's request to one source that exists here, resolved against the current declaration. */
export interface RequestedAccess {
  readonly declaration: SourceDeclaration
  readonly selection: GrantSelection
  readonly purposeCode: string
  readonly purposeDescription: string | undefined
  readonly singleUse: boolean
  readonly retention: Retention | undefined
  readonly commitments: readonly string[]
}

export interface ResolvedDetails {
  readonly requested: readonly RequestedAccess[]
  /** Requested items that do not exist here, as text for the owner only. */
  readonly missing: readonly string[]
}

/**
 * Finds the parts of a request that exist here. For the owner's page only: clients must not learn what is missing
 * (point 35).
 */
export async function resolveDetails(
  stores: { readonly sources: SourceStore; readonly connections: ConnectionStore },
  subjectId: string,
  details: readonly Detail[],
): Promise<ResolvedDetails> {
  const declared = await stores.sources.list(subjectId)
  const requested: RequestedAccess[] = []
  const missing: string[] = []
  for (const detail of details) {
    const declaration = declared.find(({ source }) => source.id === detail.source.id)
    const known = declaration && (detail.source.kind ?? declaration.source.kind) === declaration.source.kind
    const available = known ? await connectionIds(stores, subjectId, declaration) : []
    if (!known || available.length === 0) {
      missing.push(`The source ${detail.source.id}`)
      continue
    }
    const note = (text: string) => missing.push(`${declaration.display.name}: ${text}`)
    const streams = streamsOf(detail, declaration, note).flatMap((stream) => {
      const found = availablePart(declaration, available, stream, note)
      return found ? [found] : []
    })
    if (streams.length > 0) requested.push(accessOf(detail, declaration, available, streams))
  }
  return { requested, missing }
}

async function connectionIds(
  stores: { readonly connections: ConnectionStore },
  subjectId: string,
  { connector_key: key }: SourceDeclaration,
): Promise<string[]> {
  return (await stores.connections.list(subjectId, key)).map(({ connectionId }) => connectionId)
}

/** Expands wildcards and presets to the streams that they mean today. */
function streamsOf(
  detail: Detail,
  declaration: SourceDeclaration,
  note: (missing: string) => void,
): readonly StreamSelection[] {
  if (detail.selection_preset !== undefined) {
    const preset = declaration.selection_presets?.find(({ id }) => id === detail.selection_preset)
    if (!preset) note(`the preset "${detail.selection_preset}"`)
    return preset?.streams ?? []
  }
  const asked = detail.streams!
  const all = asked.find(({ name }) => name === '*')
  const entries = all ? declaration.streams.map(({ name }) => ({ ...all, name })) : asked
  return entries.map(({ name, fields, view, instance_ids: connections, time_range: range, resources }) => ({
    name,
    fields,
    view,
    connections,
    since: range?.since,
    until: range?.until,
    resources,
  }))
}

/** The stream without fields and connections that do not exist here. Undefined if nothing is left. */
function availablePart(
  declaration: SourceDeclaration,
  available: readonly string[],
  asked: StreamSelection,
  note: (missing: string) => void,
): StreamSelection | undefined {
  const { name } = asked
  const stream = declaration.streams.find((one) => one.name === name)
  if (!stream) {
    note(`the stream "${name}"`)
    return
  }
  const declared = declaredFields(stream)
  const part = (list: readonly string[] | undefined, isHere: (one: string) => boolean, label: string) => {
    const here = list?.filter(isHere)
    for (const one of list ?? []) if (!isHere(one)) note(`the ${label} "${one}" of "${name}"`)
    return here
  }
  const fields = part(asked.fields, (field) => declared.has(field), 'field')
  const connections = part(asked.connections, (id) => available.includes(id), 'account')
  if (fields?.length === 0 || connections?.length === 0) return
  const left = { ...asked, fields, connections }
  try {
    resolveSelection(declaration, { connections: available, streams: [left] })
    return left
  } catch (error) {
    if (!(error instanceof PdppError)) throw error
    note(error.message)
    return
  }
}

function accessOf(
  detail: Detail,
  declaration: SourceDeclaration,
  available: readonly string[],
  streams: readonly StreamSelection[],
): RequestedAccess {
  const named = new Set(streams.flatMap((stream) => stream.connections ?? available))
  return {
    declaration,
    selection: { connections: available.filter((id) => named.has(id)), streams },
    purposeCode: detail.purpose_code,
    purposeDescription: detail.purpose_description,
    singleUse: detail.access_mode === 'single_use',
    retention: detail.retention,
    commitments: detail.client_claims?.commitments ?? [],
  }
}
