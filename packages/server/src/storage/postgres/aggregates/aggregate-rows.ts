import { declaredFields, type FieldKind } from '@pdpp/protocol'
import type { AggregateQuery, Comparable } from '../../../aggregates/aggregate-store.ts'
import { type Condition, joinConditions } from '../../records/conditions.ts'
import { fieldOf } from '../../records/layout.ts'
import type { RecordRows } from '../records/record-rows.ts'
import { filterConditions, recordConditions } from '../records/scope-sql.ts'

/** The records of an aggregate: those that match the grant and the filter. */
export class AggregateRows {
  readonly rows: RecordRows
  readonly query: AggregateQuery
  /** `from … where …` with its values. */
  readonly from: Condition

  constructor(rows: RecordRows, query: AggregateQuery) {
    this.rows = rows
    this.query = query
    const limits = joinConditions([
      ...recordConditions(rows.scope, rows.layout),
      ...filterConditions(query.conditions, rows.layout),
    ])
    this.from = {
      sql: `from record r where r.subject = ? and r.feed = any(?::bigint[]) and ${limits.sql}`,
      values: [rows.subject, rows.feedList as unknown as number, ...limits.values],
    }
  }

  /** A field's comparable value over the alias `r`. */
  valueSql(name: string): string {
    const column = fieldOf(this.rows.layout, name)?.column
    return column === undefined ? 'null::text' : `r.${column}`
  }

  kindOf(name: string): FieldKind {
    return declaredFields(this.rows.scope.stream).get(name)!
  }
}

/** Converts a value that was read as text, so that no digit is lost. */
export function comparableOf(kind: FieldKind, text: string | null): Comparable {
  if (text === null || kind === 'string') return text
  return numberOf(text)
}

export function numberOf(text: string): number | bigint {
  const value = Number(text)
  return Number.isSafeInteger(value) || !/^-?\d+$/.test(text) ? value : BigInt(text)
}
