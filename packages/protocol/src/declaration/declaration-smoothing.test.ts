import { describe, expect, test } from 'vitest'
import { checkDeclaration } from './declaration-check.ts'

const text = { type: 'string' }

function stream(name: string, properties: Record<string, unknown>, more: Record<string, unknown> = {}) {
  const [key] = Object.keys(properties)
  return { name, semantics: 'mutable_state', schema: { type: 'object', properties }, primary_key: [key], ...more }
}

/** In the form that existing connectors ship. */
function manifest(...streams: unknown[]) {
  return { connector_id: 'https://registry.example/shop', version: '3', display_name: 'Shop', streams }
}

function accepted(...streams: unknown[]) {
  const result = checkDeclaration(manifest(...streams))
  if ('mistakes' in result) throw new Error(JSON.stringify(result.mistakes))
  const { declaration, warnings } = result
  return { streams: declaration.streams, told: warnings.map(({ code, path }) => [code, path]), warnings }
}

const hasOne = (name: string, target: string, field: string) => ({
  relationships: [{ name, stream: target, foreign_key: field, cardinality: 'has_one' }],
})

describe('a has_one relation', () => {
  const READ = [['relation_read_as_belongs_to', 'streams.0.relationships.0']]

  test.each([
    [
      'whose foreign key only this stream has',
      stream('messages', { id: text, chat: text }, hasOne('in', 'chats', 'chat')),
      stream('chats', { id: text }),
    ],
    [
      "whose foreign key is the other stream's own key",
      stream('lines', { id: text, order_id: text }, hasOne('order', 'orders', 'order_id')),
      stream('orders', { order_id: text }),
    ],
    [
      'that leads to its own stream',
      stream('comments', { id: text, reply_to: text }, hasOne('parent', 'comments', 'reply_to')),
      undefined,
    ],
    [
      'whose foreign key is a whole number',
      stream('moves', { id: text, account: { type: ['integer', 'null'] } }, hasOne('of', 'accounts', 'account')),
      stream('accounts', { number: { type: 'integer' } }),
    ],
    [
      'whose foreign key is a list, where the other key has several parts',
      stream('scenes', { id: text, act: { type: 'array', items: text } }, hasOne('of', 'acts', 'act')),
      stream('acts', { play: text, number: text }, { primary_key: ['play', 'number'] }),
    ],
  ])('%s is a belongs-to relation', (_what, child, parent) => {
    const { streams, told } = accepted(child, ...(parent ? [parent] : []))
    expect(streams[0]!.relationships![0]!.cardinality).toBe('belongs_to')
    expect(told).toEqual(READ)
  })

  test('whose foreign key the other stream has stays as it is, also where both have it', () => {
    const order = (properties: object) =>
      stream('orders', { id: text, ...properties }, hasOne('invoice', 'invoices', 'order_ref'))
    const invoices = stream('invoices', { id: text, order_ref: text })
    for (const properties of [{}, { order_ref: text }]) {
      const { streams, told } = accepted(order(properties), invoices)
      expect(streams[0]!.relationships![0]!.cardinality).toBe('has_one')
      expect(told).toEqual([])
    }
  })

  test.each([
    ['to a stream that is not there', stream('a', { id: text, b: text }, hasOne('of', 'none', 'b')), 'no stream'],
    ['by a field that nobody has', stream('a', { id: text }, hasOne('of', 'b', 'none')), 'not a declared field'],
    [
      'by a field that is no key',
      stream('a', { id: text, to: { type: 'object' } }, hasOne('of', 'b', 'to')),
      'single-valued',
    ],
  ])('%s is refused', (_what, child, reason) => {
    const result = checkDeclaration(manifest(child, stream('b', { id: text })))
    expect(JSON.stringify(result)).toContain(reason)
  })

  test('has_many with a foreign key of this stream is refused, and the right word is named', () => {
    const relationships = [{ name: 'in', stream: 'chats', foreign_key: 'chat', cardinality: 'has_many' }]
    const result = checkDeclaration(
      manifest(stream('messages', { id: text, chat: text }, { relationships }), stream('chats', { id: text })),
    )
    expect(JSON.stringify(result)).toContain('belongs_to')
  })
})

test('append is append_only', () => {
  const { streams, told } = accepted(stream('a', { id: text }, { semantics: 'append' }))
  expect(streams[0]!.semantics).toBe('append_only')
  expect(told).toEqual([['semantics_read_as_append_only', 'streams.0.semantics']])
})

test('limits above the largest are clamped, and a contradiction is still one', () => {
  const relationships = [{ name: 'b', stream: 'b', foreign_key: 'a', cardinality: 'has_many' }]
  const a = (limits: object) =>
    stream('a', { id: text }, { relationships, query: { expand: [{ name: 'b', ...limits }] } })
  const b = stream('b', { id: text, a: text })
  const { streams, told } = accepted(a({ default_limit: 250, max_limit: 1000 }), b)
  expect(streams[0]!.query!.expand).toEqual([{ name: 'b', default_limit: 100, max_limit: 100 }])
  expect(told).toEqual([
    ['limit_clamped', 'streams.0.query.expand.0.default_limit'],
    ['limit_clamped', 'streams.0.query.expand.0.max_limit'],
  ])
  expect(checkDeclaration(manifest(a({ default_limit: 20, max_limit: 10 }), b))).toHaveProperty('mistakes')
})

test('long texts for people are kept, and very long ones cut', () => {
  const long = 'x'.repeat(9000)
  expect(accepted(stream('a', { id: text }, { description: long }))).toMatchObject({
    streams: [{ description: long }],
    told: [],
  })
  const { streams, told } = accepted(
    stream('a', { id: text }, { description: 'x'.repeat(90_000), display: { label: 'y'.repeat(900) } }),
  )
  expect([streams[0]!.description!.length, streams[0]!.display!.label!.length]).toEqual([10_000, 200])
  expect(told).toEqual([
    ['text_shortened', 'streams.0.description'],
    ['text_shortened', 'streams.0.display.label'],
  ])
})

describe('a consent time that is a number', () => {
  const played = (property: object) =>
    accepted(stream('games', { id: text, played: property }, { consent_time_field: 'played' }))

  test.each([
    [{ type: 'integer', x_pdpp_unit: 'epoch_seconds' }, 'epoch_seconds'],
    [{ type: ['integer', 'null'], format: 'unix-time' }, 'epoch_seconds'],
    [{ type: 'integer', unit: 'epoch_milliseconds' }, 'epoch_milliseconds'],
    [{ type: 'integer', format: 'epoch-millis' }, 'epoch_milliseconds'],
  ])('is a time where %j says what it counts', (property, unit) => {
    const { streams, told } = played(property)
    expect(streams[0]!.consent_time_field).toBe('played')
    expect(streams[0]!.schema['properties']).toMatchObject({ played: { x_pdpp_time_unit: unit } })
    expect(told).toEqual([['time_read_as_epoch', 'streams.0.schema.properties.played']])
  })

  test('is nothing new where the declaration says it in our own word', () => {
    expect(played({ type: 'integer', x_pdpp_time_unit: 'epoch_seconds' })).toMatchObject({
      streams: [{ consent_time_field: 'played' }],
      told: [],
    })
  })

  test.each([
    { type: 'integer' },
    { type: 'integer', x_pdpp_type: 'timestamp' },
    { type: 'number', unit: 'epoch_seconds' },
    { type: 'integer', unit: 'epoch_seconds', format: 'epoch-millis' },
    { type: 'integer', unit: 'constructor' },
  ])('is no time where %j leaves it open', (property) => {
    const { streams, told, warnings } = played(property)
    expect(streams[0]!.consent_time_field).toBeUndefined()
    expect(told).toEqual([['time_field_dropped', 'streams.0.consent_time_field']])
    expect(warnings[0]!.message).toContain('x_pdpp_time_unit')
  })
})

test('thousands of warnings are counted, not listed', () => {
  const many = Array.from({ length: 300 }, (_, n) => stream(`s${n}`, { id: text }, { semantics: 'append' }))
  const { warnings } = accepted(...many)
  expect(warnings).toHaveLength(101)
  expect(warnings.at(-1)).toMatchObject({ code: 'warnings_left_out', message: expect.stringContaining('200') })
})

test('what is no declaration at all is refused as before', () => {
  for (const input of [
    null,
    5,
    [],
    { streams: [5, null] },
    { streams: { a: 1 } },
    { streams: [{ relationships: [4], query: { expand: [5] }, display: 7 }] },
  ])
    expect(checkDeclaration(input)).toHaveProperty('mistakes')
})
