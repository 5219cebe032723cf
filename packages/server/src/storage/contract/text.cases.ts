import { parseJson } from '@pdpp/protocol'
import { describe, expect, it } from 'vitest'
import type { OpenStorage } from './contract.cases.ts'
import { dataOf, readAllKeys, SUBJECT, scopeFor, seed, target, upsert } from './contract.fixture.ts'

const NUL = '\0'
/** In the order of their bytes in UTF-8, which is not that of UTF-16. */
const TEXTS = [
  '',
  NUL,
  `${NUL}a`,
  '\u0001',
  '\u0001\u0002',
  ' ',
  'A',
  'a',
  `a${NUL}`,
  'a\u0001',
  'ab',
  'z',
  'ä',
  '\uffff',
  '👪',
]

export function textCases(open: OpenStorage): void {
  describe('texts', () => {
    it('are kept, compared and grouped whatever characters they have', async () => {
      const storage = await open()
      await seed(storage)
      const records = TEXTS.map((mood, n) => upsert({ id: `k${mood}`, mood, score: n, title: mood }))
      await storage.writer.write(target(), records)
      const scope = scopeFor(['home'])
      for (const text of TEXTS) {
        const [found] = await storage.records.find(scope, `k${text}`)
        expect(dataOf(found!)).toMatchObject({ id: `k${text}`, mood: text })
        for (const field of ['mood', 'title']) {
          const conditions = [{ field, operator: 'eq', value: text } as const]
          expect(await readAllKeys(storage, scope, undefined, 'asc', 3, conditions)).toEqual([`home/k${text}`])
        }
      }
      const query = { metric: 'count', field: undefined, groupBy: ['mood'], time: undefined } as const
      const { groups } = await storage.aggregates.aggregate(scope, {
        ...query,
        order: 'asc',
        limit: 99,
        conditions: [],
      })
      expect(groups.map(({ keys }) => keys[0])).toEqual(TEXTS)
      await storage.close()
    })

    it('may be long and still differ at their end', async () => {
      const storage = await open()
      await seed(storage)
      const long = 'wharf '.repeat(2000)
      const moods = [`${long}a`, `${long}b`, long]
      await storage.writer.write(
        target(),
        moods.map((mood, n) => upsert({ id: `k${n}`, mood })),
      )
      const scope = scopeFor(['home'])
      for (const [n, mood] of moods.entries()) {
        const conditions = [{ field: 'mood', operator: 'eq', value: mood } as const]
        expect(await readAllKeys(storage, scope, undefined, 'asc', 3, conditions)).toEqual([`home/k${n}`])
      }
      const query = { metric: 'count', field: undefined, groupBy: ['mood'], time: undefined } as const
      const { groups } = await storage.aggregates.aggregate(scope, {
        ...query,
        order: 'asc',
        limit: 99,
        conditions: [],
      })
      expect(groups.map(({ keys }) => keys[0]).toSorted()).toEqual(moods.toSorted())
      await storage.close()
    })

    it('keeps lone surrogates inside records', async () => {
      const storage = await open()
      await seed(storage)
      await storage.writer.write(target(), [upsert({ id: 'a', title: 'x \ud83d y', extra: { lone: '\udc6a' } })])
      const [found] = await storage.records.find(scopeFor(['home']), 'a')
      expect(dataOf(found!)).toEqual({ id: 'a', title: 'x \ud83d y', extra: { lone: '\udc6a' } })
      await storage.close()
    })

    it('find a key by its exact characters, in pages, changes and receipts', async () => {
      const storage = await open()
      await seed(storage)
      const keys = [`a${NUL}b`, 'a\u0001b', 'a\u0001\u0001b', 'a\\0b', 'ab']
      await storage.writer.write(
        target(),
        keys.map((id) => upsert({ id })),
      )
      const scope = scopeFor(['home'])
      const listed = await readAllKeys(storage, scope, undefined, 'asc', 2)
      expect(listed).toEqual(keys.map((key) => `home/${key}`))
      const found = await storage.receipts.numbersOf(SUBJECT, 'journal', 'entries', keys[0]!, 'home')
      expect(found).toHaveLength(1)
      const gone = { key: keys[0]!, emittedAt: 3, data: undefined }
      expect(await storage.writer.write(target(), [gone])).toEqual(['accepted'])
      expect(await storage.records.count(scope)).toBe(4)
      for (const key of keys.slice(1)) expect(await storage.records.find(scope, key)).toHaveLength(1)
      expect(await storage.records.find(scope, keys[0]!)).toEqual([])
      await storage.close()
    })

    it('find lone surrogates as the character that replaces them', async () => {
      const storage = await open()
      await seed(storage)
      await storage.writer.write(target(), [upsert({ id: 'k', mood: 'x \ud83d y' }), upsert({ id: 'l', mood: 'x' })])
      const scope = scopeFor(['home'])
      for (const value of ['x \ud83d y', 'x \ufffd y']) {
        const conditions = [{ field: 'mood', operator: 'eq', value } as const]
        expect(await readAllKeys(storage, scope, undefined, 'asc', 3, conditions)).toEqual(['home/k'])
      }
      await storage.close()
    })

    it('keeps every digit of a long number, and sorts by it', async () => {
      const storage = await open()
      await seed(storage)
      const scores = ['-9007199254740993', '9007199254740991', '9007199254740992', '9007199254740993']
      const written = scores.map((score, n) => upsert({ id: `k${n}`, score: parseJson(score) }))
      await storage.writer.write(target(), written.toReversed())
      const scope = scopeFor(['home'])
      expect(await readAllKeys(storage, scope, 'score', 'asc', 1)).toEqual(scores.map((_, n) => `home/k${n}`))
      const conditions = [{ field: 'score', operator: 'eq', value: 9007199254740993n } as const]
      expect(await readAllKeys(storage, scope, undefined, 'asc', 3, conditions)).toEqual(['home/k3'])
      await storage.close()
    })

    it('writes the same key several times in one batch, in order', async () => {
      const storage = await open()
      await seed(storage)
      const gone = { key: 'a', emittedAt: 3, data: undefined }
      const batch = [
        upsert({ id: 'a', title: '1' }),
        upsert({ id: 'a', title: '2' }),
        gone,
        upsert({ id: 'a', title: '3' }),
      ]
      expect(await storage.writer.write(target(), batch)).toEqual(Array(4).fill('accepted'))
      expect(await storage.writer.write(target(), [gone, gone, upsert({ id: 'a', title: '4' })])).toEqual([
        'accepted',
        'unchanged',
        'accepted',
      ])
      const scope = scopeFor(['home'])
      const [found] = await storage.records.find(scope, 'a')
      expect(dataOf(found!)).toMatchObject({ title: '4' })
      expect(await storage.records.count(scope)).toBe(1)
      const horizon = await storage.records.versions(scope)
      const { changes } = await storage.records.changes(scope, { since: [], horizon, limit: 9, maxBytes: 1e6 })
      expect(changes.map((change) => 'record' in change && change.record.key)).toEqual(['a'])
      await storage.close()
    })
  })
}
