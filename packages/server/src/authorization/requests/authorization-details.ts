import { GRANT_CONNECTIONS, PdppError, retentionSchema } from '@pdpp/protocol'
import { z } from 'zod'
import { checkResources, checkTimes } from '../../grants/selection.ts'

export const DATA_ACCESS = 'https://pdpp.dev/data-access'
export const AGENT_CONTEXT = 'https://pdpp.dev/purpose/agent_context'
const AI_TRAINING = 'https://pdpp.dev/purpose/ai_training'
const MAX_DETAILS = 8

/** Accepts any spelling, because an extra slash or capital must not avoid the separate consent that training needs. */
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
  instance_ids: names.max(GRANT_CONNECTIONS).optional(),
  time_range: z.strictObject({ since: z.string().optional(), until: z.string().optional() }).optional(),
  fields: names.max(500).optional(),
  view: z.string().min(1).max(100).optional(),
  resources: z.array(z.string()).min(1).max(1000).optional(),
})

/** One RFC 9396 detail of our type. Unknown members are refused (RFC 9396 section 5). */
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

export type Detail = z.infer<typeof detailSchema>

/**
 * Reads `authorization_details`: a JSON text or the list itself. Checks only the shape and reads no store, because the
 * client must not learn what the owner has (point 35). Throws `invalid_authorization_details`.
 */
export function parseAuthorizationDetails(input: unknown): Detail[] {
  const details = listOf(input).map((detail, index) => {
    const where = `authorization_details[${index}]`
    const parsed = detailSchema.safeParse(detail)
    if (!parsed.success) {
      const issue = parsed.error.issues[0]!
      throw invalid(`${[where, ...issue.path].join('.')}: ${issue.message}`)
    }
    checkStreams(parsed.data, where)
    return parsed.data
  })
  checkTogether(details)
  return details
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

function checkStreams({ streams = [] }: Detail, where: string): void {
  const names = streams.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw invalid(`${where}.streams: "${twice}" is named twice.`)
  const all = streams.find(({ name }) => name === '*')
  if (all && streams.length > 1) throw invalid(`${where}.streams: "*" must be the only stream.`)
  if (all && (all.fields || all.view !== undefined || all.resources))
    throw invalid(`${where}.streams.0: "*" takes no fields, view or resources; name the streams.`)
  for (const [index, { fields, view, time_range: range, resources }] of streams.entries()) {
    const here = `${where}.streams.${index}`
    if (fields && view !== undefined) throw invalid(`${here}: give fields or a view, not both.`)
    try {
      checkTimes({ since: range?.since, until: range?.until })
      checkResources(resources)
    } catch (error) {
      if (!(error instanceof PdppError)) throw error
      throw invalid(`${here}: ${error.message}`)
    }
  }
}

/** Several details become one package: all need the same access mode, and no connection may be in two of them. */
function checkTogether(details: readonly Detail[]): void {
  if (new Set(details.map(({ access_mode: mode }) => mode)).size > 1)
    throw invalid('authorization_details: all entries must have the same access_mode.')
  for (const [index, detail] of details.entries()) {
    const same = details.slice(0, index).filter(({ source }) => source.id === detail.source.id)
    if (same.some((other) => overlap(connectionsOf(other), connectionsOf(detail))))
      throw invalid('authorization_details: two entries read the same connection; ask for it in one entry.')
  }
}

/** Undefined means all connections. */
function connectionsOf({ streams }: Detail): readonly string[] | undefined {
  if (!streams || streams.some((stream) => !stream.instance_ids)) return
  return streams.flatMap((stream) => stream.instance_ids!)
}

function overlap(some: readonly string[] | undefined, others: readonly string[] | undefined): boolean {
  return !some || !others || some.some((id) => others.includes(id))
}

function invalid(message: string): PdppError {
  return new PdppError('invalid_authorization_details', message, { param: 'authorization_details' })
}
