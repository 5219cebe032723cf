import { createHash } from 'node:crypto'
import type { Grant } from '@pdpp/protocol'
import { describe, expect, it } from 'vitest'
import type { CountedWish } from '../../grants/wishes/wish-store.ts'
import { wishIdOf } from '../../grants/wishes/wish-thing.ts'
import { grant } from './access.cases.ts'
import type { OpenStorage } from './contract.cases.ts'
import { SUBJECT } from './contract.fixture.ts'

const LIMITS = { open: 3, all: 5 }
const wish = (thing: string, times = 1, at = 1): CountedWish => ({
  ...{ thing, times, firstAt: at, lastAt: at, accessId: 'grt_1' },
  lacks: thing === '' ? undefined : { kind: 'stream', stream: thing },
})
const hash = (text: string) => createHash('sha256').update(text).digest()

export function wishCases(open: OpenStorage): void {
  describe('wishes', () => {
    it('counts each thing of an agent, and folds what is beyond the limit', async () => {
      const { wishes, close } = await open()
      await wishes.count(
        SUBJECT,
        'cli_a',
        ['a', 'b'].map((thing) => wish(thing)),
        LIMITS,
      )
      await wishes.count(
        SUBJECT,
        'cli_a',
        [wish('a', 4, 9), wish('c'), wish('d', 2), wish('e', 5), wish('', 1)],
        LIMITS,
      )
      await wishes.count(SUBJECT, 'cli_b', [wish('a')], LIMITS)
      const list = await wishes.list(SUBJECT, { clientId: 'cli_a', limit: 10 })
      expect(list.map(({ lacks, times }) => [lacks?.stream, times]).toSorted()).toEqual(
        [
          ['a', 5],
          ['b', 1],
          ['c', 1],
          [undefined, 8],
        ].toSorted(),
      )
      expect(list[0]).toMatchObject({ lacks: { stream: 'a' }, firstAt: 1, lastAt: 9, state: 'open' })
      expect(await wishes.list(SUBJECT, { limit: 10 })).toHaveLength(5)
      await close()
    })

    it('never asks again after a decision, also about what was never counted', async () => {
      const { wishes, close } = await open()
      await wishes.count(SUBJECT, 'cli_a', [wish('a')], LIMITS)
      await wishes.decide(SUBJECT, { ...wish('a', 0), clientId: 'cli_a' }, 'denied', 5)
      await wishes.decide(SUBJECT, { ...wish('b', 0), clientId: 'cli_a' }, 'silenced', 6)
      await wishes.count(SUBJECT, 'cli_a', [wish('a', 7, 9), wish('b', 7, 9)], LIMITS)
      expect(await wishes.list(SUBJECT, { limit: 10, state: 'open' })).toEqual([])
      const id = wishIdOf('cli_a', 'a')
      expect(await wishes.find(SUBJECT, id)).toMatchObject({ state: 'denied', decidedAt: 5, times: 1 })
      // After the owner silenced all other wishes, new ones are no longer counted.
      await wishes.count(
        SUBJECT,
        'cli_a',
        ['c', 'd', 'e', 'f'].map((thing) => wish(thing)),
        LIMITS,
      )
      await wishes.decide(SUBJECT, { ...wish('', 0), clientId: 'cli_a' }, 'silenced', 7)
      await wishes.count(SUBJECT, 'cli_a', [wish('g', 3)], LIMITS)
      expect((await wishes.find(SUBJECT, wishIdOf('cli_a', '')))?.times).toBe(1)
      expect([await wishes.remove(SUBJECT, id), await wishes.remove(SUBJECT, id)]).toEqual([true, false])
      await close()
    })
  })

  describe('widening', () => {
    const token = (name: string, grantId: string) => ({
      ...{ hash: hash(name), subjectId: SUBJECT, kind: 'client' as const, clientId: 'cli_a', grantId },
      ...{ packageId: undefined, audience: ['v1' as const], createdAt: 1, expiresAt: undefined, revokedAt: undefined },
    })
    const replaced = (grantId: string, by: Grant) => ({ grantId, grant: by })
    const becomes = { packageId: 'pkg_1', clientId: 'cli_a', clientName: 'Tests' }

    it('turns a grant into a package, with its tokens, approvals and pause', async () => {
      const storage = await open()
      await storage.grants.create(SUBJECT, grant('grt_0'), 1)
      await storage.tokens.create(token('t', 'grt_0'))
      await storage.authorizations.create({
        ...{ authorizationId: 'ath_1', subjectId: SUBJECT, clientId: 'cli_a', kind: 'grant', grantId: 'grt_0' },
        ...{ packageId: undefined, audiences: ['v1'], singleUse: false, createdAt: 1 },
        ...{ expiresAt: undefined, revokedAt: undefined },
      })
      await storage.grants.replace(SUBJECT, 'grt_0', grant('grt_1'), 2)
      await storage.grants.pause(SUBJECT, 'grt_1', 3)
      const widening = {
        ...{ of: { grantId: 'grt_1' }, had: ['grt_1'], becomes },
        ...{ replaced: [replaced('grt_1', grant('grt_2'))], added: [grant('grt_3')] },
      }
      expect(await storage.grants.widen(SUBJECT, widening, 4)).toBe(true)
      const found = (await storage.tokens.find(hash('t')))!
      expect(found.token).toMatchObject({ kind: 'package', packageId: 'pkg_1', grantId: undefined })
      const members = found.package!.members.map(({ grant: { grant_id: id }, pausedAt }) => [id, pausedAt])
      expect(members).toEqual([
        ['grt_2', 3],
        ['grt_3', 3],
      ])
      expect(await storage.authorizations.find('ath_1')).toMatchObject({ kind: 'package', packageId: 'pkg_1' })
      expect((await storage.grants.find(SUBJECT, 'grt_1'))?.replacedBy).toBe('grt_2')
      const more = { of: { packageId: 'pkg_1' }, had: ['grt_3', 'grt_2'], replaced: [], added: [grant('grt_4')] }
      expect(await storage.grants.widen(SUBJECT, more, 5)).toBe(true)
      const after = (await storage.tokens.find(hash('t')))!.package!.members.map((one) => one.grant.grant_id)
      expect(after).toEqual(['grt_2', 'grt_3', 'grt_4'])
      await storage.close()
    })

    it('changes nothing if the access is not what the owner saw', async () => {
      const storage = await open()
      for (const id of ['grt_1', 'grt_2']) await storage.grants.create(SUBJECT, grant(id), 1)
      await storage.tokens.create(token('t', 'grt_1'))
      const add = { replaced: [], added: [grant('grt_9')], becomes }
      const attempts = [
        { ...add, of: { grantId: 'grt_1' }, had: ['grt_1', 'grt_2'] },
        { ...add, of: { grantId: 'grt_none' }, had: ['grt_none'] },
        { ...add, of: { packageId: 'pkg_none' }, had: ['grt_1'] },
        { ...add, of: { grantId: 'grt_1' }, had: ['grt_1'], replaced: [replaced('grt_none', grant('grt_8'))] },
        { ...add, of: { grantId: 'grt_1' }, had: ['grt_1'], becomes: undefined },
      ]
      for (const attempt of attempts) expect(await storage.grants.widen(SUBJECT, attempt, 2)).toBe(false)
      expect(await storage.grants.find(SUBJECT, 'grt_9')).toBeUndefined()
      expect((await storage.tokens.find(hash('t')))?.token.grantId).toBe('grt_1')
      await storage.grants.revoke(SUBJECT, 'grt_1', 3)
      expect(await storage.grants.widen(SUBJECT, { ...add, of: { grantId: 'grt_1' }, had: ['grt_1'] }, 4)).toBe(false)
      // Only one of two decisions at the same time counts.
      const both = [grant('grt_5'), grant('grt_6')].map((one, n) =>
        storage.grants.widen(
          SUBJECT,
          {
            ...{ of: { grantId: 'grt_2' }, had: ['grt_2'], replaced: [], added: [one] },
            becomes: { ...becomes, packageId: `pkg_${n}` },
          },
          5,
        ),
      )
      expect((await Promise.all(both)).filter(Boolean)).toHaveLength(1)
      await storage.close()
    })
  })
}
