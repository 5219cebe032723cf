import { countChars, formatResultId, sliceGraphemes } from '@pdpp/protocol/reading'
import { objectOf } from '../resource-server/envelope.ts'
import { grouped, safeLine, shortLine } from './safe-text.ts'
import { cell } from './table.ts'

interface RelatedRecords {
  readonly relation: string
  readonly hasMore: boolean
  /** The call that lists all related records, if the linking field is known. */
  readonly all: string | undefined
  readonly records: readonly { readonly id: string; readonly data: Readonly<Record<string, unknown>> }[]
}

/** The records that `expand` added, by relation. A has-one relation has at most one record. */
function relatedOf(row: Readonly<Record<string, unknown>>): RelatedRecords[] {
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

const MAX_CALL_CHARS = 300

/** A call that filters by the field with this record's key. Undefined without such a field, or if copying is unsafe. */
function listing(row: Readonly<Record<string, unknown>>, child: Record<string, unknown> | undefined) {
  const [field] = Object.entries(objectOf(child?.['data'])).find(([, value]) => value === row['id']) ?? []
  if (field === undefined) return
  const { stream, connection_id } = child!
  const call = JSON.stringify({ stream, connection_id, filter: { [field]: row['id'] } })
  return call.length <= MAX_CALL_CHARS && safeLine(call) === call ? `query_records ${call}` : undefined
}

/** A line such as `messages: 3 shown, there are more`, then one line of at most `chars` characters per record. */
export function relatedLines(row: Readonly<Record<string, unknown>>, chars: number): string[] {
  return relatedText(row, chars).lines
}

/** A relation that is not shown completely: records are missing or shortened. */
export interface RelatedCut {
  readonly relation: string
  readonly shown: number
  readonly has_more: boolean
  /** Ids of shortened records. `fetch` shows them whole. */
  readonly shortened?: readonly string[]
  readonly continue?: string
}

export function relatedText(
  row: Readonly<Record<string, unknown>>,
  chars: number,
): { lines: string[]; cuts: RelatedCut[] } {
  const lines: string[] = []
  const cuts: RelatedCut[] = []
  for (const { relation, hasMore, all, records } of relatedOf(row)) {
    const name = shortLine(relation, 100)
    const children = records.map(({ id, data }) => ({ id, ...childText(data, chars) }))
    const shortened = children.filter(({ isCut }) => isCut).map(({ id }) => id)
    const more = hasMore
      ? ` shown, there are more: ${all ?? 'expand_limit shows some, query_records of their stream all'}`
      : ''
    lines.push(`${name}: ${grouped(records.length)}${more}`, ...children.map(({ id, text }) => `- ${id} ${text}`))
    if (!hasMore && shortened.length === 0) continue
    cuts.push({
      relation: name,
      shown: records.length,
      has_more: hasMore,
      ...(shortened.length === 0 ? {} : { shortened: shortened.slice(0, MAX_SHORTENED) }),
      ...(hasMore && all !== undefined ? { continue: all } : {}),
    })
  }
  return { lines, cuts }
}

const MAX_SHORTENED = 5

function childText(data: Readonly<Record<string, unknown>>, chars: number): { text: string; isCut: boolean } {
  let isCut = false
  const readOn = (field: string) => {
    isCut = true
    return `read_record_field field_path=${JSON.stringify(safeLine(field))}`
  }
  const cells = Object.entries(data).map(([name, value]) => `${shortLine(name, 80)}=${cell(value, name, readOn)}`)
  const text = cells.join(' | ')
  if (countChars(text) <= chars) return { text, isCut }
  return { text: `${sliceGraphemes(text, chars)}… (fetch the id for all of it)`, isCut: true }
}

export function idOf(row: Readonly<Record<string, unknown>>): string {
  const [key, stream, connectionId] = [row['id'], row['stream'], row['connection_id']].map((value) =>
    String(value ?? ''),
  )
  // The legacy form of ids has no escapes, so escape line breaks here.
  return connectionId === ''
    ? safeLine(`${stream}:${key}`)
    : formatResultId({ connectionId: connectionId!, stream: stream!, recordKey: key! })
}
