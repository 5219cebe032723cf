import { expect, test } from 'vitest'
import { binaryOf, weekdayTime, wholeTime, zonedTime } from './preview.ts'
import { cell } from './table.ts'

test.each([
  ['2026-09-29T09:48:00.000Z', '2026-09-29 09:48Z'],
  ['2026-09-29T09:48:12Z', '2026-09-29 09:48:12Z'],
  ['2026-09-29T09:48:00.250+02:00', '2026-09-29 09:48:00.250+02:00'],
])('shortens a time without losing precision: %s', (time, shown) => {
  expect(wholeTime(time)).toBe(shown)
  expect(cell(time, 'sent_at', () => '')).toBe(shown)
})

test('rewrites only complete times with a zone', () => {
  for (const text of ['2026-09-29', '2026-09-29T09:48:00', 'at 2026-09-29T09:48:00Z', '2026-09-29 09:48Z'])
    expect(wholeTime(text)).toBeUndefined()
  expect(zonedTime('2026-09-29T09:48:00.000Z')).toBe('2026-09-29 09:48Z')
})

test.each([
  ['2026-09-29T09:48:00.000Z', 'Tue 2026-09-29 09:48Z'],
  ['2026-09-29T23:48:00-08:00', 'Tue 2026-09-29 23:48-08:00'],
  ['2026-03-01', 'Sun 2026-03-01'],
  ['2026-13-01', '2026-13-01'],
  ['last spring', 'last spring'],
])('the weekday is that of the written date: %s', (time, shown) => {
  expect(weekdayTime(time)).toBe(shown)
})

test('base64 text has the size of its bytes', () => {
  for (const size of [192, 300, 3_001]) {
    const text = Buffer.alloc(size, 'bytes').toString('base64')
    expect(binaryOf(text)?.bytes).toBe(size)
    expect(binaryOf(`data:image/png;base64,${text}`)).toEqual({ mediaType: 'image/png', bytes: size })
  }
})

test('a cell is cut between graphemes', () => {
  const text = '👩🏽‍🚀'.repeat(200)
  const shown = cell(text, 'body', (_field, offset) => `from ${offset}`)
  expect(shown).toContain('from 600')
  expect(cell(`a${text}`, 'body', (_field, offset) => `from ${offset}`)).toContain('[597 of 801 chars; from 597]')
})
