import { UsageError } from '../../terminal/failure.ts'

/** The limits of a grant, as options of the commands. */
export interface GrantChoice {
  stream?: string[]
  fields?: string
  since?: string
  until?: string
  record?: string[]
  expires?: string
}

export function choiceBody(options: GrantChoice) {
  return {
    streams: options.stream?.map(parseStream),
    fields: options.fields === undefined ? undefined : splitFields(options.fields),
    since: options.since,
    until: options.until,
    resources: options.record,
    expires_at: options.expires === undefined ? undefined : parseExpiry(options.expires),
  }
}

/** Parses `messages` or `messages:subject,body`. */
function parseStream(text: string): { name: string; fields?: string[] } {
  const colon = text.indexOf(':')
  return colon === -1 ? { name: text } : { name: text.slice(0, colon), fields: splitFields(text.slice(colon + 1)) }
}

function splitFields(text: string): string[] {
  const fields = text.split(',').map((field) => field.trim())
  if (fields.some((field) => field === '')) throw new UsageError(`"${text}" is not a comma-separated list of fields.`)
  return fields
}

const UNITS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

function parseExpiry(text: string): string {
  const span = /^(\d{1,5})([mhd])$/.exec(text)
  const at = span ? Date.now() + Number(span[1]) * UNITS[span[2]!]! : Date.parse(text)
  if (Number.isNaN(at))
    throw new UsageError(`"${text}" is not a time. Use 2026-12-31, 2026-12-31T18:00:00Z, 30m, 12h or 7d.`)
  return new Date(at).toISOString()
}
