import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { OpenStorage } from './contract.cases.ts'
import { SUBJECT, seed } from './contract.fixture.ts'

const hash = (text: string) => createHash('sha256').update(text).digest()

export const grant = (id: string, client = 'cli_a') => ({
  version: '0.1.0' as const,
  grant_id: id,
  issued_at: '2026-01-01T00:00:00Z',
  subject: { id: SUBJECT },
  client: { client_id: client },
  source: { kind: 'connector', id: 'https://tests.example/journal', connector_key: 'journal' },
  source_declaration: { version: '1' },
  purpose_code: 'https://pdpp.dev/purpose/agent_context',
  access_mode: 'single_use' as const,
  streams: [{ name: 'entries', instance_ids: ['home'], fields: ['id'] }],
  expires_at: null,
})

const NONE = {
  ...{ clientId: undefined, grantId: undefined, packageId: undefined, expiresAt: undefined, revokedAt: undefined },
}

export function accessCases(open: OpenStorage): void {
  describe('grants, tokens, state', () => {
    it('shows a revocation in the next lookup, and revokes only once', async () => {
      const storage = await open()
      await storage.grants.create(SUBJECT, grant('grt_1'), 1)
      const token = {
        subjectId: SUBJECT,
        kind: 'client' as const,
        clientId: 'cli_a',
        grantId: 'grt_1',
        packageId: undefined,
        audience: ['mcp' as const],
        createdAt: 1,
        expiresAt: undefined,
        revokedAt: undefined,
      }
      await storage.tokens.create({ ...token, hash: hash('t') })
      expect((await storage.tokens.find(hash('t')))?.grant?.revokedAt).toBeUndefined()
      expect(await storage.grants.revoke(SUBJECT, 'grt_1', 5)).toBe(true)
      expect(await storage.grants.revoke(SUBJECT, 'grt_1', 6)).toBe(false)
      expect((await storage.tokens.find(hash('t')))?.grant?.revokedAt).toBe(5)
      expect((await storage.tokens.find(hash('t')))?.token.audience).toEqual(['mcp'])
      expect(await storage.tokens.find(hash('other'))).toBeUndefined()
      expect(await storage.tokens.revoke(hash('t'), 7)).toBe(true)
      expect((await storage.tokens.find(hash('t')))?.token.revokedAt).toBe(7)
      await storage.close()
    })

    it('gives an owner one reference for good, and finds tokens by it', async () => {
      const storage = await open()
      const proposals = ['aaaaaaa2', 'bbbbbbb3', 'ccccccc4', 'ddddddd5']
      const given = await Promise.all(proposals.map((one) => storage.tokens.ownerReference(SUBJECT, one)))
      expect(new Set(given).size).toBe(1)
      const reference = given[0]!
      expect(proposals).toContain(reference)
      // No other owner gets the same reference.
      expect(await storage.tokens.ownerReference('another', reference)).toBeUndefined()
      expect(await storage.tokens.ownerReference('another', 'eeeeeee6')).toBe('eeeeeee6')
      const token = {
        ...{ subjectId: SUBJECT, kind: 'owner' as const, audience: ['v1' as const], createdAt: 1 },
        ...NONE,
      }
      await storage.tokens.create({ ...token, hash: hash('t') })
      // Older tokens have no reference.
      const found = await storage.tokens.find(hash('t'))
      expect(found?.token.subjectId).toBe(SUBJECT)
      expect((await storage.tokens.find(hash('t'), reference))?.token).toEqual(found?.token)
      for (const other of ['eeeeeee6', 'zzzzzzz7']) expect(await storage.tokens.find(hash('t'), other)).toBeUndefined()
      await storage.close()
    })

    it('consumes a single-use grant once under concurrent attempts', async () => {
      const storage = await open()
      await storage.grants.create(SUBJECT, grant('grt_1'), 1)
      const attempts = await Promise.all(Array.from({ length: 50 }, () => storage.grants.consume(SUBJECT, 'grt_1', 2)))
      expect(attempts.filter(Boolean)).toHaveLength(1)
      await storage.close()
    })

    it('lists grants newest first, in pages, by client', async () => {
      const storage = await open()
      for (let n = 0; n < 5; n++)
        await storage.grants.create(SUBJECT, grant(`grt_${n}`, n % 2 ? 'cli_b' : 'cli_a'), 10 + Math.floor(n / 2))
      const first = await storage.grants.list(SUBJECT, { limit: 2 })
      const rest = await storage.grants.list(SUBJECT, { limit: 9, before: first.at(-1)!.grant.grant_id })
      expect([...first, ...rest].map(({ grant: { grant_id: id } }) => id)).toEqual([
        'grt_4',
        'grt_3',
        'grt_2',
        'grt_1',
        'grt_0',
      ])
      expect(await storage.grants.list(SUBJECT, { limit: 9, clientId: 'cli_b' })).toHaveLength(2)
      await storage.grants.revoke(SUBJECT, 'grt_4', 20)
      const match = await storage.grants.list(SUBJECT, { limit: 2, unrevoked: true })
      expect(match.map(({ grant: { grant_id: id } }) => id)).toEqual(['grt_3', 'grt_2'])
      expect(await storage.grants.list('somebody_else', { limit: 9 })).toEqual([])
      await storage.close()
    })

    it('keeps sync state by stream until it is null or its connection removed', async () => {
      const storage = await open()
      await seed(storage)
      const key = { subjectId: SUBJECT, connectorKey: 'journal', connectionId: 'home' }
      await storage.syncState.merge(key, { entries: { cursor: 'x' }, events: { cursor: 'y' } })
      expect(await storage.syncState.merge(key, { events: null })).toEqual({ entries: { cursor: 'x' } })
      await storage.connections.remove(SUBJECT, 'home')
      expect(await storage.syncState.read(key)).toEqual({})
      await storage.close()
    })

    it('creates a secret once and keeps settings by owner', async () => {
      const storage = await open()
      expect(Buffer.from(await storage.secret('a'))).toEqual(Buffer.from(await storage.secret('a')))
      expect(Buffer.from(await storage.secret('a'))).not.toEqual(Buffer.from(await storage.secret('b')))
      await storage.saveSetting(SUBJECT, 'x', '1')
      expect(await storage.setting(SUBJECT, 'x')).toBe('1')
      expect(await storage.setting('somebody_else', 'x')).toBeUndefined()
      await storage.saveSetting(SUBJECT, 'x', undefined)
      expect(await storage.setting(SUBJECT, 'x')).toBeUndefined()
      await storage.close()
    })
  })
}
