import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Authorization, RefreshToken } from '../../authorization/stores/authorization-store.ts'
import type { Client } from '../../clients/client-store.ts'
import type { OpenStorage } from './contract.cases.ts'
import { SUBJECT } from './contract.fixture.ts'

const hash = (text: string) => createHash('sha256').update(text).digest()

const client = (clientId: string, createdAt: number, changes: Partial<Client> = {}): Client => ({
  clientId,
  kind: 'dynamic',
  metadata: { redirect_uris: ['https://client.example/back'], grant_types: [], response_types: [] },
  createdAt,
  lastUsedAt: undefined,
  freshUntil: undefined,
  ...changes,
})

const authorization = (id: string): Authorization => ({
  authorizationId: id,
  subjectId: SUBJECT,
  clientId: 'cli_a',
  kind: 'grant',
  grantId: 'grt_1',
  packageId: undefined,
  audiences: ['mcp', 'v1'],
  singleUse: false,
  createdAt: 1,
  expiresAt: undefined,
  revokedAt: undefined,
})

const refresh = (name: string, authorizationId = 'ath_1'): RefreshToken => ({
  hash: hash(name),
  authorizationId,
  createdAt: 1,
  expiresAt: 1000,
  rotatedAt: undefined,
})

export function authorizationCases(open: OpenStorage): void {
  describe('clients, artifacts and authorizations', () => {
    it('replaces client metadata, keeps the first date, lists newest first', async () => {
      const storage = await open()
      for (const n of [1, 2, 3]) await storage.clients.save(client(`cli_${n}`, n))
      await storage.clients.touch('cli_1', 9)
      const metadata = { client_name: 'Renamed', redirect_uris: [], grant_types: [], response_types: [] }
      await storage.clients.save(client('cli_1', 50, { metadata, freshUntil: 70 }))
      expect(await storage.clients.find('cli_1')).toEqual(
        client('cli_1', 1, { metadata, freshUntil: 70, lastUsedAt: 9 }),
      )
      expect(await storage.clients.find('cli_9')).toBeUndefined()
      const first = await storage.clients.list({ limit: 2 })
      const rest = await storage.clients.list({ limit: 2, before: first.at(-1)!.clientId })
      await storage.clients.touch(rest[0]!.clientId, 9)
      const ids = async (used: boolean) =>
        (await storage.clients.list({ limit: 9, used })).map(({ clientId }) => clientId)
      expect(await ids(true)).toEqual([rest[0]!.clientId])
      expect(await ids(false)).not.toContain(rest[0]!.clientId)
      expect([...first, ...rest].map(({ clientId }) => clientId)).toEqual(['cli_3', 'cli_2', 'cli_1'])
      await storage.close()
    })

    it('removes only registrations that were never used, oldest first', async () => {
      const storage = await open()
      for (let n = 0; n < 8; n++) await storage.clients.save(client(`cli_${n}`, n))
      await storage.clients.save(client('pre', 0, { kind: 'pre_registered' }))
      await storage.clients.touch('cli_0', 5)
      expect(await storage.clients.removeUnused({ createdBefore: 3, keep: 3 })).toBe(4)
      const left = (await storage.clients.list({ limit: 20 })).map(({ clientId }) => clientId)
      expect(left).toEqual(['cli_7', 'cli_6', 'cli_5', 'pre', 'cli_0'])
      await storage.close()
    })

    it('consumes an artifact once under concurrent attempts', async () => {
      const storage = await open()
      const code = { kind: 'AuthorizationCode', id: 'x', payload: '{}', expiresAt: 100 }
      await storage.artifacts.put(code)
      const attempts = await Promise.all(
        Array.from({ length: 50 }, () => storage.artifacts.consume('AuthorizationCode', 'x', 7)),
      )
      expect(attempts.filter(Boolean)).toHaveLength(1)
      await storage.artifacts.put({ ...code, payload: '{"a":1}' })
      expect(await storage.artifacts.find('AuthorizationCode', 'x')).toMatchObject({
        payload: '{"a":1}',
        consumedAt: 7,
      })
      expect(await storage.artifacts.find('DeviceCode', 'x')).toBeUndefined()
      await storage.close()
    })

    it('finds artifacts by alias and removes them by authorization or age', async () => {
      const storage = await open()
      const put = (id: string, expiresAt: number, more = {}) =>
        storage.artifacts.put({ kind: 'DeviceCode', id, payload: '{}', expiresAt, ...more })
      await put('a', 10, { alias: 'user', authorizationId: 'ath_1' })
      await put('b', 20, { authorizationId: 'ath_1' })
      await put('c', 30)
      expect((await storage.artifacts.findByAlias('DeviceCode', 'user'))?.id).toBe('a')
      expect(await storage.artifacts.findByAlias('DeviceCode', 'other')).toBeUndefined()
      await storage.artifacts.removeByAuthorization('Session', 'ath_1')
      expect(await storage.artifacts.sweep(15, 10)).toBe(1)
      expect(await storage.artifacts.find('DeviceCode', 'a')).toBeUndefined()
      await storage.artifacts.removeByAuthorization('DeviceCode', 'ath_1')
      expect(await storage.artifacts.find('DeviceCode', 'b')).toBeUndefined()
      await storage.artifacts.remove('DeviceCode', 'c')
      expect(await storage.artifacts.find('DeviceCode', 'c')).toBeUndefined()
      await storage.close()
    })

    it('rotates a refresh token once under concurrent attempts', async () => {
      const storage = await open()
      await storage.authorizations.create(authorization('ath_1'))
      expect(await storage.authorizations.find('ath_1')).toEqual(authorization('ath_1'))
      await storage.authorizations.createRefreshToken(refresh('one'))
      const attempts = await Promise.all(
        Array.from({ length: 20 }, () => storage.authorizations.rotate(hash('one'), refresh('two'), 5)),
      )
      expect(attempts.filter(Boolean)).toHaveLength(1)
      expect((await storage.authorizations.findRefreshToken(hash('one')))?.rotatedAt).toBe(5)
      expect((await storage.authorizations.findRefreshToken(hash('two')))?.rotatedAt).toBeUndefined()
      expect(await storage.authorizations.rotate(hash('none'), refresh('three'), 5)).toBe(false)
      expect(await storage.authorizations.findRefreshToken(hash('three'))).toBeUndefined()
      expect(await storage.authorizations.sweep(2000, 10)).toBe(2)
      await storage.close()
    })

    it('revokes one approval or all of a client, with their access tokens', async () => {
      const storage = await open()
      const token = (name: string, authorizationId: string, grantId?: string) =>
        storage.tokens.create({
          hash: hash(name),
          subjectId: SUBJECT,
          kind: grantId === undefined ? 'owner' : 'client',
          clientId: 'cli_a',
          grantId,
          packageId: undefined,
          audience: ['v1'],
          createdAt: 1,
          expiresAt: 100,
          revokedAt: undefined,
          authorizationId,
        })
      const revoked = async (name: string) => (await storage.tokens.find(hash(name)))?.token.revokedAt
      for (const id of ['ath_1', 'ath_2', 'ath_3']) {
        await storage.authorizations.create(authorization(id))
        await token(`of ${id}`, id, id === 'ath_3' ? undefined : 'grt_1')
      }
      expect(await storage.authorizations.revoke('ath_1', 5)).toBe(true)
      expect(await storage.authorizations.revoke('ath_1', 6)).toBe(false)
      expect([await revoked('of ath_1'), await revoked('of ath_2')]).toEqual([5, undefined])
      expect(await storage.authorizations.revokeByClient('somebody_else', 'cli_a', 7)).toBe(0)
      expect(await storage.authorizations.revokeByClient(SUBJECT, 'cli_a', 8)).toBe(2)
      expect([await revoked('of ath_1'), await revoked('of ath_2'), await revoked('of ath_3')]).toEqual([
        5,
        undefined,
        8,
      ])
      expect((await storage.authorizations.find('ath_2'))?.revokedAt).toBe(8)
      const month = 30 * 86_400_000
      expect(await storage.authorizations.sweep(100 + month, 10)).toBe(0)
      expect(await storage.authorizations.sweep(101 + month, 10)).toBe(3)
      expect(await storage.tokens.find(hash('of ath_2'))).toBeUndefined()
      await storage.close()
    })
  })
}
