import { objectOf } from '../resource-server/envelope.ts'
import { shortLine } from './preview.ts'

const MOST_NAMES = 60

/** Fields that a server named instead of showing them: a reader of text alone must hear of them too (001.4.1). */
export function leftOutLines(record: Readonly<Record<string, unknown>>): string[] {
  const shown = objectOf(record['data'])
  const named = Array.isArray(record['described_fields']) ? record['described_fields'].map(String) : []
  const missing = named.filter((name) => !Object.hasOwn(shown, name))
  if (missing.length === 0) return []
  const names = missing.slice(0, MOST_NAMES).map((name) => shortLine(name, 80))
  const more = missing.length > MOST_NAMES ? `, and ${missing.length - MOST_NAMES} more` : ''
  return [`left out for size: ${names.join(', ')}${more}; read_record_field reads each of them`]
}
