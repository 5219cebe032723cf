import { readTime, TEXT_FORMS } from '../../../reading/times.ts'
import { amountOf } from '../../../table/infer/amounts.ts'
import {
  saysActor,
  saysGroup,
  saysId,
  saysText,
  saysTime,
  saysTitle,
  saysUnit,
} from '../../../table/infer/column-names.ts'
import { isNumberText, numberText } from '../../../table/infer/values.ts'

type Cells = readonly string[]
type Kind = 'empty' | 'text' | 'number' | 'amount' | 'time' | 'email' | 'link' | 'uuid'

/** Longer cells are sentences, so they have no type. */
const MAX_TYPED_CHARS = 60
const YEAR = /^(?:19|20)\d\d$/

/**
 * True if the first record names the columns. It is data if one of its cells has the same type as the rest of its
 * column, such as a number or a date. It is also data if no cell looks like a name and one of them occurs again in its
 * column.
 */
export function hasHeader(first: Cells, others: readonly Cells[]): boolean {
  // Concatenated files repeat the header.
  const rows = others.filter((cells) => !cells.every((cell, at) => cell === first[at]))
  const columns = first.map((cell, at) => ({ cell: cell.trim(), below: rows.map((cells) => (cells[at] ?? '').trim()) }))
  if (columns.some(({ cell, below }) => isOfItsColumn(cell, below))) return false
  return (
    columns.some(({ cell }) => isName(cell)) || !columns.some(({ cell, below }) => cell !== '' && below.includes(cell))
  )
}

function isOfItsColumn(cell: string, below: Cells): boolean {
  const kind = kindOf(cell)
  if (kind === 'empty' || kind === 'text') return false
  const filled = below.filter((each) => each !== '')
  // A year can be the name of a column of numbers. In a column of years it is a value.
  if (YEAR.test(cell)) return filled.length > 0 && filled.every((each) => YEAR.test(each))
  if (filled.length === 0) return kind !== 'number' || below.length === 0
  return filled.filter((each) => kindOf(each) === kind).length * 2 > filled.length
}

function kindOf(cell: string): Kind {
  if (cell === '') return 'empty'
  if (cell.length > MAX_TYPED_CHARS) return 'text'
  if (isNumberText(cell) || numberText(cell, 'comma') !== undefined || numberText(cell, 'grouped') !== undefined)
    return 'number'
  if (amountOf(cell)) return 'amount'
  if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(cell)) return 'email'
  if (/^(?:https?|ftp):\/\//i.test(cell)) return 'link'
  if (/^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(cell)) return 'uuid'
  return /\d/.test(cell) && TEXT_FORMS.some((form) => readTime(form, cell) !== undefined) ? 'time' : 'text'
}

const SAYS = [saysTime, saysId, saysText, saysTitle, saysActor, saysGroup, saysUnit]
const isName = (cell: string): boolean => cell.length <= MAX_TYPED_CHARS && SAYS.some((says) => says(cell))
