import { expect, test } from 'vitest'
import { schemaPart } from './schema-part.ts'

const names = Array.from({ length: 50 }, (_, n) => `field_${n}`)
const each = (make: (name: string) => unknown) => Object.fromEntries(names.map((name) => [name, make(name)]))
const no = { declared: false, usable: false }
const yes = { declared: true, usable: true }
const row = {
  name: 'rows',
  description: 'x'.repeat(5_000),
  query: { group_field: 'field_1', search: { lexical_fields: names } },
  views: [{ id: 'all', fields: names }],
  relationships: [
    { name: 'parts', stream: 'parts', foreign_key: 'row_id', cardinality: 'has_many' },
    { name: 'notes', stream: 'notes', foreign_key: 'row_id', cardinality: 'has_many' },
  ],
  expand_capabilities: [{ name: 'parts', target_stream: 'parts', usable: true }],
  schema: {
    type: 'object',
    required: ['field_0', 'field_49'],
    $defs: { x: 'y'.repeat(9_000) },
    properties: each(() => ({ type: 'string' })),
  },
  field_capabilities: each(() => ({
    type: 'string',
    granted: true,
    schema: { type: 'string' },
    exact_filter: yes,
    sort: no,
    aggregation: { group_by: yes, sum: no },
  })),
}

test('parts are bounded and together contain every field once', () => {
  const seen: string[] = []
  for (let offset: number | null = 0, parts = 0; offset !== null; parts++) {
    const { row: part, part: page }: any = schemaPart(row, offset, 4_000)
    expect(Buffer.byteLength(JSON.stringify(part))).toBeLessThanOrEqual(4_100)
    expect(Object.keys(part.schema.properties)).toEqual(Object.keys(part.field_capabilities))
    seen.push(...Object.keys(part.schema.properties))
    expect(page).toMatchObject({ from: offset, total: 50 })
    expect(part.schema.required ?? []).toEqual(row.schema.required.filter((name) => name in part.schema.properties))
    offset = page.next_fields_offset
    expect(parts).toBeLessThan(50)
  }
  expect(seen).toEqual(names)
})

test('leaves out facts that are undeclared or repeated', () => {
  const { row: part }: any = schemaPart(row, 0, 40_000)
  expect(part.field_capabilities.field_7).toEqual({
    type: 'string',
    granted: true,
    exact_filter: yes,
    aggregation: { group_by: yes },
  })
  expect(part).not.toHaveProperty('query')
  expect(part.group_field).toBe('field_1')
  expect(part.relationships.map(({ name }: any) => name)).toEqual(['notes'])
  expect(part.description.length).toBeLessThanOrEqual(1_001)
  expect(part.schema.$comment).toMatch(/^Cut: \d+ bytes/)
  expect(schemaPart(row, 50, 40_000).part).toEqual({ from: 50, to: 50, total: 50, next_fields_offset: null })
})

test('a field larger than a part is still returned', () => {
  const { part } = schemaPart(row, 10, 1)
  expect([part.from, part.to]).toEqual([10, 11])
})
