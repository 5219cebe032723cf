import { type Grant, PdppError, type SourceDeclaration, type StreamDeclaration, type StreamGrant } from '@pdpp/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import type { DeclaredSource } from '../sources/declarations/source-service.ts'
import type { ReadAuthority } from './authority.ts'
import { enforce, type ReadRequest, usableNames, visibleStreams } from './enforce.ts'
import type { ReadScope } from './read-scope.ts'

// Declarations, grants and requests that each use a different part of the same few names.
const allStreams = ['s1', 's2', 's3']
const allFields = ['id', 'at', 'title', 'body', 'secret', 'constructor']
const allConnections = ['c1', 'c2', 'c3', 'c4']
const allViews = ['v1', 'v2']

const stream = (name: string): fc.Arbitrary<StreamDeclaration> =>
  fc.record({ fields: fc.subarray(allFields.slice(1)), viewed: fc.subarray(allViews) }).chain(({ fields, viewed }) => {
    const declared = ['id', ...fields]
    return fc
      .array(fc.subarray(declared, { minLength: 1 }), { minLength: viewed.length, maxLength: viewed.length })
      .map((chosen) => ({
        name,
        semantics: 'mutable_state' as const,
        schema: {
          type: 'object',
          properties: Object.fromEntries(declared.map((field) => [field, { type: 'string' }])),
        },
        primary_key: ['id'],
        views: viewed.map((id, index) => ({ id, fields: chosen[index]! })),
      }))
  })
const source: fc.Arbitrary<DeclaredSource> = fc.record({
  declaration: fc
    .subarray(allStreams, { minLength: 1 })
    .chain((names) => fc.tuple(...names.map(stream)))
    .map(declarationOf),
  connections: fc.subarray(allConnections),
})
const streamGrant = (name: string): fc.Arbitrary<StreamGrant> =>
  fc.record(
    {
      name: fc.constant(name),
      instance_ids: fc.subarray(allConnections, { minLength: 1 }),
      fields: fc.subarray(allFields, { minLength: 1 }),
      resources: fc.constant(['k1']),
      time_constraint: fc.constant({ field: 'at', since: '2026-01-01', until: '2026-02-01T00:00:00+01:00' }),
    },
    { requiredKeys: ['name', 'instance_ids', 'fields'] },
  ) as fc.Arbitrary<StreamGrant>
const granted = fc.subarray(allStreams, { minLength: 1 }).chain((names) => fc.tuple(...names.map(streamGrant)))
const request: fc.Arbitrary<ReadRequest> = fc.record(
  {
    connectionId: fc.constantFrom(...allConnections, 'nowhere'),
    fields: fc.subarray([...allFields, 'unheard']),
    view: fc.constantFrom(...allViews, 'unseen'),
  },
  { requiredKeys: [] },
)
const streamName = fc.constantFrom(...allStreams, 's9')

function declarationOf(streams: StreamDeclaration[]): SourceDeclaration {
  return {
    protocol_version: '0.1.0',
    source: { kind: 'connector', id: 'https://tests.example/notes' },
    connector_key: 'notes',
    declaration_version: '1',
    display: { name: 'Notes' },
    sensitivity: 'standard',
    streams,
  }
}

function client(streams: StreamGrant[]): ReadAuthority & { grant: Grant } {
  const grant: Grant = {
    version: '0.1.0',
    grant_id: 'grt_1',
    issued_at: '2026-01-01T00:00:00Z',
    subject: { id: 'owner' },
    client: { client_id: 'cli_1' },
    source: { kind: 'connector', id: 'https://tests.example/notes', connector_key: 'notes' },
    source_declaration: { version: '1' },
    purpose_code: 'https://pdpp.dev/purpose/agent_context',
    access_mode: 'continuous',
    streams,
    expires_at: null,
  }
  return { kind: 'client', subjectId: 'owner', clientId: 'cli_1', grant }
}

const owner: ReadAuthority = { kind: 'owner', subjectId: 'owner' }
const declared = (scope: ReadScope) => Object.keys(scope.stream.schema['properties'] as object)
const beyond = (inner: readonly string[], ...outer: (readonly string[])[]) =>
  inner.filter((name) => !outer.every((set) => set.includes(name)))

/** The scope, or the code of the refusal. Any other error fails the test. */
function decide(authority: ReadAuthority, from: DeclaredSource, name: string, asked: ReadRequest): ReadScope | string {
  try {
    return enforce(authority, from, name, asked)
  } catch (error) {
    if (error instanceof PdppError) return error.code
    throw error
  }
}

verifies.group('checklist 16', 'a client', () => {
  test('gets no field or connection outside the request, grant or declaration', () => {
    fc.assert(
      fc.property(source, granted, streamName, request, (from, streams, name, asked) => {
        const scope = decide(client(streams), from, name, asked)
        if (typeof scope === 'string') return
        const grant = streams.find((candidate) => candidate.name === name)!
        const [usable, projection] = [scope.usable as readonly string[], scope.projection as readonly string[]]
        expect(beyond(usable, grant.fields, declared(scope))).toEqual([])
        expect(beyond(projection, usable)).toEqual([])
        if (asked.fields) expect([...projection].sort()).toEqual([...asked.fields].sort())
        expect(beyond(scope.connections, grant.instance_ids, from.connections)).toEqual([])
        if (asked.connectionId) expect(scope.connections).toEqual([asked.connectionId])
        expect(scope.resources).toEqual(grant.resources)
        expect(scope.time === undefined).toBe(grant.time_constraint === undefined)
        expect([scope.subjectId, scope.accessId]).toEqual(['owner', 'grt_1'])
      }),
      { numRuns: 1000 },
    )
  })

  test('may use every field that is granted and declared', () => {
    fc.assert(
      fc.property(source, granted, streamName, (from, streams, name) => {
        const scope = decide(client(streams), from, name, {})
        if (typeof scope === 'string') return
        const grant = streams.find((candidate) => candidate.name === name)!
        expect(scope.usable).toEqual(grant.fields.filter((field) => declared(scope).includes(field)))
        expect(scope.projection).toEqual(scope.usable)
        expect(scope.connections).toEqual(from.connections.filter((id) => grant.instance_ids.includes(id)))
        expect([...usableNames(scope.stream, scope.usable)].sort()).toEqual([...(scope.usable as string[])].sort())
      }),
    )
  })

  test('is refused for the first reason of: stream, connection, field', () => {
    const reason = (from: DeclaredSource, streams: StreamGrant[], name: string, asked: ReadRequest) => {
      const grant = streams.find((candidate) => candidate.name === name)
      if (!grant) return 'grant_stream_not_allowed'
      const found = from.declaration.streams.find((candidate) => candidate.name === name)
      if (!found) return 'not_found'
      const id = asked.connectionId
      if (id && !(grant.instance_ids.includes(id) && from.connections.includes(id))) return 'connection_not_found'
      const view = found.views?.find((candidate) => candidate.id === asked.view)
      if (asked.view && (asked.fields || !view)) return 'invalid_argument'
      const known = Object.keys(found.schema['properties'] as object)
      const first = (view?.fields ?? asked.fields ?? []).find(
        (field) => beyond([field], known, grant.fields).length > 0,
      )
      if (first === undefined) return 'allowed'
      return known.includes(first) ? 'field_not_granted' : 'unknown_field'
    }
    fc.assert(
      fc.property(source, granted, streamName, request, (from, streams, name, asked) => {
        const scope = decide(client(streams), from, name, asked)
        expect(typeof scope === 'string' ? scope : 'allowed').toBe(reason(from, streams, name, asked))
      }),
      { numRuns: 1000 },
    )
  })

  test('gains nothing from a later declaration', () => {
    fc.assert(
      fc.property(source, source, granted, streamName, (before, after, streams, name) => {
        const later = decide(client(streams), after, name, {})
        if (typeof later === 'string') return
        const grant = streams.find((candidate) => candidate.name === name)!
        expect(beyond(later.usable as string[], grant.fields)).toEqual([])
        const earlier = decide(client(streams), before, name, {})
        if (typeof earlier === 'string') return
        const both = (later.usable as string[]).filter((field) => declared(earlier).includes(field))
        expect(beyond(both, earlier.usable as string[])).toEqual([])
      }),
    )
  })

  test('sees the granted streams that exist, of the granted source only', () => {
    fc.assert(
      fc.property(source, granted, ({ declaration }, streams) => {
        const names = visibleStreams(client(streams), declaration).map(({ name }) => name)
        const all = declaration.streams.map(({ name }) => name)
        expect(names).toEqual(all.filter((name) => streams.some((grant) => grant.name === name)))
        expect(visibleStreams(client(streams), { ...declaration, connector_key: 'other' })).toEqual([])
      }),
    )
  })
})

test('the owner sees every connection and every field, even undeclared ones', () => {
  fc.assert(
    fc.property(source, (from) => {
      for (const { name } of from.declaration.streams) {
        const scope = enforce(owner, from, name)
        expect([scope.usable, scope.projection, scope.connections]).toEqual(['all', 'all', from.connections])
        expect([scope.time, scope.resources, scope.accessId]).toEqual([undefined, undefined, 'owner'])
      }
      expect(visibleStreams(owner, from.declaration)).toEqual(from.declaration.streams)
    }),
  )
})
