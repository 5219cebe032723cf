import { parseJson } from '@pdpp/protocol'
import { describe, expect, it } from 'vitest'
import { enforce } from '../../grants/enforce.ts'
import type { OpenStorage } from './contract.cases.ts'
import { dataOf, declaration, SUBJECT, scopeFor, seed, target, upsert } from './contract.fixture.ts'

export function writeCases(open: OpenStorage): void {
  describe('writing', () => {
    it('changes nothing for the same record with its members in another order', async () => {
      const storage = await open()
      await seed(storage)
      const record = { id: 'a', title: 'One', extra: { x: 1, y: [1, 2] } }
      expect(await storage.writer.write(target(), [upsert(record)])).toEqual(['accepted'])
      const before = await storage.records.versions(scopeFor(['home']))
      const again = { extra: { y: [1, 2], x: 1 }, title: 'One', id: 'a' }
      expect(await storage.writer.write(target(), [upsert(record, 5000), upsert(again, 6000)])).toEqual([
        'unchanged',
        'unchanged',
      ])
      expect(await storage.records.versions(scopeFor(['home']))).toEqual(before)
      await storage.close()
    })

    it('refuses a changed record in an append-only stream', async () => {
      const storage = await open()
      await seed(storage)
      const events = target('home', 'events')
      await storage.writer.write(events, [upsert({ id: 'e', text: 'first' })])
      const outcomes = await storage.writer.write(events, [
        upsert({ id: 'e', text: 'second' }),
        upsert({ id: 'f', text: 'x' }),
      ])
      expect(outcomes).toEqual(['append_only_conflict', 'accepted'])
      const [kept] = await storage.records.find(scopeFor(['home'], undefined, {}, 'events'), 'e')
      expect(dataOf(kept!)).toEqual({ id: 'e', text: 'first' })
      await storage.close()
    })

    it('adds at most 500 fields to streams with one declaration', async () => {
      const storage = await open()
      await seed(storage)
      await storage.writer.write(target(), [upsert({ id: 'a', f7: 'kept' })])
      const grown = (count: number) => {
        const next = structuredClone(declaration)
        const properties = next.streams[0]!.schema['properties'] as Record<string, unknown>
        for (let n = 0; n < count; n++) properties[`f${n}`] = { type: ['string', 'null'] }
        return next
      }
      await expect(storage.sources.declare(SUBJECT, grown(501))).rejects.toThrow('at most 500 are added at once')
      expect(await storage.sources.declare(SUBJECT, grown(500))).toBe('updated')
      // Records already had this field before it was declared. From now on they can be filtered by it.
      const source = { declaration: grown(500), connections: ['home'] }
      const scope = enforce({ kind: 'owner', subjectId: SUBJECT }, source, 'entries', {})
      const count = (value: string) => storage.records.count(scope, [{ field: 'f7', operator: 'eq', value }])
      expect([await count('kept'), await count('other')]).toEqual([1, 0])
      await storage.close()
    })

    it('keeps every digit of long numbers', async () => {
      const storage = await open()
      await seed(storage)
      const text =
        '{"id":"n","score":9007199254740993,"extra":{"pi":3.14159265358979323846,"big":123456789012345678901234567890}}'
      await storage.writer.write(target(), [upsert(parseJson(text) as Record<string, unknown>)])
      const [record] = await storage.records.find(scopeFor(['home']), 'n')
      for (const digits of ['9007199254740993', '3.14159265358979323846', '123456789012345678901234567890']) {
        expect(record!.json).toContain(digits)
      }
      await storage.close()
    })

    it('sorts 64-bit integers that are equal as doubles', async () => {
      const storage = await open()
      await seed(storage)
      const rows = ['9007199254740993', '9007199254740992', '9007199254740994'].map(
        (score) => parseJson(`{"id":"k${score}","score":${score}}`) as Record<string, unknown>,
      )
      await storage.writer.write(
        target(),
        rows.map((row) => upsert(row)),
      )
      const query = { sort: 'score', order: 'asc', limit: 2, maxBytes: 1e6 } as const
      const first = await storage.records.page(scopeFor(['home']), { ...query, after: undefined })
      const second = await storage.records.page(scopeFor(['home']), { ...query, after: first.records.at(-1)!.position })
      const keys = [...first.records, ...second.records].map((record) => record.key)
      expect(keys).toEqual(['k9007199254740992', 'k9007199254740993', 'k9007199254740994'])
      await storage.close()
    })

    it('forgets wiped streams and removed connections with their versions', async () => {
      const storage = await open()
      await seed(storage, ['home', 'work'])
      for (const id of ['home', 'work'])
        await storage.writer.write(target(id), [upsert({ id: 'a' }), upsert({ id: 'b' })])
      const before = await storage.records.versions(scopeFor(['home']))
      expect(await storage.writer.wipe(target())).toBe(2)
      expect(await storage.records.count(scopeFor(['home', 'work']))).toBe(2)
      const after = await storage.records.versions(scopeFor(['home']))
      expect(after[0]!.feed).not.toBe(before[0]!.feed)
      expect(await storage.connections.remove(SUBJECT, 'work')).toBe(true)
      expect(await storage.records.count(scopeFor(['home', 'work']))).toBe(0)
      expect(await storage.connections.find(SUBJECT, 'work')).toBeUndefined()
      await storage.close()
    })

    it('erases a record from reads, search and receipts but keeps a tombstone', async () => {
      const storage = await open()
      await seed(storage)
      await storage.writer.write(target(), [upsert({ id: 'a', title: 'Secret' }), upsert({ id: 'b', title: 'Other' })])
      const scope = scopeFor(['home'])
      const { number } = (await storage.records.find(scope, 'a'))[0]!
      const since = await storage.records.versions(scope)
      expect(await storage.writer.erase(target(), 'a')).toBe('erased')
      expect(await storage.writer.erase(target(), 'a')).toBe('again')
      expect(await storage.writer.erase(target(), 'never')).toBe('absent')
      await storage.purge()
      expect(await storage.records.find(scope, 'a')).toEqual([])
      expect(await storage.records.count(scope)).toBe(1)
      expect((await storage.receipts.resolve(SUBJECT, 'journal', 'entries', [number])).size).toBe(0)
      expect(await storage.receipts.numbersOf(SUBJECT, 'journal', 'entries', 'a')).toEqual([])
      const horizon = await storage.records.versions(scope)
      const { changes } = await storage.records.changes(scope, { since, horizon, limit: 9, maxBytes: 1e6 })
      expect(changes.map((change) => 'tombstone' in change && change.tombstone.key)).toEqual(['a'])
      // A record that comes back has a new number, so receipts do not confuse it with the old one.
      await storage.writer.write(target(), [upsert({ id: 'a', title: 'Again' })])
      expect(await storage.receipts.numbersOf(SUBJECT, 'journal', 'entries', 'a')).not.toContain(number)
      await storage.close()
    })

    it('filters old records by fields that were declared later', async () => {
      const storage = await open()
      await seed(storage)
      await storage.writer.write(target(), [upsert({ id: 'a', rank: 2 }), upsert({ id: 'b', rank: 1 })])
      const wider = structuredClone(declaration)
      const entries = wider.streams[0]!
      ;(entries.schema['properties'] as Record<string, unknown>)['rank'] = { type: 'integer' }
      entries.query!.range_filters!['rank'] = ['gte']
      expect(await storage.sources.declare(SUBJECT, wider)).toBe('updated')
      expect(await storage.sources.declare(SUBJECT, wider)).toBe('unchanged')
      const page = await storage.records.page(scopeFor(['home']), {
        sort: 'rank',
        order: 'asc',
        after: undefined,
        limit: 5,
        maxBytes: 1e6,
      })
      expect(page.records.map((record) => record.key)).toEqual(['b', 'a'])
      await storage.close()
    })

    it('refuses a declaration that would make records unreachable', async () => {
      const storage = await open()
      await seed(storage)
      await storage.writer.write(target(), [upsert({ id: 'a' })])
      const without = { ...declaration, streams: declaration.streams.slice(1) }
      await expect(storage.sources.declare(SUBJECT, without)).rejects.toMatchObject({ code: 'connector_invalid' })
      const otherKey = structuredClone(declaration)
      otherKey.streams[0]!.primary_key = ['title']
      await expect(storage.sources.declare(SUBJECT, otherKey)).rejects.toMatchObject({ code: 'connector_invalid' })
      await storage.close()
    })
  })
}
