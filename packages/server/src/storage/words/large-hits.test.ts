import { expect, it } from 'vitest'
import { LargeHits } from './large-hits.ts'

const long = { text: 'x'.repeat(70_000) }
const short = { text: 'a storm', tags: ['harbour'], size: null }

it('shows large records until their visible members fill the room', () => {
  const large = new LargeHits(100_000)
  expect([large.shows(long), large.shows(long), large.shows(long)]).toEqual([true, true, false])
  expect(large.isFull).toBe(true)
})

it('counts no record that is large by hidden members only', () => {
  const large = new LargeHits(100_000)
  for (let n = 0; n < 10_000; n++) expect(large.shows(short)).toBe(true)
  expect([large.shows(long), large.shows(long), large.shows(long)]).toEqual([true, true, false])
  expect(large.shows(short)).toBe(true)
})
