import type { PagePosition, PageQuery, PositionedRecord, ScopedRecord } from '../../records/record-store.ts'
import type { Condition } from './conditions.ts'

/** The records of a page while it is read. */
export class Page {
  readonly records: PositionedRecord[] = []
  hasMore = false
  #bytes = 0
  readonly #query: PageQuery

  constructor(query: PageQuery) {
    this.#query = query
  }

  get full(): boolean {
    return this.hasMore
  }

  /** Rows still to read: the rest of the page, and one more to know whether there is a next page. */
  get wanted(): number {
    return this.#query.limit - this.records.length + 1
  }

  add(record: ScopedRecord, position: PagePosition): void {
    const { number, connectionId, key, emittedAt, json } = record
    this.#bytes += json.length
    this.records.push({ number, connectionId, key, emittedAt, json, position })
  }

  /** Whether the page is complete, by count or by size, so that the next row belongs to the next page. */
  closes(): boolean {
    this.hasMore = this.records.length === this.#query.limit || this.#bytes > this.#query.maxBytes
    return this.hasMore
  }
}

/** A part of a page: records with a value of the sort field, or without. */
export interface Segment {
  readonly column: string | undefined
  /** True for the records without a value of the sort field. They are in the order of arrival. */
  readonly nulls: boolean
  readonly after: PagePosition | undefined
}

/** The records with and without a sort value, without those that lie before `after`. */
export function segments(column: string | undefined, { after, nulls = 'last' }: PageQuery): Segment[] {
  if (column === undefined) return [{ column, nulls: false, after }]
  const [first, last] = nulls === 'last' ? [false, true] : [true, false]
  if (after === undefined || (after.value === null) === first)
    return [
      { column, nulls: first, after },
      { column, nulls: last, after: undefined },
    ]
  return [{ column, nulls: last, after }]
}

/** The records after a position. */
export function keyset({ column, nulls, after }: Segment, { order }: PageQuery): Condition[] {
  const beyond = order === 'desc' ? '<' : '>'
  const conditions: Condition[] = []
  if (column !== undefined) conditions.push({ sql: `r.${column} is ${nulls ? '' : 'not '}null`, values: [] })
  if (after === undefined) return conditions
  if (column === undefined || nulls) return [...conditions, { sql: `r.id ${beyond} ?`, values: [after.number] }]
  return [
    ...conditions,
    { sql: `(r.${column}, r.id) ${beyond} (?, ?)`, values: [after.value as string | number, after.number] },
  ]
}
