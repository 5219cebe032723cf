import { describe, expect, test } from 'vitest'
import { isFieldName, isName, requireName } from './names.ts'

describe('stream names, connection ids and connector keys', () => {
  test.each(['a', 'A-z_0.9', 'x'.repeat(100), '-', '_', '.a', 'a.b.c'])('may be %s', (text) => {
    expect(isName(text)).toBe(true)
    expect(requireName(text, 'stream')).toBe(text)
  })

  test.each([
    '',
    '.',
    '..',
    'a..b',
    'a/b',
    'a\\b',
    'a:b',
    'a b',
    'a%2e',
    'ä',
    '😀',
    'a\n',
    '\na',
    'x'.repeat(101),
    'a\u0000',
  ])('may not be %j', (text) => {
    expect(isName(text)).toBe(false)
    expect(() => requireName(text, 'connection_id')).toThrow(
      expect.objectContaining({
        code: 'invalid_argument',
        detail: { param: 'connection_id' },
        message: 'connection_id must be 1 to 100 of A-Z a-z 0-9 _ . - without "..".',
      }),
    )
  })
})

describe('field names', () => {
  test.each(['id', 'Größe (cm)', 'a.b', '$ref', '"quoted"', "it's", 'constructor', '😀', 'é'.repeat(100), ' '])(
    'may be %s',
    (text) => expect(isFieldName(text)).toBe(true),
  )

  test.each([
    '',
    'a[b',
    'a]',
    'a,b',
    'a\nb',
    'a\u0000',
    'a\u0085b',
    '__proto__',
    'x'.repeat(201),
    'é'.repeat(101),
    'a\ud800',
  ])('may not be %j', (text) => expect(isFieldName(text)).toBe(false))
})
