import { PdppError } from '@pdpp/protocol'
import { expect, test } from 'vitest'
import { verifies } from '../../../../../tests/fixtures/verifies.ts'
import type { PackageAuthority } from '../authority.ts'
import { chooseMember, needsConnections, unavailable } from './choose-member.ts'
import { testGrant } from './package.fixture.ts'

const connection = (connectionId: string) => ({
  connectionId,
  connectorKey: 'journal',
  displayName: undefined,
  createdAt: 1,
  updatedAt: 1,
})
const member = (id: string, connections: string[], streams?: string[]) => ({
  kind: 'client' as const,
  subjectId: 'owner',
  clientId: 'cli',
  grant: testGrant(id, connections, streams),
})
const packed = (
  members: ReturnType<typeof member>[],
  unusable: PackageAuthority['unusable'] = [],
): PackageAuthority => ({
  kind: 'package',
  subjectId: 'owner',
  clientId: 'cli',
  packageId: 'pkg_1',
  members,
  unusable,
})
const refusal = (work: () => unknown): PdppError => {
  try {
    work()
  } catch (error) {
    if (error instanceof PdppError) return error
  }
  throw new Error('It was not refused.')
}

test('ignores removed connections and chooses the only existing one', () => {
  const authority = packed([member('grt_1', ['a', 'gone']), member('grt_2', ['gone2'])])
  const chosen = chooseMember(authority, { stream: 'entries' }, [connection('a'), connection('foreign')])
  expect(chosen.grant.grant_id).toBe('grt_1')
  const none = refusal(() => chooseMember(authority, { stream: 'entries' }, [connection('foreign')]))
  expect(none.code).toBe('connection_not_found')
})

verifies('000.8.1', 'candidates with the stream come first, in the order of the members', () => {
  const authority = packed([
    member('grt_1', ['a'], ['other']),
    member('grt_2', ['c', 'b'], ['entries']),
    member('grt_3', ['d'], ['other', 'entries']),
  ])
  const { code, detail } = refusal(() =>
    chooseMember(authority, { stream: 'entries' }, ['a', 'b', 'c', 'd', 'x'].map(connection)),
  )
  expect([code, detail.candidates?.map((entry) => [entry.connection_id, entry.grant_id])]).toEqual([
    'ambiguous_connection',
    [
      ['b', 'grt_2'],
      ['c', 'grt_2'],
      ['d', 'grt_3'],
      ['a', 'grt_1'],
    ],
  ])
})

verifies('000.8.1', 'candidates say whether they have the stream', () => {
  const authority = packed([member('grt_1', ['a'], ['other']), member('grt_2', ['b', 'c'], ['entries'])])
  const error = refusal(() => chooseMember(authority, { stream: 'entries' }, ['a', 'b', 'c'].map(connection)))
  expect(error.message).toBe('This token reads 3 connections: say which one. "entries" is in: b, c.')
  expect(error.detail.candidates?.map((entry) => entry.has_stream)).toEqual([true, true, false])
})

test('the error names the connection that has the stream', () => {
  const authority = packed([member('grt_1', ['a'], ['other']), member('grt_2', ['b', 'gone'], ['entries'])])
  const request = { stream: 'entries', connectionId: 'a' }
  const error = refusal(() => chooseMember(authority, request, ['a', 'b'].map(connection)))
  expect([error.code, error.message]).toEqual([
    'grant_stream_not_allowed',
    'The connection that was named has no stream "entries". It is in: b.',
  ])
  expect(error.nextStep).toBe('Use one of the named connections instead, as connection_id or in the id.')
  // If no member has the stream, chooseMember returns the named member and enforce() refuses the stream.
  expect(chooseMember(authority, { stream: 'none', connectionId: 'a' }, []).grant.grant_id).toBe('grt_1')
  const needs = (stream: string, connectionId?: string) => needsConnections(authority, { stream, connectionId })
  expect([needs('entries', 'b'), needs('entries', 'a'), needs('entries')]).toEqual([false, true, true])
})

verifies('000.8.1', 'if no member has the stream, the error is about the stream', () => {
  const members = [member('grt_1', ['a'], ['other']), member('grt_2', ['b'], ['another'])]
  const error = (unusable: PackageAuthority['unusable'] = []) =>
    refusal(() => chooseMember(packed(members, unusable), { stream: 'entries' }, ['a', 'b'].map(connection)))
  expect(error().code).toBe('grant_stream_not_allowed')
  expect(error().message).toContain('It includes: other, another.')
  // If the member with the stream was revoked, the error says so.
  const revoked = { grant: testGrant('grt_3', ['c']), refusal: new PdppError('grant_revoked', 'It was revoked.') }
  expect(error([revoked]).code).toBe('grant_revoked')
})

test('warnings name up to twelve unusable members and count the others', () => {
  const unusable = Array.from({ length: 20 }, (_, n) => ({
    grant: testGrant(`grt_${n}`, [`c${n}`]),
    refusal: new PdppError('grant_revoked', 'The owner has revoked this grant.'),
  }))
  const warnings = unavailable(packed([member('grt_x', ['x'])], unusable))
  expect(warnings).toHaveLength(13)
  expect(warnings.at(-1)?.message).toMatch(/^8 more/)
  expect(unavailable(packed([], unusable), (grant) => grant.grant_id === 'grt_3')).toHaveLength(1)
  expect(unavailable({ kind: 'owner', subjectId: 'owner' })).toEqual([])
})
