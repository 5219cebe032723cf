import { declaredFields, parseJson } from '@pdpp/protocol'
import { includesField, type ReadScope } from '../../grants/read-scope.ts'
import type { ScopedRecord } from '../record-store.ts'

/** What sources call the place of a line in its order, of a track on its album. */
const POSITION_NAMES = ['line', 'line_number', 'position', 'sequence', 'seq', 'index', 'ordinal', 'track_number']

/** Related records as a person reads them: by their own number where they have one, otherwise oldest first. */
export function inReadingOrder(
  { stream, projection }: ReadScope,
  newestFirst: readonly ScopedRecord[],
): ScopedRecord[] {
  const oldestFirst = newestFirst.toReversed()
  const kinds = declaredFields(stream)
  const name = POSITION_NAMES.find((each) => kinds.get(each) === 'integer' && includesField(projection, each))
  if (name === undefined) return oldestFirst
  const numbered = oldestFirst.map((record) => {
    const place = (parseJson(record.json) as Record<string, unknown>)[name]
    return { record, place: typeof place === 'number' ? place : Number.POSITIVE_INFINITY }
  })
  return numbered.sort((a, b) => (a.place === b.place ? 0 : a.place - b.place)).map(({ record }) => record)
}
