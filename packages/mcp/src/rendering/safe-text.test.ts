import { expect, test } from 'vitest'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { safeLine, safeText, weekdayTime, wholeTime, zonedTime } from './safe-text.ts'
import { cell } from './table.ts'

verifies('checklist 23', 'invisible characters are written as escapes', () => {
  expect(safeLine('a\u202eb\u{e0041}c\u200bd')).toBe('a\\u{202e}b\\u{e0041}c\\u{200b}d')
  expect(safeText('a\r\nb\u0007')).toBe('a\nb\\u{7}')
})

test.each(['👩‍👩‍👧‍👦', '❤️', '1️⃣', 'می‌خواهم', 'क्‍ष', 'ශ්‍රී', '👍🏽'])('%s stays unchanged', (text) => {
  expect(safeText(text)).toBe(text)
})

verifies('checklist 23', 'joiners and selectors that join nothing are written out', () => {
  expect(safeText('a\u200db\u200cc')).toBe('a\\u{200d}b\\u{200c}c')
  expect(safeText('e\ufe0f')).toBe('e\\u{fe0f}')
  expect(safeText('👩\u200d\u200d👩')).toBe('👩\u200d\\u{200d}👩')
})

verifies('checklist 23', 'links and images of others do not become ours', () => {
  expect(safeText('![x](https://evil.example)')).toBe('![x]\\(https://evil.example)')
})

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

test('a cell is cut between graphemes', () => {
  const text = '👩🏽‍🚀'.repeat(200)
  const shown = cell(text, 'body', (_field, offset) => `from ${offset}`)
  expect(shown).toContain('from 600')
  expect(cell(`a${text}`, 'body', (_field, offset) => `from ${offset}`)).toContain('[597 of 801 chars; from 597]')
})
