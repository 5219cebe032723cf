import { countChars, formatResultId, sliceChars } from '@pdpp/protocol/reading'
import { objectOf } from '../resource-server/envelope.ts'
import { grouped, shortLine } from './preview.ts'
import { safeLine } from './safe-text.ts'
import { cell } from './table.ts'

export interface RelatedRecords {
  readonly relation: string
  readonly hasMore: boolean
  readonly records: readonly { readonly id: string; readonly data: Readonly<Record<string, unknown>> }[]
}

/** Records that `expand` brought along, by relation; a relation to one record has none or one. */
export function relatedOf(row: Readonly<Record<string, unknown>>): RelatedRecords[] {
  return Object.entries(objectOf(row['expanded'])).map(([relation, value]) => {
    const list = objectOf(value)
    const rows = Array.isArray(list['data']) ? list['data'].map(objectOf) : list['id'] === undefined ? [] : [list]
    return {
      relation,
      hasMore: list['has_more'] === true,
      records: rows.map((child) => ({ id: idOf(child), data: objectOf(child['data']) })),
    }
  })
}

/** `messages: 3 shown, there are more`, then each on its line as far as `chars` allows. */
export function relatedLines(row: Readonly<Record<string, unknown>>, chars: number): string[] {
  return relatedOf(row).flatMap(({ relation, hasMore, records }) => [
    `${shortLine(relation, 100)}: ${grouped(records.length)}${hasMore ? ' shown, there are more: fetch this id with expand, or query_records by it' : ''}`,
    ...records.map(({ id, data }) => `- ${id} ${childText(data, chars)}`),
  ])
}

function childText(data: Readonly<Record<string, unknown>>, chars: number): string {
  const readOn = (field: string) => `read_record_field field_path=${JSON.stringify(safeLine(field))}`
  const cells = Object.entries(data).map(([name, value]) => `${shortLine(name, 80)}=${cell(value, name, readOn)}`)
  const text = cells.join(' | ')
  return countChars(text) > chars ? `${sliceChars(text, 0, chars)}… (fetch the id for all of it)` : text
}

export function idOf(row: Readonly<Record<string, unknown>>): string {
  const [key, stream, connectionId] = [row['id'], row['stream'], row['connection_id']].map((value) =>
    String(value ?? ''),
  )
  return connectionId === ''
    ? `${stream}:${key}`
    : formatResultId({ connectionId: connectionId!, stream: stream!, recordKey: key! })
}
