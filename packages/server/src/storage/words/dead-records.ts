import type { DocumentColumns, Run } from '../../search/segments/document-columns.ts'

/**
 * Replaced or deleted records, by edition and number. The value is an age: all versions of the record in older segments
 * are dead.
 */
export type DeadRecords = ReadonlyMap<number, ReadonlyMap<number, number>>

export interface DeadRow {
  edition: number
  number: number
  before: number
}

export function deadRecords(rows: readonly DeadRow[]): DeadRecords {
  const dead = new Map<number, Map<number, number>>()
  for (const { edition, number, before } of rows) {
    const numbers = dead.get(edition) ?? new Map<number, number>()
    numbers.set(number, before)
    dead.set(edition, numbers)
  }
  return dead
}

/**
 * If a run has at most one possibly dead record per this many documents, each of these records is searched for.
 * Otherwise all documents of the run are checked.
 */
const SHARE_TO_SEEK = 500

/** Calls back with each dead document of a segment. A segment has at most one version of a record. */
export function eachDead(
  columns: DocumentColumns,
  age: number,
  dead: DeadRecords,
  visit: (doc: number, edition: number, number: number) => void,
): void {
  if (dead.size === 0) return
  for (const run of columns.runs) {
    const numbers = dead.get(run.edition)
    if (!numbers) continue
    const possible = numbersIn(columns, run, numbers)
    if (possible.length > (run.end - run.start) / SHARE_TO_SEEK) {
      for (let doc = run.start; doc < run.end; doc++) {
        const before = numbers.get(columns.numbers[doc]!)
        if (before !== undefined && before > age) visit(doc, run.edition, columns.numbers[doc]!)
      }
      continue
    }
    const own = columns.numbers.subarray(run.start, run.end)
    for (const number of possible) {
      const at = numbers.get(number)! > age ? own.indexOf(number) : -1
      if (at >= 0) visit(run.start + at, run.edition, number)
    }
  }
}

const ranges = new WeakMap<DocumentColumns, Map<Run, readonly [number, number]>>()

/**
 * The dead numbers that may be in the run. A run usually has neighbouring numbers, so its smallest and largest number
 * exclude most others.
 */
function numbersIn(columns: DocumentColumns, run: Run, numbers: ReadonlyMap<number, number>): number[] {
  const known = ranges.get(columns) ?? new Map<Run, readonly [number, number]>()
  ranges.set(columns, known)
  const [min, max] = known.get(run) ?? rangeOf(columns.numbers.subarray(run.start, run.end))
  known.set(run, [min, max])
  return [...numbers.keys()].filter((number) => number >= min && number <= max)
}

function rangeOf(numbers: DocumentColumns['numbers']): readonly [number, number] {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const number of numbers) {
    if (number < min) min = number
    if (number > max) max = number
  }
  return [min, max]
}
