import { describe, expect, test } from 'vitest'
import { type FieldKind, fieldKind, isOrdered, isScalar } from './field.ts'

const root = {
  $defs: {
    when: { type: 'string', format: 'date-time' },
    'a/b~c': { type: 'integer' },
    again: { $ref: '#/$defs/when' },
  },
}

const blob = { type: 'object', properties: { blob_id: {}, sha256: {} } }

test.each<[FieldKind, unknown]>([
  ['string', { type: 'string' }],
  ['string', { type: ['null', 'string'] }],
  ['string', { type: 'string', format: 'email' }],
  ['date-time', { type: 'string', format: 'date-time' }],
  ['date', { type: ['string', 'null'], format: 'date' }],
  ['binary', { type: 'string', contentEncoding: 'base64' }],
  ['integer', { type: 'integer' }],
  ['number', { type: 'number' }],
  ['boolean', { type: 'boolean' }],
  ['json', { type: 'object' }],
  ['json', { type: 'array' }],
  ['json', { type: ['string', 'integer'] }],
  ['json', { type: 'null' }],
  ['json', {}],
  ['json', true],
  ['json', null],
  ['blob', blob],
  ['json', { type: 'object', properties: { blob_id: {} } }],
  ['date-time', { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] }],
  ['integer', { oneOf: [{ type: 'null' }, { type: 'integer' }] }],
  ['json', { anyOf: [{ type: 'string' }, { type: 'integer' }] }],
  ['date-time', { $ref: '#/$defs/when' }],
  ['date-time', { anyOf: [{ $ref: '#/$defs/when' }, { type: 'null' }] }],
  ['integer', { $ref: '#/$defs/a~1b~0c' }],
  ['json', { $ref: '#/$defs/none' }],
  ['json', { $ref: '#/$defs/again' }],
  ['json', { $ref: '#/constructor/prototype' }],
  ['json', { $ref: 'https://x.example/y.json' }],
])('%s is the kind of %j', (kind, property) => expect(fieldKind(property, root)).toBe(kind))

describe('field kinds', () => {
  const kinds: FieldKind[] = ['string', 'integer', 'number', 'boolean', 'date-time', 'date', 'binary', 'blob', 'json']

  test('are single-valued except binary, blob and json', () => {
    expect(kinds.filter(isScalar)).toEqual(['string', 'integer', 'number', 'boolean', 'date-time', 'date'])
  })

  test('have an order if they are numbers or times', () => {
    expect(kinds.filter(isOrdered)).toEqual(['integer', 'number', 'date-time', 'date'])
  })
})
