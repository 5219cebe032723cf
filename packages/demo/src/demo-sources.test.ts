import { describe, expect, it } from 'vitest'
import { demoConnections, demoSources } from './index.ts'
import type { PropertySchema, StreamDeclaration } from './types.ts'

const streams = demoSources.flatMap((source) =>
  source.streams.map((stream) => ({ title: `${source.connector_key}/${stream.name}`, source, stream })),
)

const typesOf = (property: PropertySchema | undefined) =>
  [property?.type ?? 'missing'].flat().filter((type) => type !== 'null')
const isNumber = (property: PropertySchema | undefined) => ['integer', 'number'].includes(typesOf(property)[0]!)
const isTime = (property: PropertySchema | undefined) => property?.format === 'date-time'
const isSearchable = (property: PropertySchema | undefined) =>
  typesOf(property).join() === 'string' || (typesOf(property).join() === 'array' && property?.items?.type === 'string')
const isScalar = (property: PropertySchema | undefined) =>
  ['string', 'integer', 'number', 'boolean'].includes(typesOf(property)[0]!)

const check = (
  stream: StreamDeclaration,
  fields: string[],
  test: (property: PropertySchema | undefined) => boolean,
) => {
  for (const field of fields) expect(test(stream.schema.properties[field]), `${stream.name}.${field}`).toBe(true)
}

describe.each(streams)('the declaration of $title', ({ source, stream }) => {
  const { query } = stream

  it('refers only to its own fields, with suitable types', () => {
    const known = (property: PropertySchema | undefined) => property !== undefined
    check(
      stream,
      [...stream.schema.required, ...stream.primary_key, ...stream.views.flatMap((view) => view.fields)],
      known,
    )
    check(stream, [stream.cursor_field, stream.consent_time_field], isTime)
    check(stream, Object.keys(query.range_filters), (property) => isNumber(property) || isTime(property))
    check(stream, query.search?.lexical_fields ?? [], isSearchable)
    const { count_distinct = [], group_by = [], group_by_time = [], sum = [], min = [], max = [] } = query.aggregations
    check(stream, [...count_distinct, ...group_by], isScalar)
    check(stream, group_by_time, isTime)
    check(stream, sum, isNumber)
    check(stream, [...min, ...max], (property) => isNumber(property) || isTime(property))
    if (query.group_field) check(stream, [query.group_field], isScalar)
  })

  it('refers to existing streams and keys', () => {
    const names = stream.relationships?.map((one) => one.name) ?? []
    for (const { name } of query.expand ?? []) expect(names).toContain(name)
    for (const { stream: other, foreign_key, cardinality } of stream.relationships ?? []) {
      const found = source.streams.find((one) => one.name === other)
      const child = cardinality === 'belongs_to' ? stream : found
      expect(found && child?.schema.properties).toHaveProperty(foreign_key)
    }
  })
})

it('every connection has a source; two sources are sensitive', () => {
  const keys = demoSources.map((one) => one.connector_key)
  for (const one of demoConnections) expect(keys).toContain(one.connector_key)
  expect(demoSources.filter((one) => one.sensitivity === 'sensitive').map((one) => one.connector_key)).toEqual([
    'contacts',
    'purchases',
  ])
})
