import { describe, expect, it } from 'vitest'
import type { ChangedFeed, NewEvent, StoredSubscription } from '../../subscriptions/subscription-store.ts'
import type { Storage } from '../contract.ts'
import { grant } from './access.cases.ts'
import type { OpenStorage } from './contract.cases.ts'
import { SUBJECT, seed, target, upsert } from './contract.fixture.ts'

const entries = { connectorKey: 'journal', stream: 'entries', connectionId: 'home' }
const keyOf = (subscriptionId: string) => ({ subjectId: SUBJECT, subscriptionId })
const SUB = keyOf('sub_1')
const test = (eventId: string, at = 1): NewEvent => ({ eventId, type: 'pdpp.subscription.test', at, data: {} })
const changed = (feed: ChangedFeed, eventId: string, count: number, gap = false) => ({
  changed: feed,
  event: {
    eventId,
    type: 'pdpp.records.changed' as const,
    at: 5,
    count,
    data: { stream: feed.stream, ...(gap ? { gap: true } : {}) },
  },
})

const subscription = (id: string, more: Partial<StoredSubscription> = {}): StoredSubscription => ({
  subjectId: SUBJECT,
  subscriptionId: id,
  grantId: 'grt_1',
  clientId: 'cli_a',
  delivery: 'poll',
  callbackUrl: undefined,
  status: 'active',
  filters: {},
  secrets: [],
  createdAt: 1,
  updatedAt: 1,
  isMoved: false,
  ...more,
})

async function prepared(open: OpenStorage): Promise<Storage> {
  const storage = await open()
  await seed(storage)
  await storage.grants.create(SUBJECT, grant('grt_1'), 1)
  return storage
}

const write = (storage: Storage, ...ids: string[]) =>
  storage.writer.write(
    target(),
    ids.map((id) => upsert({ id })),
  )

export function subscriptionCases(open: OpenStorage): void {
  describe('event subscriptions', () => {
    it('limits the subscriptions of a grant, and lists the newest first', async () => {
      const storage = await prepared(open)
      const { subscriptions } = storage
      for (const [at, id] of ['sub_1', 'sub_2', 'sub_3'].entries())
        expect(await subscriptions.create(subscription(id, { createdAt: at }), [entries], 3)).toBe(true)
      expect(await subscriptions.create(subscription('sub_4'), [entries], 3)).toBe(false)
      const ids = async (options: object) =>
        (await subscriptions.list(SUBJECT, { limit: 9, ...options })).map((one) => one.subscriptionId)
      expect(await ids({})).toEqual(['sub_3', 'sub_2', 'sub_1'])
      expect(await ids({ before: 'sub_3', limit: 1 })).toEqual(['sub_2'])
      expect(await ids({ grantIds: ['grt_2'] })).toEqual([])
      expect(await subscriptions.find('owner_other', 'sub_1')).toBeUndefined()
      await subscriptions.addEvent(SUB, test('evt_1'))
      expect([await subscriptions.remove(SUBJECT, 'sub_1'), await subscriptions.remove(SUBJECT, 'sub_1')]).toEqual([
        true,
        false,
      ])
      expect(await subscriptions.countEvents(SUB)).toBe(0)
      await storage.close()
    })

    it('finds the feeds that changed since their bookmark', async () => {
      const storage = await prepared(open)
      const { subscriptions } = storage
      await write(storage, 'a')
      await subscriptions.create(subscription('sub_1'), [entries, { ...entries, stream: 'events' }], 9)
      expect(await subscriptions.changed(9)).toEqual([])
      await write(storage, 'b', 'c')
      const [feed, ...others] = await subscriptions.changed(9)
      expect(others).toEqual([])
      expect(feed).toMatchObject({
        ...entries,
        subscriptionId: 'sub_1',
        bookmark: { version: 1 },
        present: { version: 3 },
      })
      await subscriptions.moveBookmarks([changed(feed!, 'evt_1', 2)])
      // A bookmark that was moved meanwhile stays, and no event is added twice.
      await subscriptions.moveBookmarks([changed(feed!, 'evt_2', 2)])
      expect(await subscriptions.changed(9)).toEqual([])
      expect(await subscriptions.countEvents(SUB)).toBe(1)
      await storage.close()
    })

    it('lets an event grow until it is sent, and keeps it until acknowledged', async () => {
      const storage = await prepared(open)
      const { subscriptions } = storage
      await subscriptions.create(subscription('sub_1'), [entries], 9)
      for (const id of ['a', 'b']) {
        await write(storage, id)
        await subscriptions.moveBookmarks([changed((await subscriptions.changed(9))[0]!, `evt_${id}`, 1)])
      }
      const taken = await subscriptions.takeEvents(SUB, 9)
      expect(taken.map(({ eventId, count }) => [eventId, count])).toEqual([['evt_a', 2]])
      await write(storage, 'c')
      await subscriptions.moveBookmarks([changed((await subscriptions.changed(9))[0]!, 'evt_c', 1)])
      // An event that was never handed out cannot be acknowledged.
      await subscriptions.acknowledge(SUB, taken[0]!.sequence + 100)
      expect((await subscriptions.takeEvents(SUB, 9)).map(({ eventId }) => eventId)).toEqual(['evt_c'])
      await storage.close()
    })

    it('follows a replaced grant from the present, with a gap', async () => {
      const storage = await prepared(open)
      const { subscriptions } = storage
      await subscriptions.create(subscription('sub_1'), [entries], 9)
      await write(storage, 'a')
      await storage.grants.replace(SUBJECT, 'grt_1', grant('grt_2'), 7)
      expect(await subscriptions.find(SUBJECT, 'sub_1')).toMatchObject({ grantId: 'grt_2', isMoved: true })
      expect(await subscriptions.changed(9)).toEqual([])
      expect((await subscriptions.unsettled(8)).map((one) => one.subscriptionId)).toEqual(['sub_1'])
      await subscriptions.restart(SUB, [entries])
      expect(await subscriptions.unsettled(8)).toEqual([])
      const [feed] = await subscriptions.changed(9)
      expect([feed!.gap, feed!.bookmark]).toEqual(['now', feed!.present])
      await subscriptions.moveBookmarks([changed(feed!, 'evt_gap', 0, true)])
      expect(await subscriptions.changed(9)).toEqual([])
      await storage.close()
    })

    it('makes no events while the grant is paused, and ends with the grant', async () => {
      const storage = await prepared(open)
      const { subscriptions, grants } = storage
      await subscriptions.create(subscription('sub_1'), [entries], 9)
      await write(storage, 'a')
      await grants.pause(SUBJECT, 'grt_1', 5)
      expect(await subscriptions.changed(9)).toEqual([])
      await grants.resume(SUBJECT, 'grt_1')
      expect(await subscriptions.changed(9)).toHaveLength(1)
      await grants.revoke(SUBJECT, 'grt_1', 6)
      expect(await subscriptions.unsettled(7)).toHaveLength(1)
      const ended = { status: 'disabled_revoked', updatedAt: 7 } as const
      expect(await subscriptions.end(SUBJECT, 'sub_1', ended, test('evt_last'))).toBe(true)
      expect(await subscriptions.end(SUBJECT, 'sub_1', ended, test('evt_again'))).toBe(false)
      expect(await subscriptions.unsettled(7)).toEqual([])
      expect((await subscriptions.takeEvents(SUB, 9)).map(({ eventId }) => eventId)).toEqual(['evt_last'])
      await storage.close()
    })

    it('gives out the oldest due event, and again after a lost attempt', async () => {
      const storage = await prepared(open)
      const { subscriptions } = storage
      const hook = { delivery: 'webhook', callbackUrl: 'https://a.example/' } as const
      await subscriptions.create(subscription('sub_1', hook), [entries], 9)
      await subscriptions.create(subscription('sub_2', { ...hook, status: 'disabled' }), [entries], 9)
      for (const id of ['sub_1', 'sub_2']) {
        await subscriptions.addEvent(keyOf(id), test('evt_1', 10))
        await subscriptions.addEvent(keyOf(id), test('evt_2', 20))
      }
      expect([await subscriptions.due(9, 9), await subscriptions.nextDue()]).toEqual([[], 10])
      const [first, ...others] = await subscriptions.due(30, 9)
      expect([first!.eventId, first!.subscription.callbackUrl, others]).toEqual(['evt_1', 'https://a.example/', []])
      expect(await subscriptions.beginDelivery(first!, 50)).toBe(true)
      expect([await subscriptions.due(49, 9), await subscriptions.nextDue()]).toEqual([[], 50])
      expect((await subscriptions.due(50, 9)).map(({ eventId, attempts }) => [eventId, attempts])).toEqual([
        ['evt_1', 1],
      ])
      await subscriptions.removeEvent(first!)
      expect((await subscriptions.due(50, 9)).map(({ eventId }) => eventId)).toEqual(['evt_2'])
      expect(await subscriptions.beginDelivery(first!, 60)).toBe(false)
      await storage.close()
    })

    it('keeps the last deliveries', async () => {
      const storage = await prepared(open)
      const { subscriptions } = storage
      await subscriptions.create(subscription('sub_1'), [entries], 9)
      const entry = { ...test('evt_1'), stream: 'entries', connectionId: 'home', status: 200, outcome: 'ok' }
      for (let at = 0; at < 30; at++) await subscriptions.logDelivery(SUB, { ...entry, at })
      const kept = await subscriptions.deliveries(SUB)
      expect([kept.length, kept[0]!.at, kept.at(-1)!.at]).toEqual([20, 29, 10])
      expect(kept[0]).toMatchObject({ eventId: 'evt_1', stream: 'entries', status: 200, outcome: 'ok' })
      await storage.close()
    })
  })
}
