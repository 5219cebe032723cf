import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { StoredToken } from '../../tokens/token-store.ts'
import { grant } from './access.cases.ts'
import type { OpenStorage } from './contract.cases.ts'
import { SUBJECT } from './contract.fixture.ts'

const hash = (text: string) => createHash('sha256').update(text).digest()
const made = (packageId: string, grantIds: string[], clientId = 'cli_a') => ({
  packageId,
  clientId,
  clientName: 'Tests',
  grantIds,
})
const token = (name: string, accessId: Partial<StoredToken>): StoredToken => ({
  hash: hash(name),
  subjectId: SUBJECT,
  kind: 'package',
  clientId: 'cli_a',
  grantId: undefined,
  packageId: undefined,
  audience: ['mcp', 'v1'],
  createdAt: 1,
  expiresAt: undefined,
  revokedAt: undefined,
  ...accessId,
})
const ids = (members: readonly { grant: { grant_id: string } }[]) => members.map((member) => member.grant.grant_id)

export function packageCases(open: OpenStorage): void {
  describe('packages of grants', () => {
    it('finds the members with the token, in order, in their current state', async () => {
      const storage = await open()
      for (const id of ['grt_1', 'grt_2', 'grt_3']) await storage.grants.create(SUBJECT, grant(id), 1)
      expect(await storage.packages.create(SUBJECT, made('pkg_1', ['grt_3', 'grt_1']), 2)).toBe(true)
      await storage.tokens.create(token('t', { packageId: 'pkg_1' }))
      const found = async () => (await storage.tokens.find(hash('t')))!
      expect(await found()).toMatchObject({
        token: { kind: 'package', packageId: 'pkg_1', audience: ['mcp', 'v1'] },
        grant: undefined,
        package: { packageId: 'pkg_1', clientId: 'cli_a', clientName: 'Tests', createdAt: 2, revokedAt: undefined },
      })
      expect(ids((await found()).package!.members)).toEqual(['grt_3', 'grt_1'])
      await storage.grants.revoke(SUBJECT, 'grt_1', 5)
      expect((await found()).package!.members.map(({ revokedAt }) => revokedAt)).toEqual([undefined, 5])
      expect((await storage.grants.find(SUBJECT, 'grt_1'))?.packageId).toBe('pkg_1')
      await storage.close()
    })

    it('adds a grant to one package only, and all grants or none', async () => {
      const storage = await open()
      for (const id of ['grt_1', 'grt_2', 'grt_3']) await storage.grants.create(SUBJECT, grant(id), 1)
      await storage.grants.revoke(SUBJECT, 'grt_3', 2)
      const attempts = ['pkg_1', 'pkg_2'].map((id) => storage.packages.create(SUBJECT, made(id, ['grt_1']), 3))
      expect((await Promise.all(attempts)).filter(Boolean)).toHaveLength(1)
      for (const members of [
        ['grt_2', 'grt_1'],
        ['grt_2', 'grt_3'],
        ['grt_2', 'grt_none'],
      ])
        expect(await storage.packages.create(SUBJECT, made('pkg_3', members), 3)).toBe(false)
      expect(await storage.packages.create('somebody_else', made('pkg_3', ['grt_2']), 3)).toBe(false)
      expect(await storage.packages.find(SUBJECT, 'pkg_3')).toBeUndefined()
      expect((await storage.grants.find(SUBJECT, 'grt_2'))?.packageId).toBeUndefined()
      await storage.close()
    })

    it('pauses and resumes all members that are not revoked', async () => {
      const storage = await open()
      for (const id of ['grt_1', 'grt_2', 'grt_3', 'grt_4']) await storage.grants.create(SUBJECT, grant(id), 1)
      await storage.packages.create(SUBJECT, made('pkg_1', ['grt_1', 'grt_2', 'grt_3']), 2)
      await storage.grants.revoke(SUBJECT, 'grt_1', 3)
      await storage.grants.pause(SUBJECT, 'grt_2', 4)
      const paused = async () =>
        (await storage.packages.find(SUBJECT, 'pkg_1'))!.members.map(({ pausedAt }) => pausedAt)
      expect(await storage.packages.pause('somebody_else', 'pkg_1', 5)).toBe(false)
      expect(await storage.packages.pause(SUBJECT, 'pkg_1', 5)).toBe(true)
      expect(await paused()).toEqual([undefined, 4, 5])
      expect((await storage.grants.find(SUBJECT, 'grt_4'))?.pausedAt).toBeUndefined()
      expect(await storage.packages.resume('somebody_else', 'pkg_1')).toBe(false)
      expect(await storage.packages.resume(SUBJECT, 'pkg_1')).toBe(true)
      expect(await paused()).toEqual([undefined, undefined, undefined])
      await storage.packages.revoke(SUBJECT, 'pkg_1', 6)
      expect(await storage.packages.pause(SUBJECT, 'pkg_1', 7)).toBe(false)
      expect(await storage.packages.resume(SUBJECT, 'pkg_1')).toBe(false)
      await storage.close()
    })

    it('revokes a package with its members once and returns them', async () => {
      const storage = await open()
      for (const id of ['grt_1', 'grt_2', 'grt_3']) await storage.grants.create(SUBJECT, grant(id), 1)
      await storage.packages.create(SUBJECT, made('pkg_1', ['grt_1', 'grt_2']), 2)
      await storage.grants.revoke(SUBJECT, 'grt_1', 3)
      expect(await storage.packages.revoke('somebody_else', 'pkg_1', 4)).toBeUndefined()
      expect(await storage.packages.revoke(SUBJECT, 'pkg_1', 4)).toEqual(['grt_2'])
      expect(await storage.packages.revoke(SUBJECT, 'pkg_1', 5)).toBeUndefined()
      const found = await storage.packages.find(SUBJECT, 'pkg_1')
      expect([found?.revokedAt, ...found!.members.map(({ revokedAt }) => revokedAt)]).toEqual([4, 3, 4])
      expect((await storage.grants.find(SUBJECT, 'grt_3'))?.revokedAt).toBeUndefined()
      await storage.close()
    })

    it('lists packages newest first, in pages, by client', async () => {
      const storage = await open()
      for (let n = 0; n < 4; n++) {
        await storage.grants.create(SUBJECT, grant(`grt_${n}`), 1)
        await storage.packages.create(SUBJECT, made(`pkg_${n}`, [`grt_${n}`], n % 2 ? 'cli_b' : 'cli_a'), 10 + n)
      }
      const first = await storage.packages.list(SUBJECT, { limit: 3 })
      const rest = await storage.packages.list(SUBJECT, { limit: 3, before: first.at(-1)!.packageId })
      expect([...first, ...rest].map(({ packageId }) => packageId)).toEqual(['pkg_3', 'pkg_2', 'pkg_1', 'pkg_0'])
      expect(await storage.packages.list(SUBJECT, { limit: 9, clientId: 'cli_b' })).toHaveLength(2)
      expect(await storage.packages.list('somebody_else', { limit: 9 })).toEqual([])
      await storage.close()
    })

    it('pauses and resumes a grant, but not a revoked one', async () => {
      const storage = await open()
      await storage.grants.create(SUBJECT, grant('grt_1'), 1)
      const pausedAt = async () => (await storage.grants.find(SUBJECT, 'grt_1'))?.pausedAt
      expect(await storage.grants.pause(SUBJECT, 'grt_1', 5)).toBe(true)
      expect(await storage.grants.pause(SUBJECT, 'grt_1', 6)).toBe(true)
      expect(await pausedAt()).toBe(5)
      expect(await storage.grants.resume(SUBJECT, 'grt_1')).toBe(true)
      expect(await pausedAt()).toBeUndefined()
      await storage.grants.revoke(SUBJECT, 'grt_1', 7)
      expect(await storage.grants.pause(SUBJECT, 'grt_1', 8)).toBe(false)
      expect(await storage.grants.resume(SUBJECT, 'grt_1')).toBe(false)
      expect(await storage.grants.pause(SUBJECT, 'grt_none', 8)).toBe(false)
      await storage.close()
    })

    it('keeps when a grant was first refused as expired', async () => {
      const storage = await open()
      await storage.grants.create(SUBJECT, grant('grt_1'), 1)
      await storage.grants.expire(SUBJECT, 'grt_1', 5)
      await storage.grants.expire(SUBJECT, 'grt_1', 6)
      expect((await storage.grants.find(SUBJECT, 'grt_1'))?.expiredAt).toBe(5)
      await storage.grants.replace(SUBJECT, 'grt_1', grant('grt_2'), 7)
      expect((await storage.grants.find(SUBJECT, 'grt_2'))?.expiredAt).toBe(5)
      await storage.close()
    })

    it('replaces a grant and keeps its tokens, membership, pause and use', async () => {
      const storage = await open()
      for (const id of ['grt_1', 'grt_2']) await storage.grants.create(SUBJECT, grant(id), 1)
      await storage.grants.consume(SUBJECT, 'grt_1', 2)
      await storage.grants.pause(SUBJECT, 'grt_1', 3)
      await storage.packages.create(SUBJECT, made('pkg_1', ['grt_1', 'grt_2']), 3)
      await storage.tokens.create(token('t', { kind: 'client', grantId: 'grt_1' }))
      expect(await storage.grants.replace(SUBJECT, 'grt_1', grant('grt_9'), 4)).toBe(true)
      expect(await storage.grants.replace(SUBJECT, 'grt_1', grant('grt_8'), 5)).toBe(false)
      expect(await storage.grants.find(SUBJECT, 'grt_8')).toBeUndefined()
      const [old, now] = [await storage.grants.find(SUBJECT, 'grt_1'), await storage.grants.find(SUBJECT, 'grt_9')]
      expect(old).toMatchObject({ revokedAt: 4, replacedBy: 'grt_9', packageId: undefined })
      expect(now).toMatchObject({ consumedAt: 2, pausedAt: 3, packageId: 'pkg_1', revokedAt: undefined })
      expect((await storage.tokens.find(hash('t')))?.grant?.grant.grant_id).toBe('grt_9')
      expect(ids((await storage.packages.find(SUBJECT, 'pkg_1'))!.members)).toEqual(['grt_9', 'grt_2'])
      await storage.close()
    })
  })
}
