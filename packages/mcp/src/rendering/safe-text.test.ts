import { expect, test } from 'vitest'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { safeLine, safeText } from './safe-text.ts'

verifies('checklist 23', 'what cannot be seen is written out', () => {
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
