import { blobOf, blobText, shortTime } from '@pdpp/mcp-server/client'
import { countChars, previewChars, rawNumber } from '@pdpp/protocol'
import { dim, oneLine, terminalColumns } from './output.ts'
import { cutToWidth, displayWidth, padToWidth } from './width.ts'

const GAP = 2
const MAX_CELL = 60
const MIN_CELL = 14
/** Max. characters per cell when the output is not a terminal. */
const MAX_PIPED_CELL_CHARS = 200

export interface Column {
  readonly name: string
  readonly cells: readonly string[]
  /** True for keys and times, which are useless when cut. */
  readonly whole?: boolean
}

export interface FittedTable {
  readonly lines: readonly string[]
  /** Names of the columns that did not fit. */
  readonly left: readonly string[]
  /** True if any value was shortened. */
  readonly cut: boolean
}

/** The value as one line of text. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  const raw = rawNumber(value)
  if (raw !== undefined) return raw
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\dT/.test(value) ? shortTime(value) : oneLine(value)
  if (typeof value !== 'object') return String(value)
  const descriptor = value as { object?: unknown; preview?: unknown; total_chars?: unknown }
  if (descriptor.object === 'field_descriptor')
    return `${oneLine(String(descriptor.preview ?? ''))}… (${descriptor.total_chars ?? '?'} chars)`
  const blob = blobOf(value)
  if (blob) return `${blobText(blob)}, ${oneLine(blob.id)}`
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return oneLine(value.join(', '))
  return oneLine(JSON.stringify(value))
}

/** Fits a table into the terminal: shortens cells first, then leaves out columns. Other outputs get all columns. */
export function fitTable(columns: readonly Column[], width: number | undefined = terminalColumns()): FittedTable {
  if (width === undefined) return plainTable(columns)
  const natural = columns.map(({ name, cells }) =>
    Math.min(MAX_CELL, Math.max(displayWidth(name), ...cells.map(displayWidth))),
  )
  const minimum = columns.map(({ whole }, index) => (whole ? natural[index]! : Math.min(natural[index]!, MIN_CELL)))
  let count = columns.length
  while (count > 1 && sum(minimum.slice(0, count)) + GAP * (count - 1) > width) count--
  const widths = shrink(natural.slice(0, count), minimum, width - GAP * (count - 1))
  return render(columns, widths)
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

/** Narrows the widest column first, and no column below its minimum. */
function shrink(widths: readonly number[], minimum: readonly number[], available: number): number[] {
  const result = [...widths]
  for (let excess = sum(result) - available; excess > 0; excess--) {
    const spare = result.map((width, index) => (width > minimum[index]! ? width : 0))
    const widest = spare.indexOf(Math.max(...spare))
    if (spare[widest] === 0) break
    result[widest]!--
  }
  return result
}

function plainTable(columns: readonly Column[]): FittedTable {
  let cut = false
  const shortened = columns.map(({ name, cells }) => ({
    name,
    cells: cells.map((cell) => {
      if (countChars(cell) <= MAX_PIPED_CELL_CHARS) return cell
      cut = true
      return previewChars(cell, MAX_PIPED_CELL_CHARS)
    }),
  }))
  const widths = shortened.map(({ name, cells }) => Math.max(displayWidth(name), ...cells.map(displayWidth)))
  const table = render(shortened, widths)
  return { ...table, cut }
}

function render(columns: readonly Column[], widths: readonly number[]): FittedTable {
  const fitting = columns.slice(0, widths.length)
  let cut = false
  const line = (texts: readonly string[]) =>
    texts
      .map((text, index) => {
        const fitted = cutToWidth(text, widths[index]!)
        if (fitted !== text) cut = true
        return padToWidth(fitted, widths[index]!)
      })
      .join(' '.repeat(GAP))
      .trimEnd()
  const head = dim(line(fitting.map(({ name }) => name.toUpperCase())))
  cut = false
  const rows = (fitting[0]?.cells ?? []).map((_, row) => line(fitting.map(({ cells }) => cells[row] ?? '')))
  return { lines: [head, ...rows], left: columns.slice(widths.length).map(({ name }) => name), cut }
}
