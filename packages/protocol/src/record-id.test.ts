import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { verifies } from '../../../tests/fixtures/verifies.ts'
import { PdppError } from './errors/pdpp-error.ts'
import { isName } from './names.ts'
import { canonicalKey, formatResultId, isCanonicalKey, parseResultId } from './record-id.ts'

const name = fc.stringMatching(/^[A-Za-z0-9_.-]{1,30}$/).filter(isName)
const key = fc
  .oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 80 }),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
    // Mostly characters of the grammar, so that nested escapes and path traversal are common.
    fc.string({ unit: fc.constantFrom(':', '/', '%', '\\', '.', '2', '5', 'F', 'f', 'C', ' ', 'é'), minLength: 1 }),
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.array(fc.string({ minLength: 1, maxLength: 12 }), { minLength: 2, maxLength: 4 }).map((p) => JSON.stringify(p)),
  )
  .filter(isCanonicalKey)

function refusal(text: string): PdppError {
  try {
    parseResultId(text)
  } catch (error) {
    if (error instanceof PdppError) return error
    throw error
  }
  throw new Error(`${JSON.stringify(text)} was accepted`)
}

describe('a self-contained id', () => {
  verifies('003.19.1', 'gives back the connection, stream and key it was made of', () => {
    fc.assert(
      fc.property(name, name, key, (connectionId, stream, recordKey) => {
        const id = formatResultId({ connectionId, stream, recordKey })
        expect(parseResultId(id)).toEqual({ connectionId, stream, recordKey })
        expect(id.match(/[/\\]/g)).toEqual(['/'])
        // The id stays on one line between its neighbours and can be copied.
        expect(id).not.toMatch(/[\p{Cc}\p{Default_Ignorable_Code_Point}|·]| {2}|\s$/u)
      }),
      { numRuns: 500 },
    )
  })

  test.each([
    ['o1', 'cin_4f2a/orders:o1'],
    ['a:b:c', 'cin_4f2a/orders:a:b:c'],
    ['https://x.example/a?b=1%202', 'cin_4f2a/orders:https:%2F%2Fx.example%2Fa?b=1%25202'],
    ['../../etc/passwd', 'cin_4f2a/orders:..%2F..%2Fetc%2Fpasswd'],
    ['C:\\temp\\x', 'cin_4f2a/orders:C:%5Ctemp%5Cx'],
    ['["a/b","ü 😀"]', 'cin_4f2a/orders:["a%2Fb","ü 😀"]'],
    ['%2F', 'cin_4f2a/orders:%252F'],
    ['a\n2. b', 'cin_4f2a/orders:a%0A2. b'],
    [' a  b ', 'cin_4f2a/orders:%20a%20 b%20'],
    ['a\u200bb\u202ec\u00a0d', 'cin_4f2a/orders:a%E2%80%8Bb%E2%80%AEc%C2%A0d'],
    ['a | b · c', 'cin_4f2a/orders:a %7C b %C2%B7 c'],
  ])('of the key %s is %s', (recordKey, id) => {
    expect(formatResultId({ connectionId: 'cin_4f2a', stream: 'orders', recordKey })).toBe(id)
    expect(parseResultId(id).recordKey).toBe(recordKey)
  })

  test('is decoded only once', () => {
    expect(parseResultId('c/s:%252F').recordKey).toBe('%2F')
    expect(parseResultId('c/s:%25252e').recordKey).toBe('%252e')
    fc.assert(
      fc.property(key, fc.integer({ min: 1, max: 4 }), (recordKey, depth) => {
        let wrapped = recordKey
        for (let layer = 0; layer < depth; layer++) wrapped = wrapped.replaceAll('%', '%25').replaceAll('/', '%2F')
        fc.pre(isCanonicalKey(wrapped))
        const id = formatResultId({ connectionId: 'c', stream: 's', recordKey: wrapped })
        expect(parseResultId(id).recordKey).toBe(wrapped)
      }),
    )
  })

  test('may contain unescaped blanks, as older ids do', () => {
    expect(parseResultId('c/s: a\n | b ').recordKey).toBe(' a\n | b ')
  })

  test('may use escapes in lower case', () => {
    expect(parseResultId('c/s:a%2fb%5cc').recordKey).toBe('a/b\\c')
  })
})

describe('a legacy id', () => {
  verifies('003.19.3', 'keeps every byte of its key: nothing is decoded', () => {
    const legacyKey = key.filter((text) => !/[/\\]/.test(text) && !text.includes('..'))
    fc.assert(
      fc.property(name, legacyKey, (stream, recordKey) => {
        expect(parseResultId(`${stream}:${recordKey}`)).toEqual({ stream, recordKey })
      }),
    )
  })

  verifies.each('003.19.3', [
    ['orders:o1', 'orders', 'o1'],
    ['orders:a:b', 'orders', 'a:b'],
    ['orders:%2F%5C', 'orders', '%2F%5C'],
    ['orders:%252e%', 'orders', '%252e%'],
    ['orders: o 1 ', 'orders', ' o 1 '],
  ])('%s splits at the first colon', (id, stream, recordKey) => {
    expect(parseResultId(id)).toEqual({ stream, recordKey })
  })
})

verifies.group('003.19.5', 'refused before anything is asked of a server', () => {
  test.each([
    ['nothing', ''],
    ['no separator', 'orders'],
    ['only separators', '/:'],
    ['empty connection', '/orders:o1'],
    ['empty stream', 'cin_1/:o1'],
    ['empty record', 'cin_1/orders:'],
    ['no record part', 'cin_1/orders'],
    ['empty legacy stream', ':o1'],
    ['empty legacy record', 'orders:'],
    ['second slash before the colon', 'cin_1/x/orders:o1'],
    ['raw slash in the record', 'cin_1/orders:a/b'],
    ['raw backslash in the record', 'cin_1/orders:a\\b'],
    ['raw traversal in the record', 'cin_1/orders:../../v1/owner'],
    ['record is one dot', 'cin_1/orders:.'],
    ['record is two dots', 'cin_1/orders:..'],
    ['traversal in the connection', '../orders:o1'],
    ['dots inside the connection', 'a..b/orders:o1'],
    ['traversal in the stream', 'cin_1/..:o1'],
    ['dots inside the stream', 'cin_1/a..b:o1'],
    ['encoded slash in the connection', 'cin%2F1/orders:o1'],
    ['encoded dots in the record', 'cin_1/orders:%2e%2e'],
    ['encoded NUL', 'cin_1/orders:a%00'],
    ['raw NUL', 'cin_1/orders:a\u0000'],
    ['an escape that we never write', 'cin_1/orders:%41'],
    ['a cut escape', 'cin_1/orders:a%2'],
    ['a lone percent sign', 'cin_1/orders:100%'],
    ['a line break in an escape', 'cin_1/orders:a%\n5'],
    ['a lone surrogate', 'cin_1/orders:\ud800'],
    ['a space in the stream', 'cin_1/my orders:o1'],
    ['a colon in the connection', 'cin:1/orders:o1'],
    ['backslash in a legacy record', 'orders:a\\b'],
    ['dots in a legacy record', 'orders:a..b'],
    ['a URL', 'https://x.example/a'],
    ['a record key above 512 bytes', `cin_1/orders:${'é'.repeat(257)}`],
    ['a legacy key above 512 bytes', `orders:${'x'.repeat(513)}`],
  ])('%s', (_what, id) => {
    const error = refusal(id)
    expect(error.code).toBe('invalid_argument')
    expect(error.detail.param).toBe('id')
    expect(error.nextStep).toContain('connection_id/stream:record_key')
  })

  test('a long id, without repeating it', () => {
    expect(refusal(`cin_1/orders:/${'x'.repeat(5000)}`).message.length).toBeLessThan(120)
  })

  test('any other text, and never accepts a forbidden name', () => {
    const hostile = fc.string({
      unit: fc.constantFrom('a', ':', '/', '\\', '.', '%', '2', 'F', '5', 'C', 'e', '\u0000'),
    })
    fc.assert(
      fc.property(fc.oneof(hostile, fc.string({ unit: 'binary' })), (text) => {
        let parsed: ReturnType<typeof parseResultId>
        try {
          parsed = parseResultId(text)
        } catch (error) {
          expect((error as PdppError).code).toBe('invalid_argument')
          return
        }
        expect(isName(parsed.stream) && (parsed.connectionId === undefined || isName(parsed.connectionId))).toBe(true)
        expect(isCanonicalKey(parsed.recordKey)).toBe(true)
        expect(parsed.connectionId === undefined).toBe(!text.includes('/'))
      }),
      { numRuns: 1000 },
    )
  })
})

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
