import type { StreamDeclaration } from '@pdpp/protocol'
import {
  authoredRank,
  declaredFields,
  epochInstant,
  formatInstant,
  isIngestionTime,
  isTime,
  parseInstant,
} from '@pdpp/protocol/reading'
import { includesField, type ReadScope } from '../grants/read-scope.ts'

const known = new WeakMap<StreamDeclaration, readonly string[]>()

/** When a record was written or happened, from a field of the scope, as the source wrote it. */
export function authoredTime(scope: ReadScope, data: Readonly<Record<string, unknown>>): string | undefined {
  for (const name of timeFields(scope.stream)) {
    const time = includesField(scope.usable, name) ? timeText(scope.stream, name, data[name]) : undefined
    if (time !== undefined) return time
  }
  return
}

/** A cursor field may also be a name or a number. Counts since 1970 are formatted as times. */
function timeText(stream: StreamDeclaration, name: string, value: unknown): string | undefined {
  if (typeof value === 'string') return parseInstant(value) === undefined ? undefined : value
  const kind = declaredFields(stream).get(name)
  if (typeof value !== 'number' || (kind !== 'epoch-seconds' && kind !== 'epoch-milliseconds')) return
  const instant = epochInstant(value, kind)
  return instant === undefined ? undefined : formatInstant(instant)
}

/**
 * Fields that may contain the time, best first: the field with the role, then fields with typical names, then the times
 * of the declaration. Times at which a copy was made come last, even if declared.
 */
export function timeFields(stream: StreamDeclaration): readonly string[] {
  const before = known.get(stream)
  if (before) return before
  const kinds = declaredFields(stream)
  const properties = stream.schema['properties'] as Record<string, Record<string, unknown>>
  const times = [...kinds].filter(([, kind]) => isTime(kind)).map(([name]) => name)
  const authored = times
    .filter((name) => authoredRank(name) !== undefined)
    .sort((a, b) => authoredRank(a)! - authoredRank(b)!)
  const declared = [stream.consent_time_field, stream.cursor_field].filter((name) => name != null)
  const fields = [
    ...[...kinds.keys()].filter((name) => properties[name]?.['x_pdpp_role'] === 'event-time').slice(0, 1),
    ...authored,
    ...declared.filter((name) => !isIngestionTime(name)),
    ...declared,
    ...times.filter(isIngestionTime),
  ]
  const list = [...new Set(fields)]
  known.set(stream, list)
  return list
}
