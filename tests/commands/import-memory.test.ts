// `pdpp import` next to a real server: its memory as the system counts it.
import { expect, it } from 'vitest'
import { measureCommand } from '../../bench/imports/whole-command.ts'
import { MADE_EXPORTS } from '../fixtures/exports/all-exports.ts'

const MAX_MEGABYTES = 200

it.each([
  ['mail (mbox)', 6000],
  ['iCalendar', 4000],
  ['JPEG photos', 300],
])('%s stays below 200 MB', { timeout: 120_000 }, async (format, items) => {
  const made = MADE_EXPORTS.find((each) => each.format === format)!
  const { records, maxMegabytes } = await measureCommand(made, items, false)
  expect(records).toBeGreaterThanOrEqual(items)
  expect(maxMegabytes).toBeLessThan(MAX_MEGABYTES)
})
