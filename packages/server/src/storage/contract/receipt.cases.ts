import { describe, expect, it } from 'vitest'
import type { Receipt } from '../../receipts/receipt-store.ts'
import type { OpenStorage } from './contract.cases.ts'
import { remove, SUBJECT, scopeFor, seed, target, upsert } from './contract.fixture.ts'

const receipt = (changes: Partial<Receipt> = {}): Receipt => ({
  at: 1000,
  subjectId: SUBJECT,
  clientId: 'cli_a',
  grantId: 'grt_a',
  surface: 'rest',
  operation: 'records',
  connectorKey: 'journal',
  stream: 'entries',
  connections: ['home'],
  fields: ['id', 'title'],
  records: [],
  bytes: 10,
  outcome: 'ok',
  requestId: 'req_1',
  ...changes,
})

export function receiptCases(open: OpenStorage): void {
  describe('receipts', () => {
    it('are found by client, grant, stream and time, newest first', async () => {
      const storage = await open()
      await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          storage.receipts.append(
            receipt({ at: n, clientId: n % 2 ? 'cli_b' : 'cli_a', outcome: n === 3 ? 'grant_revoked' : 'ok' }),
          ),
        ),
      )
      const first = await storage.receipts.list(SUBJECT, { limit: 4 })
      expect(first.receipts.map(({ at }) => at)).toEqual([9, 8, 7, 6])
      const rest = await storage.receipts.list(SUBJECT, { limit: 40, before: first.next })
      expect(rest.receipts.map(({ at }) => at)).toEqual([5, 4, 3, 2, 1, 0])
      const ofB = await storage.receipts.list(SUBJECT, { limit: 9, clientId: 'cli_b', since: 2, until: 8 })
      expect(ofB.receipts.map(({ at, outcome }) => [at, outcome])).toEqual([
        [7, 'ok'],
        [5, 'ok'],
        [3, 'grant_revoked'],
      ])
      const refused = await storage.receipts.list(SUBJECT, { limit: 9, outcome: 'refused' })
      expect(refused.receipts.map(({ at }) => at)).toEqual([3])
      expect((await storage.receipts.list(SUBJECT, { limit: 40, outcome: 'ok' })).receipts).toHaveLength(9)
      expect((await storage.receipts.list(SUBJECT, { limit: 9, stream: 'nothing' })).receipts).toEqual([])
      expect((await storage.receipts.list('somebody_else', { limit: 9 })).receipts).toEqual([])
      await storage.close()
    })

    it('keep their lines on one page and count as one read', async () => {
      const storage = await open()
      const read = (requestId: string) => [
        receipt({ requestId }),
        receipt({ requestId, stream: 'comments', continues: true }),
        receipt({ requestId, stream: 'events', continues: true }),
      ]
      await Promise.all([...read('one'), ...read('two')].map((line) => storage.receipts.append(line)))
      const pages = [await storage.receipts.list(SUBJECT, { limit: 1 })]
      pages.push(await storage.receipts.list(SUBJECT, { limit: 1, before: pages[0]!.next }))
      for (const [index, requestId] of ['two', 'one'].entries())
        expect(pages[index]!.receipts.map((line) => [line.requestId, line.stream, line.continues])).toEqual([
          [requestId, 'events', true],
          [requestId, 'comments', true],
          [requestId, 'entries', undefined],
        ])
      // The first line of these reads does not match the query. A page must still end.
      const ofEvents = await storage.receipts.list(SUBJECT, { limit: 1, stream: 'events' })
      expect([ofEvents.receipts.length, ofEvents.next === undefined]).toEqual([1, false])
      const tally = await storage.receipts.tally(SUBJECT, { since: 0, limit: 9 })
      expect(tally.map(({ stream, reads, shown }) => [stream, reads, shown]).toSorted()).toEqual([
        ['comments', 0, 2],
        ['entries', 2, 2],
        ['events', 0, 2],
      ])
      expect(await storage.receipts.verify(SUBJECT)).toMatchObject({ checked: 6, brokenAt: undefined })
      await storage.close()
    })

    it('say who saw a record, even one that was deleted and came back', async () => {
      const storage = await open()
      await seed(storage)
      await storage.writer.write(target(), [upsert({ id: 'a' }), upsert({ id: 'b' })])
      const numberOf = async (key: string) => (await storage.records.find(scopeFor(['home']), key))[0]!.number
      const [a, b] = [await numberOf('a'), await numberOf('b')]
      await storage.receipts.append(receipt({ records: [a, b], requestId: 'both' }))
      await storage.receipts.append(receipt({ records: [b], requestId: 'only b' }))
      await storage.writer.write(target(), [remove('a')])
      await storage.writer.write(target(), [upsert({ id: 'a', title: 'again' })])
      await storage.receipts.append(receipt({ records: [await numberOf('a')], requestId: 'new a' }))
      const numbers = await storage.receipts.numbersOf(SUBJECT, 'journal', 'entries', 'a')
      const found = await storage.receipts.list(SUBJECT, {
        limit: 9,
        record: { connectorKey: 'journal', stream: 'entries', numbers },
      })
      expect(found.receipts.map(({ requestId }) => requestId)).toEqual(['new a', 'both'])
      const keys = await storage.receipts.resolve(SUBJECT, 'journal', 'entries', [a, b])
      expect([keys.get(a)?.key, keys.get(b)?.key]).toEqual(['a', 'b'])
      await storage.writer.wipe(target())
      expect((await storage.receipts.resolve(SUBJECT, 'journal', 'entries', [a, b])).size).toBe(0)
      await storage.close()
    })

    it('say when a grant was last used, even after retention', async () => {
      const storage = await open()
      for (const [at, grantId] of [
        [1, 'grt_a'],
        [5, 'grt_a'],
        [3, 'grt_b'],
        [9, 'pkg_c'],
      ] as const)
        await storage.receipts.append(receipt({ at, grantId }))
      const last = async () => Object.fromEntries(await storage.receipts.lastUsed(SUBJECT, ['grt_a', 'grt_b', 'grt_x']))
      expect(await last()).toEqual({ grt_a: 5, grt_b: 3 })
      await storage.receipts.prune(SUBJECT, 6)
      expect(await last()).toEqual({ grt_a: 5, grt_b: 3 })
      await storage.receipts.append(receipt({ at: 20, grantId: 'grt_b' }))
      expect(await last()).toEqual({ grt_a: 5, grt_b: 20 })
      await storage.receipts.prune(SUBJECT, 30)
      expect(await last()).toEqual({ grt_a: 5, grt_b: 20 })
      expect(await storage.receipts.lastUsed('somebody_else', ['grt_a'])).toEqual(new Map())
      await storage.close()
    })

    it('pass the last use of a grant on to the one that replaces it', async () => {
      const storage = await open()
      const used = async () => Object.fromEntries(await storage.receipts.lastUsed(SUBJECT, ['grt_new', 'grt_none']))
      await storage.receipts.append(receipt({ at: 5, grantId: 'grt_a' }))
      await storage.receipts.passUse(SUBJECT, 'grt_none', 'grt_new')
      expect(await used()).toEqual({})
      await storage.receipts.passUse(SUBJECT, 'grt_a', 'grt_new')
      expect(await used()).toEqual({ grt_new: 5 })
      await storage.receipts.append(receipt({ at: 9, grantId: 'grt_new' }))
      expect(await used()).toEqual({ grt_new: 9 })
      await storage.receipts.prune(SUBJECT, 20)
      await storage.receipts.passUse(SUBJECT, 'grt_a', 'grt_new')
      expect(await used()).toEqual({ grt_new: 9 })
      await storage.close()
    })

    it('of decisions of the owner are no use of a grant', async () => {
      const storage = await open()
      const used = () => storage.receipts.lastUsed(SUBJECT, ['grt_a'])
      const first = () => storage.receipts.firstOf(SUBJECT, ['grt_a'])
      await storage.receipts.append(receipt({ at: 1, clientId: undefined, operation: 'create_access' }))
      expect([(await used()).size, (await first()).size]).toEqual([0, 0])
      await storage.receipts.append(receipt({ at: 2 }))
      await storage.receipts.append(receipt({ at: 3, clientId: undefined, operation: 'widen' }))
      expect([(await used()).get('grt_a'), (await first()).get('grt_a')]).toEqual([2, 2])
      await storage.receipts.prune(SUBJECT, 9)
      expect((await used()).get('grt_a')).toBe(2)
      await storage.close()
    })

    it('that disclosed something come first, and refused names are folded', async () => {
      const storage = await open()
      await storage.receipts.append(receipt({ at: 1 }))
      for (let n = 0; n < 200; n++)
        await storage.receipts.append(
          receipt({ at: 2 + n, stream: `name${n % 100}`, outcome: 'grant_stream_not_allowed' }),
        )
      const tally = await storage.receipts.tally(SUBJECT, { since: 0, limit: 60 })
      expect(tally[0]).toMatchObject({ stream: 'entries', reads: 1, refused: 0 })
      expect(tally[1]).toMatchObject({ stream: undefined, reads: 0, refused: 100 })
      expect(tally).toHaveLength(52)
      expect(tally.reduce((sum, { refused }) => sum + refused, 0)).toBe(200)
      await storage.close()
    })

    it('are counted by day, client and stream; the first of a grant is known', async () => {
      const storage = await open()
      const day = 86_400_000
      for (const changes of [
        { at: 1, grantId: 'grt_b' },
        { at: day + 1 },
        { at: day + 2 },
        { at: day + 3, outcome: 'grant_revoked', stream: undefined },
        { at: day + 4, clientId: 'cli_b' },
        { at: 2 * day },
      ] as Partial<Receipt>[])
        await storage.receipts.append(receipt(changes))
      const tally = await storage.receipts.tally(SUBJECT, { since: day, until: 2 * day, limit: 10 })
      expect(tally).toEqual([
        { day, clientId: 'cli_a', stream: 'entries', reads: 2, refused: 0, shown: 2 },
        { day, clientId: 'cli_b', stream: 'entries', reads: 1, refused: 0, shown: 1 },
        { day, clientId: 'cli_a', stream: undefined, reads: 0, refused: 1, shown: 0 },
      ])
      expect(await storage.receipts.tally(SUBJECT, { since: 0, limit: 1 })).toMatchObject([{ day: 2 * day }])
      expect(await storage.receipts.tally('somebody_else', { since: 0, limit: 9 })).toEqual([])
      const first = async () => Object.fromEntries(await storage.receipts.firstOf(SUBJECT, ['grt_a', 'grt_b', 'grt_c']))
      expect(await first()).toEqual({ grt_a: 2, grt_b: 1 })
      // After retention, the oldest receipt of a grant is not its first.
      await storage.receipts.prune(SUBJECT, day + 2)
      expect(await first()).toEqual({})
      await storage.close()
    })

    it('are verified in parts, even across retention', async () => {
      const storage = await open()
      for (let at = 0; at < 6; at++) await storage.receipts.append(receipt({ at }))
      const part = await storage.receipts.verify(SUBJECT, { limit: 2 })
      expect(part).toMatchObject({ checked: 2, brokenAt: undefined, reached: { sequence: 2 } })
      const rest = await storage.receipts.verify(SUBJECT, { after: part.reached, limit: 10 })
      expect(rest).toMatchObject({ checked: 4, brokenAt: undefined, reached: { sequence: 6 } })
      const wrong = { sequence: 2, hash: '00'.repeat(32) }
      expect(await storage.receipts.verify(SUBJECT, { after: wrong, limit: 10 })).toMatchObject({ brokenAt: 3 })
      await storage.receipts.prune(SUBJECT, 4)
      const after = await storage.receipts.verify(SUBJECT, { after: part.reached, limit: 10 })
      expect(after).toMatchObject({ checked: 2, brokenAt: undefined })
      await storage.close()
    })

    it('form a chain that stays valid after retention', async () => {
      const storage = await open()
      for (let at = 0; at < 6; at++) await storage.receipts.append(receipt({ at, records: [at + 1, at + 300] }))
      expect(await storage.receipts.verify(SUBJECT)).toMatchObject({ checked: 6, brokenAt: undefined })
      expect(await storage.receipts.prune(SUBJECT, 3)).toBe(3)
      await storage.receipts.append(receipt({ at: 9 }))
      expect(await storage.receipts.verify(SUBJECT)).toMatchObject({ checked: 4, brokenAt: undefined })
      await storage.receipts.prune(SUBJECT, 100)
      await storage.receipts.append(receipt({ at: 200 }))
      expect(await storage.receipts.verify(SUBJECT)).toMatchObject({ checked: 1, brokenAt: undefined })
      await storage.close()
    })
  })
}
