// `pdpp import` next to a real server: its memory as the system counts it.
import { expect, it } from 'vitest'
import { measureCommand } from '../../bench/imports/whole-command.ts'
import { MADE_EXPORTS } from '../fixtures/exports/all-exports.ts'
import { repetitions } from '../fixtures/repetitions.ts'

const MAX_MEGABYTES = 200

/** The first one fills memory fastest. The readers of all formats are measured in packages/importers/tests. */
const EXPORTS: [string, number][] = [
  ['mail (mbox)', 6000],
  ['iCalendar', 4000],
  ['JPEG photos', 300],
]

it.each(EXPORTS.slice(0, repetitions(1, EXPORTS.length)))(
  '%s stays below 200 MB',
  { timeout: 120_000 },
  async (format, items) => {
    const made = MADE_EXPORTS.find((each) => each.format === format)!
    const { records, maxMegabytes } = await measureCommand(made, items, false)
    expect(records).toBeGreaterThanOrEqual(items)
    expect(maxMegabytes).toBeLessThan(MAX_MEGABYTES)
  },
)
