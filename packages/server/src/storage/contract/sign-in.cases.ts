import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { StoredSession } from '../../sign-in/session-store.ts'
import type { OpenStorage } from './contract.cases.ts'
import { SUBJECT } from './contract.fixture.ts'

const hash = (text: string) => createHash('sha256').update(text).digest()
const session = (name: string, changes: Partial<StoredSession> = {}): StoredSession => ({
  hash: hash(name),
  sessionId: `ses_${name}`,
  subjectId: SUBJECT,
  method: 'password',
  agent: 'A browser',
  createdAt: 10,
  seenAt: 10,
  expiresAt: 1000,
  ...changes,
})

export function signInCases(open: OpenStorage): void {
  describe('passwords, sign-in links, sessions', () => {
    it('keeps one password hash for each owner', async () => {
      const storage = await open()
      expect(await storage.credentials.passwordHash(SUBJECT)).toBeUndefined()
      await storage.credentials.savePasswordHash(SUBJECT, 'one', 1)
      await storage.credentials.savePasswordHash(SUBJECT, 'two', 2)
      expect(await storage.credentials.passwordHash(SUBJECT)).toBe('two')
      expect(await storage.credentials.passwordHash('somebody_else')).toBeUndefined()
      await storage.close()
    })

    it('gives a link to one of fifty concurrent takers, never after expiry', async () => {
      const storage = await open()
      const link = { hash: hash('l'), subjectId: SUBJECT, createdAt: 1, expiresAt: 100 }
      await storage.credentials.createLink(link, 5)
      expect(await storage.credentials.findLink(hash('l'), 99)).toMatchObject({ subjectId: SUBJECT, expiresAt: 100 })
      const takes = await Promise.all(Array.from({ length: 50 }, () => storage.credentials.takeLink(hash('l'), 50)))
      expect(takes.filter((taken) => taken !== undefined)).toHaveLength(1)
      expect(await storage.credentials.findLink(hash('l'), 50)).toBeUndefined()
      // A link that was refused once stays refused, even if the clock is set back.
      for (const [name, refuse] of [
        ['m', storage.credentials.takeLink],
        ['n', storage.credentials.findLink],
      ] as const) {
        await storage.credentials.createLink({ ...link, hash: hash(name) }, 5)
        expect(await refuse.call(storage.credentials, hash(name), 100)).toBeUndefined()
        expect(await storage.credentials.takeLink(hash(name), 50)).toBeUndefined()
      }
      await storage.close()
    })

    it('keeps a bounded number of the newest links', async () => {
      const storage = await open()
      for (let n = 0; n < 5; n++)
        await storage.credentials.createLink(
          { hash: hash(`${n}`), subjectId: SUBJECT, createdAt: n, expiresAt: 100 },
          2,
        )
      const found = await Promise.all([0, 1, 2, 3, 4].map((n) => storage.credentials.findLink(hash(`${n}`), 50)))
      expect(found.map((link) => link !== undefined)).toEqual([false, false, false, true, true])
      await storage.credentials.removeLinks(SUBJECT)
      expect(await storage.credentials.findLink(hash('4'), 50)).toBeUndefined()
      await storage.close()
    })

    it('finds, lists, touches and ends only sessions of the same owner', async () => {
      const storage = await open()
      await storage.sessions.create(session('a'), 9)
      await storage.sessions.create(session('b', { seenAt: 20 }), 9)
      await storage.sessions.create(session('c', { subjectId: 'somebody_else' }), 9)
      expect((await storage.sessions.find(hash('a')))?.sessionId).toBe('ses_a')
      await storage.sessions.touch(hash('a'), 30)
      await storage.sessions.touch(hash('a'), 5)
      expect((await storage.sessions.list(SUBJECT)).map(({ sessionId, seenAt }) => [sessionId, seenAt])).toEqual([
        ['ses_a', 30],
        ['ses_b', 20],
      ])
      expect(await storage.sessions.remove(SUBJECT, 'ses_c')).toBe(false)
      expect(await storage.sessions.remove(SUBJECT, 'ses_a')).toBe(true)
      expect(await storage.sessions.find(hash('a'))).toBeUndefined()
      expect(await storage.sessions.removeAll(SUBJECT)).toBe(1)
      expect(await storage.sessions.find(hash('c'))).toBeDefined()
      await storage.close()
    })

    it('deletes ended sessions and keeps a bounded number', async () => {
      const storage = await open()
      await storage.sessions.create(session('ended', { expiresAt: 50 }), 9)
      await storage.sessions.create(session('idle', { seenAt: 20 }), 9)
      await storage.sessions.create(session('busy', { seenAt: 90 }), 9)
      await storage.sessions.sweep(50, 20)
      expect((await storage.sessions.list(SUBJECT)).map(({ sessionId }) => sessionId)).toEqual(['ses_busy'])
      for (let n = 0; n < 4; n++) await storage.sessions.create(session(`${n}`, { seenAt: 100 + n }), 3)
      expect((await storage.sessions.list(SUBJECT)).map(({ sessionId }) => sessionId)).toEqual([
        'ses_3',
        'ses_2',
        'ses_1',
      ])
      await storage.close()
    })
  })
}
