import { objectOf } from '../resource-server/envelope.ts'
import { shortLine } from './safe-text.ts'

const MAX_NAMES = 60

/** Fields that a server omitted because of their size. */
export interface OmittedFields {
  readonly count: number
  /** The names of some of the omitted fields. */
  readonly names: readonly string[]
}

/** The field `body` does not count as omitted, because the document shows it separately. */
export function omittedFieldsOf(record: Readonly<Record<string, unknown>>, body?: string): OmittedFields | undefined {
  const shown = objectOf(record['data'])
  const described = Array.isArray(record['described_fields']) ? record['described_fields'].map(String) : []
  const missing = described.filter((name) => name !== body && !Object.hasOwn(shown, name))
  const reported = Number(record['omitted_field_count'] ?? missing.length)
  const count = body === undefined || Object.hasOwn(shown, body) ? reported : reported - 1
  return count <= 0 ? undefined : { count, names: missing.slice(0, MAX_NAMES) }
}

/** Tells models that see only the text which fields were omitted (001.4.1). */
export function omittedFieldLines(record: Readonly<Record<string, unknown>>, body?: string): string[] {
  const leftOut = omittedFieldsOf(record, body)
  if (!leftOut) return []
  const { count, names } = leftOut
  const more = count > names.length ? ', … (schema of this stream names them all)' : ''
  const shown = names.map((name) => shortLine(name, 80)).join(', ')
  return [`left out for size: ${count} fields (${shown}${more}); name those you need in fields`]
}
