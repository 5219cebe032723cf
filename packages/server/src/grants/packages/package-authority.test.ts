import { PdppError } from '@pdpp/protocol'
import { describe, expect, test } from 'vitest'
import type { PackageAuthority } from '../authority.ts'
import type { StoredGrant } from '../grant-store.ts'
import { stored, testGrant } from './package.fixture.ts'
import { packageAuthority } from './package-authority.ts'

const NOW = Date.parse('2026-06-01T00:00:00Z')
const packed = (members: StoredGrant[], revokedAt?: number) => ({
  packageId: 'pkg_1',
  clientId: 'cli_pack',
  clientName: undefined,
  createdAt: 1,
  revokedAt,
  members,
})
const good = stored(testGrant('grt_good', ['a']))
const ended = stored(testGrant('grt_ended', ['b'], ['entries'], { expires_at: '2026-06-01T00:00:00Z' }))
const paused = stored(testGrant('grt_paused', ['c']), { pausedAt: 5 })
const revoked = stored(testGrant('grt_revoked', ['d']), { revokedAt: 5, pausedAt: 4 })

describe('the authority of a package', () => {
  test('has the usable members, and a reason for each other one', () => {
    const authority = packageAuthority('owner', packed([ended, good, paused, revoked]), NOW) as PackageAuthority
    expect(authority.members).toEqual([{ kind: 'client', subjectId: 'owner', clientId: 'cli_pack', grant: good.grant }])
    expect(authority.unusable.map(({ grant, refusal }) => [grant.grant_id, refusal.code])).toEqual([
      ['grt_ended', 'grant_expired'],
      ['grt_paused', 'grant_paused'],
      ['grt_revoked', 'grant_revoked'],
    ])
  })

  test('has a member until the moment when it expires', () => {
    const authority = packageAuthority('owner', packed([ended]), NOW - 1)
    expect((authority as PackageAuthority).members).toHaveLength(1)
  })

  test.each([
    ['an absent package', undefined, 'grant_invalid'],
    ['a revoked package with a usable member', packed([good], 3), 'package_revoked'],
    ['a package without members', packed([]), 'package_revoked'],
    ['a package whose members have all ended', packed([ended, revoked]), 'package_revoked'],
    ['a package whose members are all paused', packed([paused]), 'grant_paused'],
    ['a package with a paused member, whose others have ended', packed([ended, paused, revoked]), 'grant_paused'],
  ])('is refused for %s', (_name, found, code) => {
    const refusal = packageAuthority('owner', found, NOW)
    expect(refusal).toBeInstanceOf(PdppError)
    expect((refusal as PdppError).code).toBe(code)
  })
})
