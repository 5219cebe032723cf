import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { OpenStorage } from './contract.cases.ts'
import { SUBJECT, scopeFor, seed, target, upsert } from './contract.fixture.ts'

export function upkeepCases(open: OpenStorage): void {
  describe('upkeep', () => {
    it('rebuilds every word index and finds the same', async () => {
      const storage = await open()
      await seed(storage)
      const records = Array.from({ length: 1200 }, (_, n) => upsert({ id: `r${n}`, title: `walnut ${n}` }))
      await storage.writer.write(target(), records)
      const found = async () => {
        const scope = scopeFor(['home'])
        const targets = [{ scope, fields: ['title'], conditions: [] }]
        const { found: hits, building } = await storage.search.search(targets, { text: 'walnut 77', limit: 1 })
        return [hits[0]?.key, building]
      }
      expect(await found()).toEqual(['r77', 0])
      const before = await storage.upkeep.indexState(SUBJECT)
      expect(before).toMatchObject({ building: 0, waiting: 0 })
      expect(before.feeds).toBeGreaterThan(0)
      let isDone = false
      const work = storage.upkeep.rebuildIndexes(SUBJECT).finally(() => {
        isDone = true
      })
      let building = 0
      for (; !isDone; await nextTurn())
        building = Math.max(building, (await storage.upkeep.indexState(SUBJECT)).building)
      await work
      expect(building).toBeGreaterThan(0)
      expect(await storage.upkeep.indexState(SUBJECT)).toEqual(before)
      expect(await found()).toEqual(['r77', 0])
      expect(await storage.upkeep.indexState('somebody_else')).toEqual({ feeds: 0, building: 0, waiting: 0 })
      await storage.close()
    })

    it('reports the sizes of its files', async () => {
      const storage = await open()
      await seed(storage)
      const files = await storage.upkeep.files(SUBJECT)
      expect(files.reduce((sum, { bytes }) => sum + bytes, 0)).toBeGreaterThan(1000)
      await storage.close()
    })
  })
}
