import type { TimeRange } from '../../aggregates/time-buckets.ts'
import { yearStart } from '../../aggregates/time-zone.ts'

/** The years that have records, and the time ranges that consecutive years form. */
export interface OccupiedYears {
  readonly years: readonly number[]
  readonly ranges: readonly TimeRange[]
}

/** Joins consecutive years into ranges. `whole` are the first and the last instant that have records. */
export function stretches(years: readonly number[], whole: TimeRange): OccupiedYears {
  const ranges: TimeRange[] = []
  for (const year of years) {
    const [from, to] = [Math.max(yearStart(year), whole.from), Math.min(yearStart(year + 1), whole.to)]
    const last = ranges.at(-1)
    if (last?.to === from) ranges[ranges.length - 1] = { from: last.from, to }
    else ranges.push({ from, to })
  }
  return { years, ranges }
}
