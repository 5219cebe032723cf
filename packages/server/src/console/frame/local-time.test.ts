import { expect, it } from 'vitest'
import { startOfDay, zonedDay } from './local-time.ts'
import { knownZone } from './preferences.ts'

it.each([
  ['2026-11-17', 'Europe/Berlin', '2026-11-16T23:00:00.000Z'],
  ['2026-07-01', 'Europe/Berlin', '2026-06-30T22:00:00.000Z'],
  // The clocks change in this night.
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
  ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z'],
  ['2026-11-17', 'America/Los_Angeles', '2026-11-17T08:00:00.000Z'],
  ['2026-11-17', 'Asia/Kathmandu', '2026-11-16T18:15:00.000Z'],
  ['2026-11-17', 'UTC', '2026-11-17T00:00:00.000Z'],
])('%s in %s begins at %s', (day, zone, instant) => {
  const start = startOfDay(day, zone)
  expect(new Date(start).toISOString()).toBe(instant)
  expect([zonedDay(start, zone), zonedDay(start - 1, zone) < day]).toEqual([day, true])
})

it('accepts only zones that exist', () => {
  expect(['Europe/Berlin', 'Mars/Olympus', '../etc', '', undefined].map(knownZone)).toEqual([
    'Europe/Berlin',
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})
