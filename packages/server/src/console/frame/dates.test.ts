import { expect, test } from 'vitest'
import { durationText } from './dates.ts'

test.each([
  ['P30D', '30 days'],
  ['P1Y6M', '1 year, 6 months'],
  ['P2W', '2 weeks'],
  ['PT1H30M', '1 hour, 30 minutes'],
  ['P1MT1M', '1 month, 1 minute'],
  ['PT90S', '90 seconds'],
  ['P0D', 'no time at all'],
])('%s is %s', (duration, text) => {
  expect(durationText(duration)).toBe(text)
})
