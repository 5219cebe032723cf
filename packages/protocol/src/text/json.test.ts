import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  beyondDouble,
  canonicalJson,
  isDeeper,
  mayHoldLongNumbers,
  parseJson,
  rawNumber,
  withPlainNumbers,
} from './json.ts'

const rewritten = (text: string): string => JSON.stringify(parseJson(text))
const integer = fc.stringMatching(/^-?(0|[1-9][0-9]{0,32})$/).filter((text) => text !== '-0')
const decimal = fc.stringMatching(/^-?(0|[1-9][0-9]{0,20})\.[0-9]{1,25}$/)
const exponent = fc.stringMatching(/^-?[1-9](\.[0-9]{1,20})?[eE][+-]?[0-9]{1,3}$/)
const literal = fc.oneof(integer, decimal, exponent)

describe('a number', () => {
  test.each([
    '9007199254740993',
    '-9223372036854775808',
    '123456789012345678901234567890',
    '0.1234567890123456789',
    '123456789012.12345678901',
    '1234567.12345678901',
    '1.10',
    '100.0',
    '0.00',
    '0.0000001',
    '1e3',
    '1E+400',
    '-2.50e-07',
  ])('%s keeps every byte', (text) => {
    expect(rewritten(`{"n":${text}}`)).toBe(`{"n":${text}}`)
  })

  test('keeps every byte in any position of a document', () => {
    fc.assert(
      fc.property(literal, fc.nat({ max: 9 }), (text, other) => {
        expect(rewritten(text)).toBe(text)
        const document = `{"a":[${text},${other}],"b":{"c":${text}},"d":"${text}"}`
        expect(rewritten(document)).toBe(document)
      }),
      { numRuns: 1000 },
    )
  })

  test('stays a plain number if a double prints it the same', () => {
    for (const text of ['0', '42', '-1.5', '9007199254740991', '0.1', '999999999999999']) {
      expect(parseJson(`[${text},12345678901234567890]`)).toEqual([Number(text), expect.anything()])
    }
  })
})

describe('the digits of a kept number', () => {
  test('are returned only for such numbers', () => {
    const [kept, ...others] = parseJson(
      '[12345678901234567890,"12345678901234567890",1,null,{"rawJSON":"1"},[]]',
    ) as unknown[]
    expect(rawNumber(kept)).toBe('12345678901234567890')
    for (const other of others) expect(rawNumber(other)).toBeUndefined()
  })

  test('occur only in texts that mayHoldLongNumbers accepts', () => {
    fc.assert(
      fc.property(fc.oneof(literal, fc.json()), (text) => {
        const holds = (value: unknown): boolean =>
          rawNumber(value) !== undefined ||
          (value !== null && typeof value === 'object' && Object.values(value).some(holds))
        if (holds(parseJson(text))) expect(mayHoldLongNumbers(text)).toBe(true)
      }),
    )
    expect(mayHoldLongNumbers('{"n":12345678901234567890}')).toBe(true)
    for (const text of ['1.10', '[1.0]', '{"n":-0.50}', '[2.0 ,1]', '{"n":1.20,"m":1}', '[1.0\n]'])
      expect(mayHoldLongNumbers(text)).toBe(true)
    expect(mayHoldLongNumbers('{"n":123456789,"s":"2026-01-02T03:04:05Z"}')).toBe(false)
    expect(mayHoldLongNumbers('{"s":"2026-01-02T03:04:05.000Z","t":"2026-01-02T03:04:05.120+02:00"}')).toBe(false)
  })
})

describe('withPlainNumbers', () => {
  test('returns what JSON.parse returns', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          literal,
          literal.map((text) => `{"a":[${text}],"b":${text}}`),
        ),
        (text) => {
          expect(withPlainNumbers(parseJson(text))).toEqual(JSON.parse(text))
        },
      ),
    )
  })

  test('keeps the original and sets no prototype', () => {
    const value = parseJson('{"__proto__":{"admin":12345678901234567890}}')
    const plain = withPlainNumbers(value) as Record<string, unknown>
    expect(Object.keys(plain)).toEqual(['__proto__'])
    expect(plain['admin']).toBeUndefined()
    expect(JSON.stringify(value)).toContain('12345678901234567890')
  })
})

describe('canonical JSON', () => {
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reversed)
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, member]) => [key, reversed(member)]),
    )
  }

  test('does not depend on the order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(reversed(value))).toBe(canonicalJson(value))
      }),
    )
    expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: null })).toBe('{"a":null,"b":[{"c":2,"d":1}]}')
  })

  test('parses to the same value', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(JSON.parse(canonicalJson(parseJson(text)))).toEqual(JSON.parse(text))
      }),
    )
  })

  test('keeps the order of arrays and the digits of numbers', () => {
    expect(canonicalJson([2, 1])).toBe('[2,1]')
    expect(canonicalJson(parseJson('{"z":1.10,"a":12345678901234567890}'))).toBe('{"a":12345678901234567890,"z":1.10}')
  })

  test('distinguishes a text of digits from a number', () => {
    expect(canonicalJson(parseJson('"12345678901234567890"'))).not.toBe(
      canonicalJson(parseJson('12345678901234567890')),
    )
  })
})

test('invalid JSON is refused on both paths', () => {
  for (const text of ['', '{', '[1,]', '01', '{"a":12345678901234567890', 'NaN', '1.', '.5000000000000000000']) {
    expect(() => parseJson(text)).toThrow(SyntaxError)
  }
})

describe('isDeeper', () => {
  const nested = (depth: number, inside = '1') => `${'[{"a":'.repeat(depth)}${inside}${'}]'.repeat(depth)}`

  test('measures the depth without parsing', () => {
    expect([isDeeper(nested(5), 9), isDeeper(nested(5), 8)]).toEqual([false, true])
    expect([isDeeper('7', 0), isDeeper('{}', 0), isDeeper('[[]]', 0)]).toEqual([false, false, true])
    expect(isDeeper('['.repeat(1_000_000), 500)).toBe(true)
  })

  test('ignores brackets inside strings', () => {
    const depthOf = (value: unknown): number =>
      value !== null && typeof value === 'object' ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0
    const text = fc.stringMatching(/^[[\]{}"\\a]{0,9}$/)
    const value = fc.jsonValue({ maxDepth: 4 }).chain((any) => text.map((name) => [{ [name]: any, last: name }]))
    fc.assert(
      fc.property(value, (any) => {
        const [depth, json] = [depthOf(any), JSON.stringify(any)]
        return !isDeeper(json, depth - 1) && isDeeper(json, depth - 2)
      }),
    )
  })
})

test('beyondDouble finds a number too large for a double', () => {
  const path = (text: string) => beyondDouble(parseJson(text))
  expect(path('{"a":{"b":[1,1e999]}}')).toBe('a.b.1')
  expect(path('{"a":-1e400}')).toBe('a')
  expect(path(`{"a":[{"b":${'9'.repeat(100_000)}}]}`)).toBe('a.0.b')
  expect(path(`{"a":1e308,"b":1e-999,"c":"1e999","d":${'9'.repeat(300)},"e":0.${'1'.repeat(5000)},"f":null}`)).toBe(
    undefined,
  )
})
