import { parseInstant } from '@pdpp/protocol'
import { includesField } from '../../../grants/read-scope.ts'
import { storedJson } from '../../../lib/stored-json.ts'
import { defaultSort } from '../../../records/paging/sort.ts'
import type { SearchedField } from '../../../search/ranking/searched-index.ts'
import type { SearchedStream } from '../../../search/search-store.ts'
import type { ListedRow, RecordRows } from '../records/record-rows.ts'

/** A candidate of a search. */
export interface RankableRow {
  readonly target: SearchedStream
  readonly fields: readonly SearchedField[]
  readonly rows: RecordRows
  readonly row: ListedRow
  /** Undefined where the record has gone meanwhile, or too much was read already. Large ones are read again each time. */
  content(): RecordContent | undefined
}

/** The content that ranks a candidate: the texts of granted search fields, and when it was written. */
export interface RecordContent {
  readonly data: Readonly<Record<string, unknown>>
  readonly texts: readonly string[]
  readonly authoredAt: number | null
}

export function contentOf(target: SearchedStream, json: string): RecordContent {
  // Only texts are looked at, so digits that a number cannot hold do not matter here.
  const data = storedJson<Record<string, unknown>>(json)
  const time = authoredField(target)
  const authored = time === undefined ? undefined : data[time]
  return {
    data,
    texts: target.fields.map((field) => (typeof data[field] === 'string' ? data[field] : '')),
    authoredAt: typeof authored === 'string' ? (parseInstant(authored) ?? null) : null,
  }
}

/** The field that says when a record was written, where the grant includes it: nothing hidden may order an answer. */
export function authoredField({ scope }: SearchedStream): string | undefined {
  const time = scope.stream.consent_time_field
  return time != null && includesField(scope.usable, time) ? time : defaultSort(scope)
}

export function rankableFields({ scope, fields }: SearchedStream): SearchedField[] {
  const properties = scope.stream.schema['properties'] as Record<string, Record<string, unknown>>
  return fields.map((field) => ({
    key: `${scope.connectorKey}/${scope.stream.name}/${field}`,
    role: properties[field]?.['x_pdpp_role'] as string | undefined,
  }))
}
