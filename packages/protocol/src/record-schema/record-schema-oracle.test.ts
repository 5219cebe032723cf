import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { repetitions } from '../../../../tests/fixtures/repetitions.ts'
import { compileRecordSchema } from './record-schema.ts'

const names = ['a', 'b', 'c', 'constructor']
const name = fc.constantFrom(...names)
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<unknown>(
      null,
      true,
      false,
      0,
      1,
      2,
      3.5,
      -1,
      '',
      'a',
      'ab',
      '𝒳',
      '𝒳𝒳',
      '2026-01-01',
      '2026-01-01T00:00:00Z',
    ),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(name, tie('any'), { maxKeys: 4 }),
  ),
})).any

const small = fc.integer({ min: 0, max: 3 })
const type = fc.constantFrom('null', 'boolean', 'string', 'number', 'integer', 'array', 'object')

/** Every evaluated keyword in all combinations, with references that may be circular. */
const schemas = fc.letrec((tie) => {
  const part = tie('schema')
  const parts = fc.array(part, { minLength: 1, maxLength: 3 })
  const named = fc.dictionary(name, part, { maxKeys: 3 })
  return {
    schema: fc.oneof(
      { depthSize: 'small', maxDepth: 4 },
      fc.boolean(),
      fc.record(
        {
          type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
          enum: fc.uniqueArray(value, { minLength: 1, maxLength: 3, selector: (one) => JSON.stringify(one) }),
          const: value,
          minimum: small,
          maximum: small,
          exclusiveMinimum: small,
          exclusiveMaximum: small,
          multipleOf: fc.constantFrom(1, 2, 0.5),
          minLength: small,
          maxLength: small,
          minItems: small,
          maxItems: small,
          uniqueItems: fc.boolean(),
          minProperties: small,
          maxProperties: small,
          required: fc.uniqueArray(name, { maxLength: 2 }),
          dependentRequired: fc.dictionary(name, fc.uniqueArray(name, { maxLength: 2 }), { maxKeys: 2 }),
          format: fc.constantFrom('date', 'date-time'),
        },
        { requiredKeys: [] },
      ),
      fc.record(
        {
          properties: named,
          additionalProperties: part,
          propertyNames: part,
          dependentSchemas: named,
          items: part,
          prefixItems: parts,
          allOf: parts,
          anyOf: parts,
          oneOf: parts,
          not: part,
          ...Object.fromEntries(['if', 'then', 'else'].map((keyword) => [keyword, part])),
        },
        { requiredKeys: [] },
      ),
      // Without prefixItems, because next to it Ajv accepts an empty list for `contains`.
      fc.record({ contains: part, minContains: small, maxContains: small }, { requiredKeys: ['contains'] }),
      fc.constant({ properties: { a: { $ref: '#/$defs/x' } } }),
      fc.constant({ items: { $ref: '#/$defs/x' } }),
    ),
  }
}).schema

test('agrees with Ajv about every record', () => {
  const any = fc.tuple(schemas, schemas, fc.array(value, { minLength: 3, maxLength: 8 }))
  fc.assert(
    fc.property(any, ([schema, x, records]) => {
      const whole = { $defs: { x }, ...(typeof schema === 'object' ? schema : { allOf: [schema] }) }
      const ajv = new Ajv2020({ strict: false, logger: false, ownProperties: true, formats: FORMATS })
      const validate = ajv.compile(structuredClone(whole))
      const check = compileRecordSchema(whole)
      if (typeof check === 'string') throw new Error(check)
      for (const record of records) expect(check(record) === undefined).toBe(validate(record))
    }),
    { numRuns: repetitions(60, 200), seed: 7 },
  )
}, 60_000)

const FORMATS = {
  'date-time': (text: string) => text === '2026-01-01T00:00:00Z',
  date: (text: string) => text === '2026-01-01',
}
