import { parseInstant } from '@pdpp/protocol'
import { includesField } from '../../grants/read-scope.ts'
import { defaultSort } from '../../records/sort.ts'
import type { SearchTarget } from '../../search/search-store.ts'
import type { SearchedField } from '../../search/searched-index.ts'
import type { RecordRow, RecordRows } from './record-rows.ts'

export type RankableRow = ReturnType<typeof rankable>

/** What a candidate is ranked by: the texts of granted search fields, and when it was written. */
export function rankable(target: SearchTarget, fields: readonly SearchedField[], rows: RecordRows, row: RecordRow) {
  // Only texts are looked at, so digits that a number cannot hold do not matter here.
  const data = JSON.parse(row.data) as Record<string, unknown>
  const time = authoredField(target)
  const authored = time === undefined ? undefined : data[time]
  const texts = target.fields.map((field) => (typeof data[field] === 'string' ? data[field] : ''))
  return {
    target,
    rows,
    row,
    data,
    texts,
    fields: fields.map(({ key, role }, index) => ({ key, role, text: texts[index]! })),
    authoredAt: typeof authored === 'string' ? (parseInstant(authored) ?? null) : null,
  }
}

/** The field that says when a record was written, where the grant includes it: nothing hidden may order an answer. */
export function authoredField({ scope }: SearchTarget): string | undefined {
  const time = scope.stream.consent_time_field
  return time != null && includesField(scope.usable, time) ? time : defaultSort(scope)
}

export function rankableFields({ scope, fields }: SearchTarget): SearchedField[] {
  const properties = scope.stream.schema['properties'] as Record<string, Record<string, unknown>>
  return fields.map((field) => ({
    key: `${scope.connectorKey}/${scope.stream.name}/${field}`,
    role: properties[field]?.['x_pdpp_role'] as string | undefined,
  }))
}
