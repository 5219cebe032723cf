import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PdppError } from './errors/pdpp-error.ts'
import { canonicalKey, isCanonicalKey } from './record-key.ts'

// Mostly characters of JSON arrays, so that two lists of parts often look alike.
const part = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', ',', '"', '[', ']', '\\', 'u', '0', ' '), minLength: 1, maxLength: 6 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 6 }),
)

describe('a canonical key', () => {
  test('is the text of one part or a JSON array of several', () => {
    expect(canonicalKey(['https://x.example/a b'])).toBe('https://x.example/a b')
    expect(canonicalKey([42])).toBe('42')
    expect(canonicalKey([false])).toBe('false')
    expect(canonicalKey([12345678901234567890n])).toBe('12345678901234567890')
    expect(canonicalKey(['a', 1, true])).toBe('["a","1","true"]')
  })

  test.each([
    [['a', 'b'], ['a,b']],
    [
      ['a', 'b,c'],
      ['a,b', 'c'],
    ],
    [
      ['a"', 'b'],
      ['a', '"b'],
    ],
  ])('distinguishes %j and %j', (one, other) => {
    expect(canonicalKey(one)).not.toBe(canonicalKey(other))
  })

  test('is unique for every list of parts', () => {
    fc.assert(
      fc.property(fc.array(part, { minLength: 2, maxLength: 5 }), (parts) => {
        fc.pre(Buffer.byteLength(JSON.stringify(parts)) <= 512)
        expect(JSON.parse(canonicalKey(parts))).toEqual(parts)
      }),
    )
  })

  test('distinguishes lone surrogates in a compound key', () => {
    expect(canonicalKey(['a', '\ud800'])).toBe('["a","\\ud800"]')
    expect(canonicalKey(['a', '\ud800'])).not.toBe(canonicalKey(['a', '\ud801']))
    expect(canonicalKey(['a', '\ud800'])).not.toBe(canonicalKey(['a', '\\ud800']))
  })
})

describe('what can be a key', () => {
  test.each([
    ['the empty text', '', false],
    ['one dot', '.', false],
    ['two dots', '..', false],
    ['three dots', '...', true],
    ['a path', '../a', true],
    ['512 bytes', 'x'.repeat(512), true],
    ['513 bytes', 'x'.repeat(513), false],
    ['512 bytes in two-byte characters', 'é'.repeat(256), true],
    ['514 bytes in 257 characters', 'é'.repeat(257), false],
    ['a lone high surrogate', 'a\ud83d', false],
    ['a lone low surrogate', '\ude00a', false],
    ['an emoji', '😀', true],
    ['NUL', 'a\u0000b', false],
    ['a line break', 'a\nb', true],
    ['a space', ' ', true],
  ])('%s', (_what, text, accepted) => {
    expect(isCanonicalKey(text)).toBe(accepted)
    if (accepted) expect(canonicalKey([text])).toBe(text)
    else expect(() => canonicalKey([text])).toThrow(PdppError)
  })

  test.each([[[]], [['']], [['a', '']], [['a', 'x'.repeat(510)]]])('parts %j', (parts) => {
    expect(() => canonicalKey(parts)).toThrow(expect.objectContaining({ code: 'invalid_record_identity' }))
  })
})
