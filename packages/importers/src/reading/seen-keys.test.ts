import { expect, it } from 'vitest'
import { SeenKeys } from './seen-keys.ts'

it('tells keys it met, with what content, and says when it cannot know', () => {
  const seen = new SeenKeys(5000)
  for (let n = 0; n < 5000; n++) expect(seen.meet(`key ${n}`, `content ${n}`)).toBe('first')
  for (let n = 0; n < 5000; n++) expect(seen.meet(`key ${n}`, `content ${n}`)).toBe('same')
  expect(seen.meet('key 17', 'another')).toBe('other')
  expect(seen.meet('one more', '')).toBe('unknown')
})
