import { objectOf } from '../resource-server/envelope.ts'
import { shortLine } from './preview.ts'

const MOST_NAMES = 60

/**
 * Fields that a server named or counted instead of showing them: a reader of text alone must hear of them too
 * (001.4.1). `body` is read separately.
 */
export function leftOutLines(record: Readonly<Record<string, unknown>>, body?: string): string[] {
  const shown = objectOf(record['data'])
  const described = Array.isArray(record['described_fields']) ? record['described_fields'].map(String) : []
  const missing = described.filter((name) => name !== body && !Object.hasOwn(shown, name))
  const told = Number(record['omitted_field_count'] ?? missing.length)
  const count = body === undefined || Object.hasOwn(shown, body) ? told : told - 1
  if (count <= 0) return []
  const names = missing.slice(0, MOST_NAMES).map((name) => shortLine(name, 80))
  const more = count > names.length ? ', … (schema of this stream names them all)' : ''
  return [`left out for size: ${count} fields (${names.join(', ')}${more}); name those you need in fields`]
}
