import { formatResultId } from '@pdpp/protocol'
import { madeTitle } from '@pdpp/protocol/reading'
import type { ResultShape } from './result-room.ts'

type Row = Readonly<Record<string, unknown>>

const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '')
const objectOf = (value: unknown): Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Row) : {}

/** The adapter breaks up `](` in texts, so that a link in a record never becomes a link of the answer. */
const brokenLinks = (json: string): number => (json.includes('](') ? json.split('](').length - 1 : 0)

/** Max. bytes of the repeated query. */
const QUERY_BYTES = 2_000
/** Without the cursor, whose size depends on the number of words and sources. */
const SEARCH_OVERHEAD = 230
const SEARCH_TEXT = 410

/**
 * A search result contains each hit in `data`, and its id, title, URL and source again in `results`. The text only
 * repeats parts of the hit; the names of its source and field may occur twice.
 */
export function searchShape(query: string, origin: string, cursorBytes: number): ResultShape {
  const echoed = Math.min(QUERY_BYTES, 2 * bytes(query))
  // The hits of a page share a few names.
  const names = new Map<unknown, number>()
  const nameBytes = (name: unknown): number => {
    const known = names.get(name) ?? bytes(name)
    names.set(name, known)
    return known
  }
  return {
    overhead: { structured: SEARCH_OVERHEAD + cursorBytes, text: SEARCH_TEXT + cursorBytes + echoed },
    sizeOf: (hit, json, written) => {
      const { id, connection_id } = hit
      const title = hit['title'] ?? titleOf(hit)
      const url = `${origin}/r/${encodeURIComponent(String(id))}`
      const entry = bytes({ id, title, url, connection_id })
      const fields = (hit['evidence_excerpts'] as readonly Row[]).reduce(
        (sum, one) => sum + nameBytes(one['field_path']),
        0,
      )
      const source = nameBytes(hit['display_name']) + nameBytes(connection_id) + nameBytes(hit['connector_key'])
      return { structured: written + entry + 2, text: written + fields + source + brokenLinks(json) }
    },
  }
}

/** The title that the adapter makes for a hit without one. */
function titleOf(hit: Row): string {
  const text = (name: string) => hit[name] as string | undefined
  const [source, place] = [text('display_name') ?? text('connector_key'), text('place') ?? text('stream')]
  return madeTitle({ actor: text('actor'), source, place, time: text('authored_at') })
}

const RECORDS_OVERHEAD = 900
const RECORDS_TEXT = 960
/** Sizes of the remarks in the text about shortened values, omitted fields and related records. */
const PART_CHARS = 600
const PART_BYTES = 110
const LEFT_OUT_BYTES = 180
const RELATION_BYTES = 480
const CHILD_BYTES = 60

/** A page of records. Its text is a table whose ids are percent-encoded. */
export const recordsShape: ResultShape = {
  overhead: { structured: RECORDS_OVERHEAD, text: RECORDS_TEXT },
  sizeOf: (row, json, written) => {
    const data = objectOf(row['data'])
    const relations = Object.values(objectOf(row['expanded']))
    const children = relations.flatMap((value) => childrenOf(objectOf(value)))
    const parts = [data, ...children.map((child) => objectOf(child['data']))].flatMap(Object.values).filter(isPart)
    const text =
      written +
      [row, ...children].reduce((sum, one) => sum + idBytes(one), 0) +
      parts.length * PART_BYTES +
      (row['described_fields'] === undefined ? 0 : LEFT_OUT_BYTES) +
      relations.length * RELATION_BYTES +
      children.length * CHILD_BYTES +
      brokenLinks(json)
    return { structured: written + 1, text, columns: Object.keys(data) }
  },
}

function childrenOf(list: Row): Row[] {
  if (Array.isArray(list['data'])) return list['data'].map(objectOf)
  return list['id'] === undefined ? [] : [list]
}

const isPart = (value: unknown): boolean =>
  typeof value === 'string' ? value.length > PART_CHARS / 3 : typeof value === 'object' && value !== null

function idBytes(row: Row): number {
  const [connectionId, stream, recordKey] = [row['connection_id'], row['stream'], row['id']].map(String)
  return Buffer.byteLength(formatResultId({ connectionId: connectionId!, stream: stream!, recordKey: recordKey! }))
}
