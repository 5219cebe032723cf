import { declaredFields, parseJson } from '@pdpp/protocol'
import { includesField, type ReadScope } from '../../grants/read-scope.ts'
import type { ScopedRecord } from '../record-store.ts'

/** Usual names of fields with the order of lines or tracks. */
const POSITION_NAMES = ['line', 'line_number', 'position', 'sequence', 'seq', 'index', 'ordinal', 'track_number']

/** Sorts related records by their own number if they have one, otherwise oldest first. */
export function inReadingOrder(
  { stream, projection }: ReadScope,
  newestFirst: readonly ScopedRecord[],
): ScopedRecord[] {
  const oldestFirst = newestFirst.toReversed()
  const kinds = declaredFields(stream)
  const name = POSITION_NAMES.find((each) => kinds.get(each) === 'integer' && includesField(projection, each))
  if (name === undefined) return oldestFirst
  const numbered = oldestFirst.map((record) => {
    const ordinal = (parseJson(record.json) as Record<string, unknown>)[name]
    return { record, ordinal: typeof ordinal === 'number' ? ordinal : Number.POSITIVE_INFINITY }
  })
  return numbered.sort((a, b) => (a.ordinal === b.ordinal ? 0 : a.ordinal - b.ordinal)).map(({ record }) => record)
}
