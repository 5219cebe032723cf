import { parseInstant, parseJson } from '@pdpp/protocol'
import type { SearchTarget } from '../../search/search-store.ts'
import type { RecordRow, RecordRows } from './record-rows.ts'

/** What a candidate is ranked by: the texts of granted search fields, and when it was written. */
export function rankable(target: SearchTarget, rows: RecordRows, row: RecordRow) {
  const data = parseJson(row.data) as Record<string, unknown>
  const properties = target.scope.stream.schema['properties'] as Record<string, Record<string, unknown>>
  const present = target.fields.filter((field) => typeof data[field] === 'string')
  const time = target.scope.stream.consent_time_field ?? target.scope.stream.cursor_field
  const authored = time == null ? undefined : data[time]
  return {
    target,
    rows,
    row,
    texts: target.fields.map((field) => (typeof data[field] === 'string' ? (data[field] as string) : '')),
    fields: target.fields.map((field) => ({
      key: `${target.scope.connectorKey}/${target.scope.stream.name}/${field}`,
      text: present.includes(field) ? (data[field] as string) : '',
      role: properties[field]?.['x_pdpp_role'] as string | undefined,
    })),
    authoredAt: typeof authored === 'string' ? (parseInstant(authored) ?? null) : null,
  }
}
