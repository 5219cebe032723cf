import { describe, expect, test } from 'vitest'
import { checkDeclaration } from './declaration-check.ts'

const text = { type: 'string' }

function stream(name: string, properties: Record<string, unknown>, more: Record<string, unknown> = {}) {
  const [key] = Object.keys(properties)
  return { name, semantics: 'mutable_state', schema: { type: 'object', properties }, primary_key: [key], ...more }
}

/** The form that existing connectors ship. */
function manifest(...streams: unknown[]) {
  return { connector_id: 'https://registry.example/shop', version: '3', display_name: 'Shop', streams }
}

function accepted(...streams: unknown[]) {
  const result = checkDeclaration(manifest(...streams))
  if ('problems' in result) throw new Error(JSON.stringify(result.problems))
  const { declaration, warnings } = result
  return { streams: declaration.streams, codes: warnings.map(({ code, path }) => [code, path]), warnings }
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
  ])('%s is read as belongs_to', (_what, child, parent) => {
    const { streams, codes } = accepted(child, ...(parent ? [parent] : []))
    expect(streams[0]!.relationships![0]!.cardinality).toBe('belongs_to')
    expect(codes).toEqual(READ)
  })

  test('is unchanged if the other stream has the foreign key', () => {
    const order = (properties: object) =>
      stream('orders', { id: text, ...properties }, hasOne('invoice', 'invoices', 'order_ref'))
    const invoices = stream('invoices', { id: text, order_ref: text })
    for (const properties of [{}, { order_ref: text }]) {
      const { streams, codes } = accepted(order(properties), invoices)
      expect(streams[0]!.relationships![0]!.cardinality).toBe('has_one')
      expect(codes).toEqual([])
    }
  })

  test.each([
    ['to a missing stream', stream('a', { id: text, b: text }, hasOne('of', 'none', 'b')), 'no stream'],
    ['by an undeclared field', stream('a', { id: text }, hasOne('of', 'b', 'none')), 'not a declared field'],
    [
      'by a field that cannot be a key',
      stream('a', { id: text, to: { type: 'object' } }, hasOne('of', 'b', 'to')),
      'single-valued',
    ],
  ])('%s is refused', (_what, child, reason) => {
    const result = checkDeclaration(manifest(child, stream('b', { id: text })))
    expect(JSON.stringify(result)).toContain(reason)
  })

  test('has_many with an own foreign key suggests belongs_to', () => {
    const relationships = [{ name: 'in', stream: 'chats', foreign_key: 'chat', cardinality: 'has_many' }]
    const result = checkDeclaration(
      manifest(stream('messages', { id: text, chat: text }, { relationships }), stream('chats', { id: text })),
    )
    expect(JSON.stringify(result)).toContain('belongs_to')
  })
})

test('append is read as append_only', () => {
  const { streams, codes } = accepted(stream('a', { id: text }, { semantics: 'append' }))
  expect(streams[0]!.semantics).toBe('append_only')
  expect(codes).toEqual([['semantics_read_as_append_only', 'streams.0.semantics']])
})

test('limits above the max. are clamped, contradictions refused', () => {
  const relationships = [{ name: 'b', stream: 'b', foreign_key: 'a', cardinality: 'has_many' }]
  const a = (limits: object) =>
    stream('a', { id: text }, { relationships, query: { expand: [{ name: 'b', ...limits }] } })
  const b = stream('b', { id: text, a: text })
  const { streams, codes } = accepted(a({ default_limit: 250, max_limit: 1000 }), b)
  expect(streams[0]!.query!.expand).toEqual([{ name: 'b', default_limit: 100, max_limit: 100 }])
  expect(codes).toEqual([
    ['limit_clamped', 'streams.0.query.expand.0.default_limit'],
    ['limit_clamped', 'streams.0.query.expand.0.max_limit'],
  ])
  expect(checkDeclaration(manifest(a({ default_limit: 20, max_limit: 10 }), b))).toHaveProperty('problems')
})

test('cuts very long descriptions and labels', () => {
  const long = 'x'.repeat(9000)
  expect(accepted(stream('a', { id: text }, { description: long }))).toMatchObject({
    streams: [{ description: long }],
    codes: [],
  })
  const { streams, codes } = accepted(
    stream('a', { id: text }, { description: 'x'.repeat(90_000), display: { label: 'y'.repeat(900) } }),
  )
  expect([streams[0]!.description!.length, streams[0]!.display!.label!.length]).toEqual([10_000, 200])
  expect(codes).toEqual([
    ['text_shortened', 'streams.0.description'],
    ['text_shortened', 'streams.0.display.label'],
  ])
})

describe('a numeric consent time', () => {
  const played = (property: object) =>
    accepted(stream('games', { id: text, played: property }, { consent_time_field: 'played' }))

  test.each([
    [{ type: 'integer', x_pdpp_unit: 'epoch_seconds' }, 'epoch_seconds'],
    [{ type: ['integer', 'null'], format: 'unix-time' }, 'epoch_seconds'],
    [{ type: 'integer', unit: 'epoch_milliseconds' }, 'epoch_milliseconds'],
    [{ type: 'integer', format: 'epoch-millis' }, 'epoch_milliseconds'],
  ])('is a time if %j declares its unit', (property, unit) => {
    const { streams, codes } = played(property)
    expect(streams[0]!.consent_time_field).toBe('played')
    expect(streams[0]!.schema['properties']).toMatchObject({ played: { x_pdpp_time_unit: unit } })
    expect(codes).toEqual([['time_read_as_epoch', 'streams.0.schema.properties.played']])
  })

  test('causes no warning if it uses x_pdpp_time_unit', () => {
    expect(played({ type: 'integer', x_pdpp_time_unit: 'epoch_seconds' })).toMatchObject({
      streams: [{ consent_time_field: 'played' }],
      codes: [],
    })
  })

  test.each([
    { type: 'integer' },
    { type: 'integer', x_pdpp_type: 'timestamp' },
    { type: 'number', unit: 'epoch_seconds' },
    { type: 'integer', unit: 'epoch_seconds', format: 'epoch-millis' },
    { type: 'integer', unit: 'constructor' },
  ])('is not a time if %j leaves the unit open', (property) => {
    const { streams, codes, warnings } = played(property)
    expect(streams[0]!.consent_time_field).toBeUndefined()
    expect(codes).toEqual([['time_field_dropped', 'streams.0.consent_time_field']])
    expect(warnings[0]!.message).toContain('x_pdpp_time_unit')
  })
})

test('lists 100 warnings and counts the others', () => {
  const many = Array.from({ length: 300 }, (_, n) => stream(`s${n}`, { id: text }, { semantics: 'append' }))
  const { warnings } = accepted(...many)
  expect(warnings).toHaveLength(101)
  expect(warnings.at(-1)).toMatchObject({ code: 'warnings_left_out', message: expect.stringContaining('200') })
})

test('refuses what is not a declaration', () => {
  for (const input of [
    null,
    5,
    [],
    { streams: [5, null] },
    { streams: { a: 1 } },
    { streams: [{ relationships: [4], query: { expand: [5] }, display: 7 }] },
  ])
    expect(checkDeclaration(input)).toHaveProperty('problems')
})
