import { blobOf, blobText, shortTime } from '@pdpp/mcp-server/client'
import { countChars, previewChars, rawNumber } from '@pdpp/protocol'
import { dim, oneLine, terminalColumns } from './output.ts'
import { cutToWidth, displayWidth, padToWidth } from './width.ts'

const GAP = 2
const WIDEST_CELL = 60
const NARROWEST_CELL = 14
/** Where nobody's terminal decides, a cell may be this long. */
const PIPED_CELL_CHARS = 200

export interface Column {
  readonly name: string
  readonly cells: readonly string[]
  /** Of no use in part: a key, a time. */
  readonly whole?: boolean
}

export interface FittedTable {
  readonly lines: readonly string[]
  /** Columns that did not fit. */
  readonly left: readonly string[]
  /** Whether any value is shown in part. */
  readonly cut: boolean
}

/** A value on one line. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  const raw = rawNumber(value)
  if (raw !== undefined) return raw
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\dT/.test(value) ? shortTime(value) : oneLine(value)
  if (typeof value !== 'object') return String(value)
  const described = value as { object?: unknown; preview?: unknown; total_chars?: unknown }
  if (described.object === 'field_descriptor')
    return `${oneLine(String(described.preview ?? ''))}… (${described.total_chars ?? '?'} chars)`
  const blob = blobOf(value)
  if (blob) return `${blobText(blob)}, ${oneLine(blob.id)}`
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return oneLine(value.join(', '))
  return oneLine(JSON.stringify(value))
}

/** As many columns as the terminal takes, each cut where it can be seen; all of them where no terminal is. */
export function fitTable(columns: readonly Column[], width: number | undefined = terminalColumns()): FittedTable {
  if (width === undefined) return plainTable(columns)
  const natural = columns.map(({ name, cells }) =>
    Math.min(WIDEST_CELL, Math.max(displayWidth(name), ...cells.map(displayWidth))),
  )
  const least = columns.map(({ whole }, index) => (whole ? natural[index]! : Math.min(natural[index]!, NARROWEST_CELL)))
  let count = columns.length
  while (count > 1 && sum(least.slice(0, count)) + GAP * (count - 1) > width) count--
  const widths = shrink(natural.slice(0, count), least, width - GAP * (count - 1))
  return render(columns, widths)
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

/** Takes from the widest first, and from none more than it can spare. */
function shrink(widths: readonly number[], least: readonly number[], room: number): number[] {
  const result = [...widths]
  for (let excess = sum(result) - room; excess > 0; excess--) {
    const spare = result.map((width, index) => (width > least[index]! ? width : 0))
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
      if (countChars(cell) <= PIPED_CELL_CHARS) return cell
      cut = true
      return previewChars(cell, PIPED_CELL_CHARS)
    }),
  }))
  const widths = shortened.map(({ name, cells }) => Math.max(displayWidth(name), ...cells.map(displayWidth)))
  const table = render(shortened, widths)
  return { ...table, cut }
}

function render(columns: readonly Column[], widths: readonly number[]): FittedTable {
  const shown = columns.slice(0, widths.length)
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
  const head = dim(line(shown.map(({ name }) => name.toUpperCase())))
  cut = false
  const rows = (shown[0]?.cells ?? []).map((_, row) => line(shown.map(({ cells }) => cells[row] ?? '')))
  return { lines: [head, ...rows], left: columns.slice(widths.length).map(({ name }) => name), cut }
}
