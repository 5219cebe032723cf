import { type JsonObject, objectOf } from '@pdpp/mcp-server/client'
import { type Column, cellText, fitTable } from '../../terminal/record-table.ts'

const LONG_CHARS = 80

/** A table of records: the key, the connection or state if they differ, then fields with a value, long ones last. */
export function recordRows(rows: readonly Readonly<JsonObject>[]): {
  lines: readonly string[]
  note: string | undefined
} {
  if (rows.length === 0) return { lines: [], note: undefined }
  const columns = columnsOf(rows)
  const table = fitTable(columns)
  const notes = [
    table.left.length === 0 ? undefined : `Columns that do not fit: ${table.left.join(', ')} (choose with --fields).`,
    table.cut ? 'Long values are cut. --json and --jsonl print them whole.' : undefined,
  ].filter((note) => note !== undefined)
  return { lines: table.lines, note: notes.length === 0 ? undefined : notes.join(' ') }
}

function columnsOf(rows: readonly Readonly<JsonObject>[]): Column[] {
  const id = { name: 'key', cells: rows.map((row) => cellText(row['id'])), whole: true }
  const fields = [...new Set(rows.flatMap((row) => Object.keys(objectOf(row['data']))))]
    .map((name) => ({ name, ...fieldCells(rows, name) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
    .filter(({ name, cells }) => name !== 'id' || cells.some((cell, row) => cell !== id.cells[row]))
  const related = [...new Set(rows.flatMap((row) => Object.keys(objectOf(row['expanded']))))].map((name) => ({
    name: `+${name}`,
    cells: rows.map((row) => relatedText(objectOf(row['expanded'])[name])),
  }))
  // Short fields come first, because people read them. Keys of other records come last.
  const [short, long, keys] = [
    fields.filter((each) => !isLong(each) && !isKey(each)),
    fields.filter(isLong),
    fields.filter(isKey),
  ]
  return [id, ...distinguishingColumns(rows), ...short, ...related, ...long, ...keys]
}

function fieldCells(rows: readonly Readonly<JsonObject>[], name: string): { cells: string[]; whole: boolean } {
  const values = rows.map((row) => objectOf(row['data'])[name])
  return { cells: values.map(cellText), whole: values.every((value) => (value ?? null) === null || isTime(value)) }
}

const isTime = (value: unknown): boolean => typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value)

/** The connection and the state, each only if the rows differ in it. */
function distinguishingColumns(rows: readonly Readonly<JsonObject>[]): Column[] {
  const connections = rows.map((row) => cellText(row['connection_id']))
  const states = rows.map((row) => (row['deleted'] === true ? 'deleted' : ''))
  return [
    ...(new Set(connections).size > 1 ? [{ name: 'connection', cells: connections }] : []),
    ...(states.some((text) => text !== '') ? [{ name: 'state', cells: states }] : []),
  ]
}

function relatedText(value: unknown): string {
  const list = objectOf(value)
  if (!Array.isArray(list['data'])) return value === null ? 'none' : cellText(list['id'])
  return `${list['data'].length}${list['has_more'] === true ? '+' : ''}`
}

const isKey = ({ name }: Column): boolean => /_ids?$/.test(name)
const isLong = ({ cells }: Column): boolean => cells.some((cell) => cell.length > LONG_CHARS)
