import { randomBytes } from 'node:crypto'
import type { ImportOverrides } from '../../importer.ts'
import type { ImportNotice } from '../../notice.ts'
import { ImportRefusal, type OverrideName } from '../../refusal.ts'
import {
  fieldName,
  keyRank,
  legalName,
  saysActor,
  saysGroup,
  saysId,
  saysText,
  saysTitle,
  saysUnit,
  timeRank,
} from '../infer/column-names.ts'
import { type ColumnProfile, FORCED_TYPES, profileColumn } from '../infer/column-profile.ts'
import type { TableSample } from '../infer/sample.ts'
import { type Reading, scalarText } from '../infer/values.ts'
import { shapeOf } from './file-place.ts'

export interface PlannedColumn extends ColumnProfile {
  readonly field: string
}

/** Everything that was inferred about a table or decided by the owner. All names are field names. */
export interface TablePlan {
  readonly table: string
  readonly stream: string
  readonly columns: readonly PlannedColumn[]
  readonly rows: number
  readonly key: readonly string[]
  /** Fields whose content makes the key, if no column can be the key. */
  readonly content: readonly string[] | undefined
  /** A new secret for keys that are made from content. */
  readonly secret: string | undefined
  readonly shape: string
  readonly header: boolean | undefined
  readonly time: string | undefined
  readonly title: string | undefined
  readonly actor: string | undefined
  /** The first field with a currency. */
  readonly amount: string | undefined
  readonly group: string | undefined
  readonly text: readonly string[]
  readonly groupable: readonly string[]
  readonly measures: readonly string[]
  readonly notices: readonly ImportNotice[]
}

const MAX_TEXT = 20
const MAX_GROUPABLE = 10
const MAX_MEASURES = 8
const MAX_KEY_CHARS = 300
/** With fewer rows, most columns are unique by chance, so only a column with a fitting name becomes the key. */
const FEW_ROWS = 10
const MANY_ROWS = 50
const NEARLY_ALL = 0.95

export function planTable(
  sample: TableSample,
  stream: string,
  overrides: ImportOverrides,
  textual: boolean,
): TablePlan {
  const columns = profileColumns(sample, overrides, textual)
  const field = (name: string, override: OverrideName) => requireField(columns, name, override).field
  const time =
    overrides.time === undefined ? chooseTime(columns, sample.rows.length) : timeOverride(columns, overrides.time)
  const chosen = overrides.key?.map((name) => field(name, 'key')) ?? chooseKey(columns, sample, stream, time)
  const key = chosen ?? [contentField(columns)]
  const actor = columns.find((column) => column.reading.as === 'string' && saysActor(column.column) && isShort(column))
  const text = overrides.text?.map((name) => textOverride(columns, name)) ?? chooseText(columns, key)
  const title =
    overrides.title === undefined ? chooseTitle(columns, text, actor, stream) : field(overrides.title, 'title')
  const rows = sample.rows.length
  return {
    table: sample.table,
    stream,
    columns,
    rows,
    key,
    content: chosen ? undefined : columns.map((column) => column.field),
    secret: chosen ? undefined : randomBytes(16).toString('hex'),
    shape: shapeOf(sample.columns),
    header: overrides.header,
    time,
    title,
    actor: actor?.field,
    amount: columns.find(({ reading }) => reading.unit !== undefined)?.field,
    group: columns.find(
      (column) => saysGroup(column.column) && isLabel(column) && column.distinct < rows && column.field !== title,
    )?.field,
    text: withTitle(text, title, columns, overrides.text !== undefined),
    groupable: chooseGroupable(columns, key, rows, actor?.field),
    measures: columns
      .filter(isMeasure)
      .slice(0, MAX_MEASURES)
      .map((column) => column.field),
    notices: [...columns.flatMap((column) => column.notices), ...keyNotice(columns, key, rows)],
  }
}

function keyNotice(
  columns: readonly PlannedColumn[],
  [name, ...others]: readonly string[],
  rows: number,
): ImportNotice[] {
  const column = columns.find((each) => each.field === name)
  if (!column || others.length > 0 || column.distinct === rows) return []
  return [{ code: 'key_not_unique', data: { field: column.field, repeated: rows - column.distinct, rows } }]
}

/** Notices about tables. A notice about several tables comes once. */
export function tableNotices(plans: readonly TablePlan[]): ImportNotice[] {
  const streamsOf = (chosen: readonly TablePlan[]) => chosen.map(({ stream }) => stream)
  const unnamed = plans.filter(({ content }) => content !== undefined)
  const timeless = plans.filter(({ time }) => time === undefined)
  const notices = plans.flatMap((plan) => plan.notices)
  if (unnamed.length > 0) notices.push({ code: 'no_key', data: { streams: streamsOf(unnamed) } })
  if (timeless.length > 0) notices.push({ code: 'no_time', data: { streams: streamsOf(timeless) } })
  return notices
}

function profileColumns(sample: TableSample, overrides: ImportOverrides, textual: boolean): PlannedColumn[] {
  const taken = new Set<string>()
  const columns = sample.columns.map((column, at) => {
    const field = fieldName(column, at, taken)
    taken.add(field)
    const values = sample.rows.map((row) => (Object.hasOwn(row, column) ? row[column] : undefined))
    const forced = overrides.types?.[column] ?? overrides.types?.[field]
    return { ...profileColumn(column, values, { textual, zone: overrides.zone ?? overrides.ownZone, forced }), field }
  })
  for (const [name, type] of Object.entries(overrides.types ?? {})) {
    requireField(columns, name, 'type')
    if (!(FORCED_TYPES as readonly string[]).includes(type))
      throw new ImportRefusal('unknown_type', { type, types: FORCED_TYPES }, 'type')
  }
  return columns
}

export function requireField(columns: readonly PlannedColumn[], name: string, override: OverrideName): PlannedColumn {
  const found = columns.find((column) => column.field === name || column.column === name)
  if (found) return found
  const known = columns.map((column) => column.field).slice(0, 40)
  throw new ImportRefusal('unknown_column', { column: name, columns: known }, override)
}

const isTime = ({ as }: Reading) => as === 'date-time' || as === 'date'

function timeOverride(columns: readonly PlannedColumn[], name: string): string {
  const column = requireField(columns, name, 'time')
  if (isTime(column.reading)) return column.field
  throw new ImportRefusal('not_a_time', { column: name, as: column.reading.as }, 'time')
}

function textOverride(columns: readonly PlannedColumn[], name: string): string {
  const column = requireField(columns, name, 'text')
  if (column.reading.as === 'string') return column.field
  throw new ImportRefusal('not_a_text', { column: name, as: column.reading.as }, 'text')
}

function chooseTime(columns: readonly PlannedColumn[], rows: number): string | undefined {
  const rank = (column: PlannedColumn) =>
    timeRank(column.column) + (column.filled >= rows * 0.9 ? 2 : 0) + (column.reading.as === 'date-time' ? 1 : 0)
  return columns
    .filter((column) => isTime(column.reading) && column.filled > 0)
    .toSorted((a, b) => rank(b) - rank(a))[0]?.field
}

function chooseKey(
  columns: readonly PlannedColumn[],
  sample: TableSample,
  stream: string,
  time: string | undefined,
): string[] | undefined {
  const rows = sample.rows.length
  const own = sample.described?.key?.map((name) => columns.find((column) => column.column === name)?.field)
  if (own && own.length <= 8 && own.every((name) => name !== undefined)) return own
  const usable = columns.filter(
    ({ reading, filled, longest }) =>
      ['string', 'integer', 'date-time', 'date'].includes(reading.as) && filled === rows && longest <= MAX_KEY_CHARS,
  )
  const named = usable
    .map((column) => ({ column, rank: keyRank(column.column, stream) }))
    .filter(({ column, rank }) => rank > (rows < FEW_ROWS ? 1 : 0) && !isTime(column.reading))
    .toSorted((a, b) => b.rank - a.rank)
  const single = named.find(({ column }) => column.distinct === rows) ?? nearlyUnique(columns, rows, stream)
  if (single) return [single.column.field]
  if (rows < 2 * FEW_ROWS) return
  const parts = [...named.map(({ column }) => column), ...usable.filter((column) => column.field === time)]
  for (const [at, first] of parts.entries()) {
    for (const second of parts.slice(at + 1)) {
      const pairs = new Set(sample.rows.map((row) => pairText(row, first.column, second.column)))
      if (pairs.size === rows) return [first.field, second.field]
    }
  }
  return
}

/** True for a column named `id` even if a few of its values are invalid. Those rows are reported. */
function nearlyUnique(columns: readonly PlannedColumn[], rows: number, stream: string) {
  const column = columns.find(
    ({ column, distinct, longest, reading }) =>
      keyRank(column, stream) >= 3 &&
      (reading.as === 'string' || reading.as === 'integer') &&
      longest <= MAX_KEY_CHARS &&
      rows >= MANY_ROWS &&
      distinct >= rows * NEARLY_ALL,
  )
  return column && { column }
}

const pairText = (row: Readonly<Record<string, unknown>>, a: string, b: string): string =>
  JSON.stringify([a, b].map((name) => (Object.hasOwn(row, name) ? scalarText(row[name]) : undefined)))

function contentField(columns: readonly PlannedColumn[]): string {
  const taken = new Set(columns.map((column) => column.field))
  return fieldName('row_id', 0, taken)
}

const isShort = (column: PlannedColumn) => column.averageLength > 0 && column.averageLength <= 60
const isLabel = (column: PlannedColumn) =>
  ['string', 'integer', 'boolean'].includes(column.reading.as) && column.filled > 0 && column.longest <= 200

function chooseText(columns: readonly PlannedColumn[], key: readonly string[]): string[] {
  return columns
    .filter((column) => column.reading.as === 'string' && column.filled > 0 && !key.includes(column.field))
    .filter(({ column, wordy, averageLength }) => {
      if (saysId(column) || (saysUnit(column) && wordy < 0.5)) return false
      return saysText(column) || saysActor(column) || wordy >= 0.3 || averageLength > 60
    })
    .map((column) => column.field)
    .slice(0, MAX_TEXT)
}

function chooseTitle(
  columns: readonly PlannedColumn[],
  text: readonly string[],
  actor: PlannedColumn | undefined,
  stream: string,
): string | undefined {
  const rank = ({ column, averageLength }: PlannedColumn) => {
    // For example the field `track` of a stream `tracks`.
    const own = stream.toLowerCase().replace(/s$/, '') === column.toLowerCase()
    const named = own ? 3 : /title|subject|headline|betreff|titel/i.test(column) ? 2 : saysTitle(column) ? 1 : 0
    return named - (averageLength > 120 ? 3 : 0)
  }
  return columns
    .filter((column) => text.includes(column.field) && column !== actor)
    .toSorted((a, b) => rank(b) - rank(a))[0]?.field
}

/** Adds the title to the searched fields, so that records are found by their title. */
function withTitle(
  text: readonly string[],
  title: string | undefined,
  columns: readonly PlannedColumn[],
  decided: boolean,
): readonly string[] {
  const isText = columns.find((column) => column.field === title)?.reading.as === 'string'
  return decided || title === undefined || !isText || text.includes(title) ? text : [title, ...text]
}

function chooseGroupable(
  columns: readonly PlannedColumn[],
  key: readonly string[],
  rows: number,
  actor: string | undefined,
): string[] {
  return columns
    .filter((column) => isLabel(column) && column.averageLength <= 60 && !(key.length === 1 && key[0] === column.field))
    .filter(
      ({ field, distinct }) =>
        field === actor || distinct <= Math.max(2, Math.min(1000, rows * (rows < 2 * FEW_ROWS ? 0.75 : 0.5))),
    )
    .filter((column) => column.reading.as !== 'integer' || column.distinct <= 50 || saysId(column.column))
    .map((column) => column.field)
    .slice(0, MAX_GROUPABLE)
}

const isMeasure = ({ reading, column, filled }: PlannedColumn) =>
  (reading.as === 'number' || reading.as === 'integer') && filled > 0 && !saysId(column)

/** The stream's name: the name of the table, or of its file. */
export const streamName = (table: string, fileName: string): string =>
  legalName(table === '' ? fileName : table, 'rows')
