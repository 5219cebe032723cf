import type { DocumentColumns, Run } from '../../../search/segments/document-columns.ts'
import type { Handle } from '../engine/database.ts'

/** Records that were replaced or deleted, by edition and number: the age before which their versions are dead. */
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

/** Those that changed after an epoch. */
export function deadSince(handle: Handle, owner: number, epoch: number): DeadRecords {
  const sql =
    'select edition, number, before from word_dead indexed by word_dead_changed where owner = ? and changed > ?'
  return deadRecords(handle.all<DeadRow & Record<string, unknown>>(sql, owner, epoch))
}

/** Those of some editions. */
export function deadOf(handle: Handle, owner: number, editions: readonly number[]): DeadRecords {
  const sql = `select edition, number, before from word_dead
    where owner = ? and edition in (select value from json_each(?))`
  return deadRecords(handle.all<DeadRow & Record<string, unknown>>(sql, owner, JSON.stringify(editions)))
}

/** Calls back with each document of a segment that is dead. */
export function eachDead(
  columns: DocumentColumns,
  age: number,
  dead: DeadRecords,
  visit: (doc: number, edition: number, number: number) => void,
): void {
  if (dead.size === 0) return
  for (const run of columns.runs) {
    const numbers = dead.get(run.edition)
    if (!numbers || !mayHave(columns, run, numbers)) continue
    for (let doc = run.start; doc < run.end; doc++) {
      const before = numbers.get(columns.numbers[doc]!)
      if (before !== undefined && before > age) visit(doc, run.edition, columns.numbers[doc]!)
    }
  }
}

const ranges = new WeakMap<DocumentColumns, Map<Run, readonly [number, number]>>()

/** Segments have neighbouring numbers, so the smallest and the largest tell most of them apart. */
function mayHave(columns: DocumentColumns, run: Run, numbers: ReadonlyMap<number, number>): boolean {
  const known = ranges.get(columns) ?? new Map<Run, readonly [number, number]>()
  ranges.set(columns, known)
  const [min, max] = known.get(run) ?? rangeOf(columns.numbers.subarray(run.start, run.end))
  known.set(run, [min, max])
  for (const number of numbers.keys()) if (number >= min && number <= max) return true
  return false
}

function rangeOf(numbers: Float64Array): readonly [number, number] {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const number of numbers) {
    if (number < min) min = number
    if (number > max) max = number
  }
  return [min, max]
}
