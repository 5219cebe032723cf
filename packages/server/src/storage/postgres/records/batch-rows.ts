import { setImmediate as nextTurn } from 'node:timers/promises'
import type { LayoutField } from '../../records/layout.ts'
import { briefOf } from '../../records/record-brief.ts'
import type { Session } from '../engine/session.ts'
import type { RecordBatch, WrittenRow } from './record-batch.ts'
import { arrayType, hasIndex, slotValue } from './slots.ts'

interface FeedRows {
  readonly subject: number
  readonly feed: number
}

/** Rows of one statement. While the database inserts them, the next ones are encoded. */
const ROWS_AT_ONCE = 250

/**
 * Writes the rows that a batch has computed. Sends all statements without waiting for each other, but lets other work
 * run between large ones.
 */
export async function writeBatch(
  session: Session,
  { subject, feed }: FeedRows,
  batch: RecordBatch,
  fields: readonly LayoutField[],
): Promise<void> {
  const writes = deleteRecords(session, subject, feed, [...batch.deleted])
  for (const [write, rows] of [
    [insertRecords, [...batch.inserted.values()]],
    [updateRecords, [...batch.updated.values()]],
  ] as const)
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
      const written = write(session, subject, feed, rows.slice(from, from + ROWS_AT_ONCE), fields)
      // A failure is reported at the end, when everything was sent.
      written.catch(() => {})
      writes.push(written)
      if (from + ROWS_AT_ONCE < rows.length) await nextTurn()
    }
  writes.push(...writeLog(session, subject, feed, batch), ...writeTombstones(session, subject, feed, batch))
  await Promise.all(writes)
}

function deleteRecords(session: Session, subject: number, feed: number, ids: readonly number[]): Promise<number>[] {
  if (ids.length === 0) return []
  const places = [
    ['record', 'id'],
    ['import_before', 'record'],
  ]
  return places.map(([table, column]) => {
    const sql = `delete from ${table} where subject = ? and feed = ? and ${column} = any(?::bigint[])`
    const deleted = session.run(sql, subject, feed, ids)
    deleted.catch(() => {})
    return deleted
  })
}

interface SlotColumn {
  readonly name: string
  readonly type: string
  /** Empty for the column of a single slot. Lists of further fields arrive as texts and need a cast. */
  readonly cast: string
  readonly value: (row: WrittenRow) => unknown
}

/** The slots that a layout uses, and a list for each family of further fields. */
function slotColumns(fields: readonly LayoutField[]): SlotColumn[] {
  const single = fields.filter(({ column }) => hasIndex(column))
  const columns: SlotColumn[] = single.map(({ name, kind, column }) => ({
    name: column!,
    type: arrayType(column!),
    cast: '',
    value: ({ members }) => slotValue(kind, members[name]),
  }))
  for (const list of ['ix', 'nx', 'tx']) {
    const members = fields.filter(({ column }) => column?.startsWith(`${list}[`))
    if (members.length === 0) continue
    const at = new Map(members.map((field) => [Number(/\d+/.exec(field.column!)![0]), field]))
    const length = Math.max(...at.keys())
    const value = (row: WrittenRow) => {
      const values = Array.from({ length }, (_, index) => {
        const field = at.get(index + 1)
        return field ? slotValue(field.kind, row.members[field.name]) : null
      })
      return values.every((value) => value === null) ? null : arrayLiteral(values)
    }
    columns.push({ name: list, type: 'text[]', cast: `::${arrayType(list)}`, value })
  }
  return columns
}

function arrayLiteral(values: readonly (string | number | bigint | null)[]): string {
  const quoted = (text: string) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
  const element = (value: string | number | bigint | null) =>
    value === null ? 'null' : typeof value === 'string' ? quoted(value) : String(value)
  return `{${values.map(element).join(',')}}`
}

function briefColumns(rows: readonly WrittenRow[]): (string | null)[][] {
  const briefs = rows.map(({ data }) => briefOf(data))
  return [briefs.map((brief) => brief?.data ?? null), briefs.map((brief) => brief?.leftOut ?? null)]
}

function insertRecords(
  session: Session,
  subject: number,
  feed: number,
  rows: readonly WrittenRow[],
  fields: readonly LayoutField[],
): Promise<number> {
  const slots = slotColumns(fields)
  const names = slots.map(({ name }) => name)
  const sql = `insert into record (subject, feed, id, key, emitted_at, touched, extra, data, brief, left_out${names.map((name) => `, ${name}`).join('')})
    select ?, ?, x.id, x.key, x.emitted_at, x.touched, x.extra, x.data, x.brief, x.left_out${slots.map(({ name, cast }) => `, x.${name}${cast}`).join('')}
    from unnest(?::bigint[], ?::text[], ?::bigint[], ?::smallint[], ?::smallint[], ?::text[], ?::text[], ?::text[]${slots.map(({ type }) => `, ?::${type}`).join('')})
      x(id, key, emitted_at, touched, extra, data, brief, left_out${names.map((name) => `, ${name}`).join('')})`
  const column = <T>(value: (row: WrittenRow) => T) => rows.map(value)
  return session.run(
    sql,
    ...[subject, feed],
    ...[column(({ id }) => id), column(({ key }) => key), column(({ emittedAt }) => emittedAt)],
    ...[column(({ touched }) => touched), column(({ extra }) => extra), column(({ data }) => data)],
    ...briefColumns(rows),
    ...slots.map(({ value }) => column(value)),
  )
}

function updateRecords(
  session: Session,
  subject: number,
  feed: number,
  rows: readonly WrittenRow[],
  fields: readonly LayoutField[],
): Promise<number> {
  const slots = slotColumns(fields)
  const sets = slots.map(({ name, cast }) => `, ${name} = x.${name}${cast}`).join('')
  const sql = `update record r set emitted_at = x.emitted_at, touched = 1, extra = x.extra, data = x.data, brief = x.brief,
      left_out = x.left_out${sets}
    from unnest(?::bigint[], ?::bigint[], ?::smallint[], ?::text[], ?::text[], ?::text[]${slots.map(({ type }) => `, ?::${type}`).join('')})
      x(id, emitted_at, extra, data, brief, left_out${slots.map(({ name }) => `, ${name}`).join('')})
    where r.subject = ? and r.feed = ? and r.id = x.id`
  const column = <T>(value: (row: WrittenRow) => T) => rows.map(value)
  return session.run(
    sql,
    ...[column(({ id }) => id), column(({ emittedAt }) => emittedAt)],
    ...[column(({ extra }) => extra), column(({ data }) => data)],
    ...briefColumns(rows),
    ...slots.map(({ value }) => column(value)),
    ...[subject, feed],
  )
}

function writeLog(session: Session, subject: number, feed: number, { log }: RecordBatch): Promise<number>[] {
  const writes: Promise<number>[] = []
  const forgotten = [...log.forgotten]
  const forget = 'delete from change where subject = ? and feed = ? and record = any(?::bigint[])'
  if (forgotten.length > 0) writes.push(session.run(forget, subject, feed, forgotten))
  const cleared = [...log.cleared].flatMap(([record, parts]) =>
    [...parts].map(([part, bits]) => ({ record, part, bits })),
  )
  if (cleared.length > 0) {
    const clear = `update change c set mask = c.mask & ~x.bits from unnest(?::bigint[], ?::smallint[], ?::bigint[]) x(record, part, bits)
      where c.subject = ? and c.feed = ? and c.record = x.record and c.part = x.part`
    const lists = [
      cleared.map(({ record }) => record),
      cleared.map(({ part }) => part),
      cleared.map(({ bits }) => bits),
    ]
    const empty = 'delete from change where subject = ? and feed = ? and record = any(?::bigint[]) and mask = 0'
    writes.push(session.run(clear, ...lists, subject, feed))
    writes.push(session.run(empty, subject, feed, [...log.cleared.keys()]))
  }
  const { added } = log
  if (added.length === 0) return writes
  const insert = `insert into change select ?, ?, * from
    unnest(?::bigint[], ?::smallint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::smallint[])`
  const inserted = session.run(
    insert,
    ...[subject, feed],
    ...[added.map(({ version }) => version), added.map(({ part }) => part), added.map(({ record }) => record)],
    ...[added.map(({ mask }) => mask), added.map(({ emittedAt }) => emittedAt), added.map(({ deleted }) => deleted)],
  )
  return [...writes, inserted]
}

function writeTombstones(
  session: Session,
  subject: number,
  feed: number,
  { relinked, tombstones }: RecordBatch,
): Promise<number>[] {
  const writes: Promise<number>[] = []
  const relink = `update tombstone t set current = x.id from unnest(?::text[], ?::bigint[]) x(key, id)
    where t.subject = ? and t.feed = ? and t.key = x.key`
  if (relinked.size > 0) writes.push(session.run(relink, [...relinked.keys()], [...relinked.values()], subject, feed))
  if (tombstones.length === 0) return writes
  const insert = `insert into tombstone select ?, ?, * from
    unnest(?::bigint[], ?::bigint[], ?::text[], ?::bigint[], ?::bigint[], ?::bigint[])`
  const inserted = session.run(
    insert,
    ...[subject, feed],
    ...[tombstones.map(({ number }) => number), tombstones.map(({ current }) => current)],
    ...[tombstones.map(({ key }) => key), tombstones.map(({ time }) => time)],
    ...[tombstones.map(({ at }) => at), tombstones.map(({ version }) => version)],
  )
  return [...writes, inserted]
}
