import { expect, test } from 'vitest'
import { madeTitle } from './made-title.ts'

const PARTS = { actor: 'Ines', source: 'Harbour chat', place: 'family', time: '2026-01-31T09:30:00Z' }

test('a made title says who or its source, where and when', () => {
  expect(madeTitle(PARTS)).toBe('Ines / family / 2026-01-31 09:30Z')
  expect(madeTitle({ ...PARTS, actor: undefined })).toBe('Harbour chat / family / 2026-01-31 09:30Z')
  expect(madeTitle({ ...PARTS, time: '2026-01-31T09:30:05.123+02:00' })).toBe(
    'Ines / family / 2026-01-31 09:30:05+02:00',
  )
  expect(madeTitle({ ...PARTS, place: undefined, time: '2026-01-31' })).toBe('Ines / 2026-01-31')
})
