import { declaredFields, PdppError, type Retention, retentionSchema, type SourceDeclaration } from '@pdpp/protocol'
import { z } from 'zod'
import { type GrantSelection, resolveSelection, type StreamSelection } from '../grants/selection.ts'
import type { Storage } from '../storage/contract.ts'

export const DATA_ACCESS = 'https://pdpp.dev/data-access'
export const AGENT_CONTEXT = 'https://pdpp.dev/purpose/agent_context'
const AI_TRAINING = 'https://pdpp.dev/purpose/ai_training'
const MAX_DETAILS = 8

/** However it is spelt: a slash or a capital more is not a way around the yes that training needs. */
export function isTraining(purposeCode: string): boolean {
  const url = URL.parse(purposeCode)
  if (!url) return false
  const path = url.pathname.replace(/%5f/gi, '_').replace(/\/+$/, '')
  return `${url.protocol}//${url.hostname}${path}`.toLowerCase() === AI_TRAINING
}

const absoluteUri = z
  .string()
  .max(500)
  .refine((text) => /^[a-z][a-z0-9+.-]*:\S+$/i.test(text), 'must be an absolute URI')
const names = z.array(z.string().min(1).max(200)).min(1)

const streamSchema = z.strictObject({
  name: z.string().min(1).max(100),
  necessity: z.enum(['required', 'optional']).optional(),
  instance_ids: names.max(1000).optional(),
  time_range: z.strictObject({ since: z.string().optional(), until: z.string().optional() }).optional(),
  fields: names.max(500).optional(),
  view: z.string().min(1).max(100).optional(),
  resources: z.array(z.string()).min(1).max(1000).optional(),
})

/** One RFC 9396 detail of our type. Whatever it does not know is refused (RFC 9396 section 5). */
const detailSchema = z
  .strictObject({
    type: z.literal(DATA_ACCESS),
    source: z.strictObject({ id: absoluteUri, kind: z.string().min(1).max(50).optional() }),
    purpose_code: absoluteUri,
    purpose_description: z.string().max(500).optional(),
    access_mode: z.enum(['single_use', 'continuous']),
    streams: z.array(streamSchema).min(1).max(500).optional(),
    selection_preset: z.string().min(1).max(100).optional(),
    retention: z.strictObject(retentionSchema.shape).optional(),
    client_claims: z.strictObject({ commitments: z.array(z.string().max(500)).max(20) }).optional(),
  })
  .refine((detail) => (detail.streams === undefined) !== (detail.selection_preset === undefined), {
    message: 'must have either streams or selection_preset',
  })

type Detail = z.infer<typeof detailSchema>

/** What a client asks of one source, resolved against the declaration of this moment. */
export interface RequestedAccess {
  readonly declaration: SourceDeclaration
  readonly selection: GrantSelection
  readonly purposeCode: string
  readonly purposeDescription: string | undefined
  readonly singleUse: boolean
  readonly retention: Retention | undefined
  readonly commitments: readonly string[]
}

/** Reads `authorization_details`: a JSON text or the list itself. Throws `invalid_authorization_details`. */
export async function parseAuthorizationDetails(
  storage: Pick<Storage, 'sources' | 'connections'>,
  subjectId: string,
  input: unknown,
): Promise<RequestedAccess[]> {
  const details = listOf(input)
  const requested: RequestedAccess[] = []
  for (const [index, detail] of details.entries()) {
    const where = `authorization_details[${index}]`
    const parsed = detailSchema.safeParse(detail)
    if (!parsed.success) {
      const issue = parsed.error.issues[0]!
      throw invalid(`${[where, ...issue.path].join('.')}: ${issue.message}`)
    }
    requested.push(await resolve(storage, subjectId, parsed.data, where))
  }
  checkTogether(requested)
  return requested
}

function listOf(input: unknown): unknown[] {
  let value = input
  if (typeof input === 'string') {
    try {
      value = JSON.parse(input)
    } catch {
      throw invalid('authorization_details must be JSON.')
    }
  }
  if (Array.isArray(value) && value.length > 0 && value.length <= MAX_DETAILS) return value
  throw invalid(`authorization_details must be a list of 1 to ${MAX_DETAILS} objects.`)
}

async function resolve(
  storage: Pick<Storage, 'sources' | 'connections'>,
  subjectId: string,
  detail: Detail,
  where: string,
): Promise<RequestedAccess> {
  const declared = await storage.sources.list(subjectId)
  const declaration = declared.find(({ source }) => source.id === detail.source.id)
  if (!declaration || (detail.source.kind ?? declaration.source.kind) !== declaration.source.kind) throw noSource(where)
  const connections = await storage.connections.list(subjectId, declaration.connector_key)
  const available = connections.map(({ connectionId }) => connectionId)
  if (available.length === 0) throw noSource(where)
  const streams = streamsOf(detail, declaration, where)
  requireNames(declaration, available, streams, where)
  const named = new Set(streams.flatMap((stream) => stream.connections ?? available))
  const selection = { connections: available.filter((id) => named.has(id)), streams }
  try {
    resolveSelection(declaration, selection)
  } catch (error) {
    if (!(error instanceof PdppError)) throw error
    // "*" names no stream, so the answer names none either.
    const unnamed = error.detail.param === 'since' && detail.streams?.[0]?.name === '*'
    throw invalid(`${where}: ${unnamed ? 'not every stream of this source has a time to limit by.' : error.message}`)
  }
  return {
    declaration,
    selection,
    purposeCode: detail.purpose_code,
    purposeDescription: detail.purpose_description,
    singleUse: detail.access_mode === 'single_use',
    retention: detail.retention,
    commitments: detail.client_claims?.commitments ?? [],
  }
}

/** Anybody may ask: nobody is told what else there is. The owner's own commands do list it, from `resolveSelection`. */
function requireNames(
  declaration: SourceDeclaration,
  available: readonly string[],
  streams: readonly StreamSelection[],
  where: string,
): void {
  for (const { name, fields = [], connections = [] } of streams) {
    const stream = declaration.streams.find((one) => one.name === name)
    if (!stream) throw invalid(`${where}.streams: this source has no stream "${name}".`)
    const declared = declaredFields(stream)
    const unknown = fields.find((field) => !declared.has(field))
    if (unknown !== undefined) throw invalid(`${where}.streams: the stream "${name}" has no field "${unknown}".`)
    const foreign = connections.find((id) => !available.includes(id))
    if (foreign !== undefined) throw invalid(`${where}.streams: this source has no connection "${foreign}".`)
  }
}

/** Wildcards and presets become the streams that they stand for today. */
function streamsOf(detail: Detail, declaration: SourceDeclaration, where: string): StreamSelection[] {
  if (detail.selection_preset !== undefined) {
    const preset = declaration.selection_presets?.find(({ id }) => id === detail.selection_preset)
    if (preset) return preset.streams
    throw invalid(`${where}.selection_preset: there is no such preset.`)
  }
  const asked = detail.streams!
  const all = asked.find(({ name }) => name === '*')
  if (all && asked.length > 1) throw invalid(`${where}.streams: "*" stands alone.`)
  if (all && (all.fields || all.view !== undefined || all.resources))
    throw invalid(`${where}.streams.0: "*" takes no fields, view or resources; name the streams.`)
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

/** Several sources become one package: all in one mode, no connection in two of them. */
function checkTogether(requested: readonly RequestedAccess[]): void {
  if (new Set(requested.map(({ singleUse }) => singleUse)).size > 1)
    throw invalid('authorization_details: all must have the same access_mode.')
  const connections = requested.flatMap(({ selection }) => selection.connections)
  if (new Set(connections).size < connections.length)
    throw invalid('authorization_details: two of them read the same connection; ask for it in one.')
}

function noSource(where: string): PdppError {
  return invalid(`${where}.source: there is no such source here.`)
}

function invalid(message: string): PdppError {
  return new PdppError('invalid_authorization_details', message, { param: 'authorization_details' })
}
