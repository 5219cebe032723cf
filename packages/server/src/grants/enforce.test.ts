import { PdppError, requireDeclaration, type StreamGrant } from '@pdpp/protocol'
import { describe, expect, test } from 'vitest'
import type { ReadAuthority } from './authority.ts'
import { enforce, type ReadRequest, requireUsable } from './enforce.ts'

const text = { type: 'string' }
const entries = {
  name: 'entries',
  semantics: 'mutable_state',
  schema: {
    type: 'object',
    properties: { id: text, at: { type: 'string', format: 'date-time' }, title: text, secret: text },
  },
  primary_key: ['id'],
  consent_time_field: 'at',
  views: [
    { id: 'short', fields: ['id', 'title'] },
    { id: 'full', fields: ['id', 'secret'] },
  ],
}
const declaration = requireDeclaration({
  source: { id: 'https://tests.example/journal' },
  declaration_version: '1',
  display: { name: 'Journal' },
  streams: [entries, { ...entries, name: 'hidden' }],
})
const source = { declaration, connections: ['home', 'work', 'foreign'] }
const owner: ReadAuthority = { kind: 'owner', subjectId: 'me' }
const grantOfEntries: StreamGrant = {
  name: 'entries',
  instance_ids: ['home', 'work', 'gone'],
  fields: ['id', 'at', 'title'],
}

function client(stream: StreamGrant = grantOfEntries): ReadAuthority {
  return {
    kind: 'client',
    subjectId: 'me',
    clientId: 'cli_1',
    grant: {
      version: '0.1.0',
      grant_id: 'grt_1',
      issued_at: '2026-01-01T00:00:00Z',
      subject: { id: 'me' },
      client: { client_id: 'cli_1' },
      source: { ...declaration.source, connector_key: 'journal' },
      source_declaration: { version: '1' },
      purpose_code: 'https://pdpp.dev/purpose/agent_context',
      access_mode: 'continuous',
      streams: [stream],
      expires_at: null,
    },
  }
}

function refusal(decide: () => unknown): PdppError {
  try {
    decide()
  } catch (error) {
    if (error instanceof PdppError) return error
    throw error
  }
  throw new Error('was allowed')
}
const refused = (request: ReadRequest, who = client(), stream = 'entries') =>
  refusal(() => enforce(who, source, stream, request))

describe('a field', () => {
  test('that the stream lacks is 400 unknown_field and names the usable ones', () => {
    const error = refused({ fields: ['id', 'nothing'] })
    expect([error.code, error.status, error.detail.param]).toEqual(['unknown_field', 400, 'fields'])
    expect(error.message).toBe('The stream "entries" has no field "nothing". Fields you can use: id, at, title.')
  })

  test('outside the grant is 403 field_not_granted and names the usable ones', () => {
    const error = refused({ fields: ['secret'] })
    expect([error.code, error.status, error.detail.param]).toEqual(['field_not_granted', 403, 'fields'])
    expect(error.message).toBe(
      'The field "secret" of "entries" is outside the grant. Fields you can use: id, at, title.',
    )
  })

  test('of a filter, sort or window gets the same error for its own parameter', () => {
    const scope = enforce(client(), source, 'entries')
    expect(requireUsable(scope, 'title', 'sort')).toBe('title')
    expect(refusal(() => requireUsable(scope, 'secret', 'sort'))).toMatchObject({
      code: 'field_not_granted',
      detail: { param: 'sort' },
    })
    for (const name of ['nothing', 'constructor', '__proto__', ''])
      expect(refusal(() => requireUsable(scope, name, 'filter')).code).toBe('unknown_field')
  })

  test('of a view must be granted too', () => {
    expect(enforce(client(), source, 'entries', { view: 'short' }).projection).toEqual(['id', 'title'])
    expect(refused({ view: 'full' })).toMatchObject({ code: 'field_not_granted', detail: { param: 'view' } })
    expect(refused({ view: 'none' }).message).toContain('Views: short, full.')
    expect(refused({ view: 'short', fields: ['id'] }).code).toBe('invalid_argument')
  })

  test('requested twice is returned once', () => {
    expect(enforce(client(), source, 'entries', { fields: ['title', 'id', 'title'] }).projection).toEqual([
      'title',
      'id',
    ])
  })

  test('must be declared for the owner too, who may use every declared one', () => {
    expect(enforce(owner, source, 'entries', { fields: ['secret'] }).projection).toEqual(['secret'])
    expect(refused({ fields: ['nothing'] }, owner).code).toBe('unknown_field')
  })

  test('with a very long name is shortened in the error', () => {
    expect(refused({ fields: ['x'.repeat(5000)] }).message.length).toBeLessThan(250)
  })
})

describe('a stream outside the grant', () => {
  const answer = (stream: string) => JSON.stringify(refused({}, client(), stream).toWire('r')).replaceAll(stream, '*')

  test('gets the same error whether it exists or not', () => {
    expect(answer('hidden')).toBe(answer('absent'))
    expect(refused({}, client(), 'hidden')).toMatchObject({ code: 'grant_stream_not_allowed', status: 403 })
  })

  test('can be one of another source with a granted name', () => {
    const other = { ...source, declaration: { ...declaration, connector_key: 'diary' } }
    expect(refusal(() => enforce(client(), other, 'entries'))).toMatchObject({ code: 'grant_stream_not_allowed' })
  })

  test('is refused before the rest of the request is checked', () => {
    const odd = { connectionId: 'nowhere', fields: ['nothing'], view: 'none' }
    for (const stream of ['hidden', 'absent'])
      expect(refused(odd, client(), stream).code).toBe('grant_stream_not_allowed')
  })

  test('gets an error that names only granted streams', () => {
    expect(refused({}, client(), 'absent').message).toMatch(/It includes: entries\.$/)
  })

  test('is not found for the owner if it does not exist', () => {
    expect(refused({}, owner, 'absent')).toMatchObject({ code: 'not_found', status: 404 })
  })

  test('that the source no longer declares is not found', () => {
    expect(refused({}, client({ ...grantOfEntries, name: 'withdrawn' }), 'withdrawn').code).toBe('not_found')
  })
})

describe('a connection', () => {
  test('must be granted and exist', () => {
    expect(enforce(client(), source, 'entries').connections).toEqual(['home', 'work'])
    const chosen = enforce(client(), source, 'entries', { connectionId: 'work' })
    expect([chosen.connections, chosen.chosenConnection]).toEqual([['work'], 'work'])
  })

  test('that is foreign, removed or unknown gets the same error', () => {
    const answers = ['foreign', 'gone', 'nowhere', ''].map((connectionId) => refused({ connectionId }).toWire('r'))
    expect(answers[0]).toMatchObject({ code: 'connection_not_found', http_status: 404, param: 'connection_id' })
    for (const answer of answers) expect(answer).toEqual(answers[0])
  })

  test('is absent from the scope if no granted one exists', () => {
    const scope = enforce(client({ ...grantOfEntries, instance_ids: ['gone'] }), source, 'entries')
    expect(scope.connections).toEqual([])
  })
})

test('a time limit becomes microseconds; an invalid one never means no limit', () => {
  const limited = (since?: string, until?: string) => {
    const constraint = {
      field: 'at',
      ...(since === undefined ? {} : { since }),
      ...(until === undefined ? {} : { until }),
    }
    return enforce(client({ ...grantOfEntries, time_constraint: constraint }), source, 'entries').time
  }
  expect(limited('1970-01-01T00:00:01Z', '1970-01-02')).toEqual({
    field: 'at',
    since: 1_000_000,
    until: 86_400_000_000,
  })
  expect(limited()).toEqual({ field: 'at', since: undefined, until: undefined })
  expect(limited('soon', 'later')).toEqual({ field: 'at', since: Number.NaN, until: Number.NaN })
})
