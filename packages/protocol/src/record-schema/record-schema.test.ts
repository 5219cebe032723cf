import { describe, expect, test } from 'vitest'
import { compileRecordSchema, type RecordCheck, uncheckedKeywords } from './record-schema.ts'

function compiled(schema: object): RecordCheck {
  const check = compileRecordSchema(schema)
  if (typeof check === 'string') throw new Error(check)
  return check
}

const entry = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    at: { type: ['string', 'null'], format: 'date-time' },
    day: { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] },
    mail: { type: 'string', format: 'email' },
    tags: { type: 'array', items: { type: 'string' } },
  },
  required: ['id'],
}

describe('a record check', () => {
  const check = compiled(entry)

  test.each([
    { id: 'a' },
    { id: 'a', at: null, day: null },
    { id: 'a', at: '2026-01-31T08:00:00+02:00', day: '2024-02-29', tags: ['x'] },
    { id: 'a', at: '2016-12-31T23:59:60Z' },
    { id: 'a', undeclared: { anything: [1] } },
    { id: 'a', mail: 'no mail address: other formats are annotations' },
  ])('accepts %j', (record) => expect(check(record)).toBeUndefined())

  test.each([
    [{}, /^the record must have required property 'id'$/],
    [{ id: 5 }, /^id must be string$/],
    [{ id: 'a', at: 'yesterday' }, /^at must match format "date-time"$/],
    [{ id: 'a', at: '2026-02-30T00:00:00Z' }, /^at must match format "date-time"$/],
    [{ id: 'a', at: '2026-01-31' }, /^at must match format "date-time"$/],
    [{ id: 'a', at: '2026-01-31T08:00:00' }, /^at must match format "date-time"$/],
    [{ id: 'a', day: '2026-02-30' }, /^day must match format "date"$/],
    [{ id: 'a', day: '2026-01-31T08:00:00Z' }, /^day must match format "date"$/],
    [{ id: 'a', tags: ['x', 1] }, /^tags\.1 must be string$/],
    [[], /^the record must be object$/],
    [null, /^the record must be object$/],
    [Object.create({ id: 'inherited' }), /required property 'id'/],
  ])('reports what is wrong with %j', (record, message) => expect(check(record)).toMatch(message))

  test('cuts long names in its message', () => {
    const long = compiled({ additionalProperties: { type: 'string' } })
    expect(long({ ['x'.repeat(5000)]: 1 })!.length).toBeLessThan(350)
  })

  test('keeps no state between records', () => {
    expect(check({})).toBeDefined()
    expect(check({ id: 'a' })).toBeUndefined()
  })
})

describe('reports an unusable schema', () => {
  test.each([
    ['an unknown type', { type: 'objekt' }, 'schema is invalid'],
    ['a remote reference', { properties: { a: { $ref: 'https://x.example/y.json' } } }, "can't resolve reference"],
    ['a reference to a file', { properties: { a: { $ref: 'file:///etc/passwd' } } }, "can't resolve reference"],
    ['a dangling local reference', { properties: { a: { $ref: '#/$defs/none' } } }, "can't resolve reference"],
    ['a remote meta-schema', { $schema: 'https://x.example/meta' }, 'its $schema must be'],
    ['properties that are not an object', { properties: 5 }, 'schema is invalid'],
    ['an empty enum', { properties: { a: { enum: [] } } }, 'schema is invalid: /properties/a/enum'],
    [
      'a limit that is not a number',
      { properties: { a: { maxLength: '5' } } },
      'schema is invalid: /properties/a/maxLength',
    ],
    ['a subschema that is not a schema', { properties: { a: { items: 5 } } }, 'schema is invalid: /properties/a/items'],
  ])('%s', (_what, schema, reason) => {
    const message = compileRecordSchema(schema)
    expect(message).toMatch(/^is not a usable JSON Schema: /)
    expect(message).toContain(reason)
    expect((message as string).length).toBeLessThan(250)
  })
})

test('allows local references and a repeated $id', () => {
  const schema = {
    $id: 'https://x.example/entry',
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: { time: { type: 'string', format: 'date-time' } },
    properties: { at: { $ref: '#/$defs/time' } },
  }
  for (const check of [compiled(schema), compiled(schema)]) {
    expect(check({ at: '2026-01-31T08:00:00Z' })).toBeUndefined()
    expect(check({ at: 'soon' })).toMatch(/^at /)
  }
})

test('ignores $async, which would make every check truthy', () => {
  const check = compiled({ $async: true, ...entry })
  expect(check({})).toMatch(/required property 'id'/)
  expect(check({ id: 'a' })).toBeUndefined()
})

describe('stops an endless check', () => {
  const defs = (count: number, part: (next: object) => object) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, n) => [`d${n}`, n === count - 1 ? true : part({ $ref: `#/$defs/d${n + 1}` })]),
    )

  test.each([
    [
      'branches that double at each level',
      { $defs: defs(50, (next) => ({ allOf: [next, next] })), $ref: '#/$defs/d0' },
      'too many steps',
    ],
    ['a reference to itself', { $ref: '#' }, 'too deep'],
    [
      'references in a circle',
      { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' },
      'too deep',
    ],
  ])('%s', (_what, schema, reason) => {
    expect(compiled(schema)({ a: 1 })).toContain(reason)
    // The next record has its full budget of steps again.
    expect(compiled(schema)({ a: 1 })).toContain(reason)
  })

  test('allows a long record more steps', () => {
    const check = compiled({ properties: { list: { items: { type: 'integer' } } } })
    const record = { list: Array.from({ length: 400_000 }, (_, n) => n) }
    expect(check(record, JSON.stringify(record).length)).toBeUndefined()
  })
})

test('lists unevaluated keywords and refuses nothing for them', () => {
  const schema = {
    properties: { a: { pattern: '(' }, b: { patternProperties: { x: false }, additionalProperties: false } },
    unevaluatedProperties: false,
  }
  expect(compiled(schema)({ a: 'x', b: { y: 1 }, c: 1 })).toBeUndefined()
  expect(uncheckedKeywords(schema)).toEqual([
    { keyword: 'unevaluatedProperties', at: '/unevaluatedProperties' },
    { keyword: 'pattern', at: '/properties/a/pattern' },
    { keyword: 'patternProperties', at: '/properties/b/patternProperties' },
  ])
})

describe('an unevaluated keyword never counts against a record', () => {
  const digits = { pattern: '^[0-9]+$' }
  test.each<[string, object]>([
    ['not', { not: digits }],
    ['not, through a reference', { not: { $ref: '#/$defs/digits' } }],
    ['not, inside another', { not: { not: { not: digits } } }],
    ['oneOf', { oneOf: [digits, { pattern: '^[a-z]+$' }] }],
    ['oneOf next to a branch that fits', { oneOf: [digits, { type: 'string' }] }],
    ['then', JSON.parse('{"if": {"pattern": "^[0-9]+$"}, "then": {"maxLength": 1}}')],
    ['else', { if: { not: digits }, else: { maxLength: 1 } }],
  ])('%s', (_what, schema) => {
    expect(compiled({ $defs: { digits }, properties: { a: schema } })({ a: 'abc' })).toBeUndefined()
  })

  test('inside a negated member', () => {
    expect(compiled({ not: { properties: { a: digits } } })({ a: 'abc' })).toBeUndefined()
  })

  test('maxContains', () => {
    const check = compiled({ contains: { type: 'string', pattern: '^[0-9]+$' }, maxContains: 1 })
    expect(check(['a', 'b'])).toBeUndefined()
    expect(check([1, 2])).toContain('must contain')
  })

  test('but evaluated keywords next to it still count', () => {
    expect(compiled({ not: { type: 'string' } })('abc')).toContain('must NOT be valid')
    expect(compiled({ oneOf: [{ type: 'string' }, { maxLength: 5 }, digits] })('abc')).toContain('exactly one')
    expect(compiled({ oneOf: [{ type: 'number', ...digits }] })('abc')).toContain('must be number')
    expect(compiled({ if: { type: 'number', ...digits }, else: { maxLength: 1 } })('abc')).toBeDefined()
    expect(compiled({ properties: { a: digits, b: { not: { type: 'string' } } } })({ a: 'x', b: 'y' })).toBeDefined()
  })
})
