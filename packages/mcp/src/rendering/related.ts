import { countChars, formatResultId, sliceChars } from '@pdpp/protocol/reading'
import { objectOf } from '../resource-server/envelope.ts'
import { grouped, shortLine } from './preview.ts'
import { safeLine } from './safe-text.ts'
import { cell } from './table.ts'

export interface RelatedRecords {
  readonly relation: string
  readonly hasMore: boolean
  /** The call that lists all of them, where a record says what it refers by. */
  readonly all: string | undefined
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
      all: listing(row, rows[0]),
      records: rows.map((child) => ({ id: idOf(child), data: objectOf(child['data']) })),
    }
  })
}

const CALL_CHARS = 300

/** By the field of theirs that holds the key of this record; nothing where copying the call would not make it. */
function listing(row: Readonly<Record<string, unknown>>, child: Record<string, unknown> | undefined) {
  const [field] = Object.entries(objectOf(child?.['data'])).find(([, value]) => value === row['id']) ?? []
  if (field === undefined) return
  const { stream, connection_id } = child!
  const call = JSON.stringify({ stream, connection_id, filter: { [field]: row['id'] } })
  return call.length <= CALL_CHARS && safeLine(call) === call ? `query_records ${call}` : undefined
}

/** `messages: 3 shown, there are more`, then each on its line as far as `chars` allows. */
export function relatedLines(row: Readonly<Record<string, unknown>>, chars: number): string[] {
  return relatedOf(row).flatMap(({ relation, hasMore, all, records }) => [
    `${shortLine(relation, 100)}: ${grouped(records.length)}${hasMore ? ` shown, there are more: ${all ?? 'expand_limit shows some, query_records of their stream all'}` : ''}`,
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
  // The legacy form has no escapes: what would be a line of its own is made visible at least.
  return connectionId === ''
    ? safeLine(`${stream}:${key}`)
    : formatResultId({ connectionId: connectionId!, stream: stream!, recordKey: key! })
}
