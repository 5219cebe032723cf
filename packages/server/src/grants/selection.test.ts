import { GRANT_RESOURCES, PdppError, requireDeclaration, streamGrantSchema } from '@pdpp/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { type GrantSelection, resolveSelection } from './selection.ts'

const text = { type: 'string' }
const time = { type: 'string', format: 'date-time' }
const source = requireDeclaration({
  source: { id: 'https://tests.example/mail' },
  declaration_version: '1',
  display: { name: 'Mail' },
  streams: [
    {
      name: 'messages',
      semantics: 'append_only',
      schema: { type: 'object', properties: { subject: text, box: text, sent_at: time, uid: text, body: text } },
      primary_key: ['box', 'uid'],
      consent_time_field: 'sent_at',
      views: [{ id: 'headers', fields: ['subject'] }],
    },
    {
      name: 'labels',
      semantics: 'mutable_state',
      schema: { type: 'object', properties: { id: text, subject: text } },
      primary_key: ['id'],
    },
  ],
})
const resolve = (selection: Partial<GrantSelection>) =>
  resolveSelection(source, { connections: ['home'], ...selection })

function refusal(selection: Partial<GrantSelection>): PdppError {
  try {
    resolve(selection)
  } catch (error) {
    if (error instanceof PdppError) return error
    throw error
  }
  throw new Error('was accepted')
}

describe('an absent choice', () => {
  test('means all declared streams and fields of the named connections', () => {
    expect(resolve({ connections: ['home', 'work', 'home'] })).toEqual([
      { name: 'messages', instance_ids: ['home', 'work'], fields: ['subject', 'box', 'sent_at', 'uid', 'body'] },
      { name: 'labels', instance_ids: ['home', 'work'], fields: ['id', 'subject'] },
    ])
  })

  test('does not grant fields that the source declares later', () => {
    const [before] = resolve({ streams: [{ name: 'labels' }] })
    const later = structuredClone(source)
    Object.assign(later.streams[1]!.schema['properties'] as object, { colour: text })
    expect(resolveSelection(later, { connections: ['home'] })[1]!.fields).toContain('colour')
    expect(before!.fields).toEqual(['id', 'subject'])
  })
})

describe('fields', () => {
  test('always contain the primary key and the consent time, in declared order', () => {
    const names = ['subject', 'box', 'sent_at', 'uid', 'body']
    fc.assert(
      fc.property(fc.shuffledSubarray(names), (fields) => {
        const [grant] = resolve({ streams: [{ name: 'messages', fields }] })
        const wanted = new Set([...fields, 'box', 'uid', 'sent_at'])
        expect(grant!.fields).toEqual(names.filter((name) => wanted.has(name)))
        expect(streamGrantSchema.parse(grant)).toEqual(grant)
      }),
    )
  })

  test('of a view are resolved to their names', () => {
    const [grant] = resolve({ streams: [{ name: 'messages', view: 'headers' }] })
    expect(grant).toEqual({ name: 'messages', instance_ids: ['home'], fields: ['subject', 'box', 'sent_at', 'uid'] })
  })

  test('of one stream override the fields for all streams', () => {
    const grants = resolve({
      fields: ['subject'],
      streams: [{ name: 'messages', fields: ['body'] }, { name: 'labels' }],
    })
    expect(grants.map(({ fields }) => fields)).toEqual([
      ['box', 'sent_at', 'uid', 'body'],
      ['id', 'subject'],
    ])
  })
})

describe('limits', () => {
  test('of time are stored as written, for the consent time field', () => {
    const [grant] = resolve({
      streams: [{ name: 'messages' }],
      since: '2026-01-01',
      until: '2026-02-01T00:00:00+02:00',
    })
    expect(grant!.time_constraint).toEqual({
      field: 'sent_at',
      since: '2026-01-01',
      until: '2026-02-01T00:00:00+02:00',
    })
    const [open] = resolve({ streams: [{ name: 'messages' }], until: '2026-02-01' })
    expect(open!.time_constraint).toEqual({ field: 'sent_at', until: '2026-02-01' })
  })

  test('of records contain each key once', () => {
    expect(resolve({ resources: ['a', 'b', 'a'] })[1]!.resources).toEqual(['a', 'b'])
    const most = Array.from({ length: GRANT_RESOURCES }, (_, index) => `k${index}`)
    expect(resolve({ resources: most })[0]!.resources).toEqual(most)
  })
})

describe('a selection is refused if it has', () => {
  const messages = [{ name: 'messages' }]
  test.each<[string, Partial<GrantSelection>, string, string, RegExp]>([
    ['no connection', { connections: [] }, 'invalid_argument', 'connections', /at least one/],
    ['no stream', { streams: [] }, 'invalid_argument', 'streams', /at least one/],
    [
      'an unknown stream',
      { streams: [{ name: 'x' }] },
      'invalid_argument',
      'streams',
      /"mail" has no stream "x"\. It has: messages, labels\./,
    ],
    [
      'a stream twice',
      { streams: [...messages, ...messages] },
      'invalid_argument',
      'streams',
      /"messages" is named twice/,
    ],
    [
      'an unknown field',
      { streams: [{ name: 'labels', fields: ['body'] }] },
      'unknown_field',
      'fields',
      /"labels" has no field "body"\. It has: id, subject\./,
    ],
    ['a field that one of the streams lacks', { fields: ['body'] }, 'unknown_field', 'fields', /"labels"/],
    [
      'an unknown view',
      { streams: [{ name: 'labels', view: 'headers' }] },
      'invalid_argument',
      'view',
      /"labels" has no view "headers"/,
    ],
    [
      'fields and a view',
      { streams: [{ name: 'messages', fields: ['body'], view: 'headers' }] },
      'invalid_argument',
      'streams',
      /not both/,
    ],
    [
      'a time limit on a stream without a time',
      { since: '2026-01-01' },
      'invalid_argument',
      'since',
      /"labels" has no time field/,
    ],
    [
      'an end on a stream without a time',
      { streams: [{ name: 'labels' }], until: '2026-01-01' },
      'invalid_argument',
      'since',
      /no time/,
    ],
    [
      'a start that is no time',
      { streams: messages, since: 'soon' },
      'invalid_argument',
      'since',
      /since must be a date/,
    ],
    [
      'a day that is none',
      { streams: messages, until: '2026-02-30' },
      'invalid_argument',
      'until',
      /until must be a date/,
    ],
    ['an empty time', { streams: messages, since: '' }, 'invalid_argument', 'since', /since must be a date/],
    [
      'an end before the start',
      { streams: messages, since: '2026-02-01', until: '2026-01-01' },
      'invalid_argument',
      'until',
      /later than since/,
    ],
    [
      'an end at the start, in another zone',
      { streams: messages, since: '2026-01-01T01:00:00+01:00', until: '2026-01-01' },
      'invalid_argument',
      'until',
      /later/,
    ],
    ['no records', { resources: [] }, 'invalid_argument', 'resources', /1 to 1000/],
    [
      'too many records',
      { resources: Array.from({ length: GRANT_RESOURCES + 1 }, String) },
      'invalid_argument',
      'resources',
      /1 to 1000/,
    ],
    [
      'an invalid record key',
      { resources: ['a', '..'] },
      'invalid_argument',
      'resources',
      /"\.\." is not a record key/,
    ],
    ['a key too long', { resources: ['x'.repeat(513)] }, 'invalid_argument', 'resources', /^"x{80}" is not/],
  ])('%s', (_what, selection, code, param, message) => {
    const error = refusal(selection)
    expect([error.code, error.detail.param]).toEqual([code, param])
    expect(error.message).toMatch(message)
  })
})

verifies.group('point 17', 'a stream that cannot be divided', () => {
  const whole = structuredClone(source)
  Object.assign(whole.streams[1]!, { selection: { fields: false, resources: false } })
  const labels = (choice: object) => () =>
    resolveSelection(whole, { connections: ['home'], streams: [{ name: 'labels', ...choice }] })

  test('is granted with all its fields, named or not', () => {
    const all = [{ name: 'labels', instance_ids: ['home'], fields: ['id', 'subject'] }]
    expect(labels({})()).toEqual(all)
    expect(labels({ fields: ['subject'] })()).toEqual(all)
  })

  test.each([
    ['part of its fields', { fields: ['id'] }, 'fields', /access to "labels" only with all its fields/],
    ['single records', { resources: ['a'] }, 'resources', /single records of "labels"/],
  ])('is refused with %s', (_what, choice, param, message) => {
    const detail = expect.objectContaining({ param })
    const expected = { code: 'invalid_argument', detail, message: expect.stringMatching(message) }
    expect(labels(choice)).toThrow(expect.objectContaining(expected))
  })

  test('does not restrict other streams', () => {
    const choice = { connections: ['home'], streams: [{ name: 'messages', fields: ['subject'], resources: ['a'] }] }
    expect(resolveSelection(whole, choice)).toEqual(resolveSelection(source, choice))
  })
})
