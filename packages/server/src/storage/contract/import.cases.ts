import { describe, expect, it } from 'vitest'
import type { ImportBody } from '../../imports/import.ts'
import type { Storage } from '../contract.ts'
import type { OpenStorage } from './contract.cases.ts'
import { dataOf, remove, SUBJECT, scopeFor, seed, target, upsert } from './contract.fixture.ts'

export const body: ImportBody = {
  files: [{ name: 'a.csv', bytes: 3 }],
  overrides: {},
  sources: [],
  leftOut: [],
  leftOutCount: 0,
  results: [],
  failures: [],
  holdsFiles: true,
}

async function place(open: OpenStorage) {
  const storage = await open()
  await seed(storage)
  const titles = async () => {
    const query = { sort: undefined, order: 'asc', after: undefined, limit: 5000, maxBytes: 1e9 } as const
    const { records } = await storage.records.page(scopeFor(['home']), query)
    return Object.fromEntries(records.map((record) => [record.key, dataOf(record)['title']]))
  }
  return {
    storage,
    titles,
    begin: (id: string) => storage.imports.create(SUBJECT, id, 'running', body, Date.now()),
    write: (id: string | undefined, rows: Record<string, string>) =>
      storage.writer.write(
        target(),
        Object.entries(rows).map(([key, title]) => upsert({ id: key, title })),
        id,
      ),
    undo: (id: string, slice = 2) => undone(storage, id, slice),
  }
}

async function undone(storage: Storage, id: string, slice: number) {
  for (let turns = 0; !(await storage.imports.undo(SUBJECT, id, slice)); turns++)
    if (turns > 5000) throw new Error('Undoing does not end.')
  const { removed, restored, kept } = (await storage.imports.find(SUBJECT, id))!.written[0]!
  return { removed, restored, kept }
}

export function importCases(open: OpenStorage): void {
  describe('imports', () => {
    it('are stored, changed by state, listed newest first, and removed', async () => {
      const { storage, begin } = await place(open)
      for (const id of ['imp_1', 'imp_2', 'imp_3']) await begin(id)
      expect(
        await storage.imports.change(SUBJECT, 'imp_1', { state: 'finished', body: { holdsFiles: false } }, ['running']),
      ).toBe(true)
      expect(await storage.imports.change(SUBJECT, 'imp_1', { state: 'stopped' }, ['running'])).toBe(false)
      const found = await storage.imports.find(SUBJECT, 'imp_1')
      expect(found).toMatchObject({ state: 'finished', body: { holdsFiles: false, files: body.files }, written: [] })
      expect(await storage.imports.find('somebody_else', 'imp_1')).toBe(undefined)
      const ids = (list: { importId: string }[]) => list.map(({ importId }) => importId)
      expect(ids(await storage.imports.list(SUBJECT, { limit: 2 }))).toEqual(['imp_3', 'imp_2'])
      expect(ids(await storage.imports.list(SUBJECT, { limit: 2, before: 'imp_2' }))).toEqual(['imp_1'])
      expect(ids(await storage.imports.inState(SUBJECT, ['running']))).toEqual(['imp_2', 'imp_3'])
      await storage.imports.remove(SUBJECT, 'imp_2')
      expect(ids(await storage.imports.inState(SUBJECT, ['running']))).toEqual(['imp_3'])
      await storage.close()
    })

    it('keep their first problems in order and count all of them', async () => {
      const { storage, begin } = await place(open)
      await begin('imp_1')
      await storage.imports.addProblems(SUBJECT, 'imp_1', [{ row: 1 }, { row: 2 }], 0, 3)
      await storage.imports.addProblems(SUBJECT, 'imp_1', [{ row: 3 }, { row: 4 }], 2, 3)
      expect((await storage.imports.find(SUBJECT, 'imp_1'))!.problems).toBe(6)
      const page = (after: number) => storage.imports.problems(SUBJECT, 'imp_1', { after, limit: 2 })
      expect(await page(0)).toEqual([
        { at: 1, body: { row: 1 } },
        { at: 2, body: { row: 2 } },
      ])
      expect(await page(2)).toEqual([{ at: 3, body: { row: 3 } }])
      await storage.imports.clearProblems(SUBJECT, 'imp_1')
      expect([await page(0), (await storage.imports.find(SUBJECT, 'imp_1'))!.problems]).toEqual([[], 0])
      await storage.close()
    })

    it('are undone: additions removed, changes reverted, both reported', async () => {
      const { storage, titles, begin, write, undo } = await place(open)
      await write(undefined, { a: 'apple', b: 'bread', c: 'corn' })
      await begin('imp_1')
      await write('imp_1', { b: 'brown bread', c: 'corn', d: 'dates' })
      await write('imp_1', { e: 'eggs', d: 'dried dates', b: 'rye bread' })
      expect((await storage.imports.find(SUBJECT, 'imp_1'))!.written).toMatchObject([{ added: 2, changed: 1 }])
      const scope = scopeFor(['home'])
      const since = await storage.records.versions(scope)
      expect(await undo('imp_1')).toEqual({ removed: 2, restored: 1, kept: 0 })
      expect(await titles()).toEqual({ a: 'apple', b: 'bread', c: 'corn' })
      const horizon = await storage.records.versions(scope)
      const { changes } = await storage.records.changes(scope, { since, horizon, limit: 10, maxBytes: 1e9 })
      const reported = changes.map((one) => ('record' in one ? one.record.key : `${one.tombstone.key} deleted`))
      expect(reported.toSorted()).toEqual(['b', 'd deleted', 'e deleted'])
      expect(await storage.imports.undo(SUBJECT, 'imp_1', 10)).toBe(true)
      expect(await titles()).toEqual({ a: 'apple', b: 'bread', c: 'corn' })
      await storage.close()
    })

    it('keep and count records that were changed since', async () => {
      const { titles, begin, write, undo, storage } = await place(open)
      await write(undefined, { a: 'apple', b: 'bread' })
      await begin('imp_1')
      await write('imp_1', { a: 'red apple', b: 'rye bread', c: 'corn', d: 'dates', e: 'eggs' })
      await write(undefined, { a: 'green apple', c: 'sweet corn' })
      await storage.writer.write(target(), [remove('e')])
      expect(await undo('imp_1')).toEqual({ removed: 1, restored: 1, kept: 2 })
      expect(await titles()).toEqual({ a: 'green apple', b: 'bread', c: 'sweet corn' })
      await storage.close()
    })

    it('are undone one after another, newest first', async () => {
      const { titles, begin, write, undo, storage } = await place(open)
      for (const id of ['imp_1', 'imp_2']) await begin(id)
      await write(undefined, { a: 'apple' })
      await write('imp_1', { a: 'red apple', b: 'bread' })
      await write('imp_2', { a: 'green apple', b: 'rye bread', c: 'corn' })
      expect(await undo('imp_2')).toEqual({ removed: 1, restored: 2, kept: 0 })
      expect(await titles()).toEqual({ a: 'red apple', b: 'bread' })
      expect(await undo('imp_1')).toEqual({ removed: 1, restored: 1, kept: 0 })
      expect(await titles()).toEqual({ a: 'apple' })
      await storage.close()
    })

    it('are distinguished if they write to one stream in turns', async () => {
      const { titles, begin, write, undo, storage } = await place(open)
      for (const id of ['imp_1', 'imp_2']) await begin(id)
      for (let turn = 0; turn < 5; turn++)
        for (const [id, name] of [
          ['imp_1', 'x'],
          ['imp_2', 'y'],
        ] as const)
          await write(id, { [`${name}${turn}a`]: 'one', [`${name}${turn}b`]: 'two' })
      expect(await undo('imp_1', 3)).toEqual({ removed: 10, restored: 0, kept: 0 })
      expect(Object.keys(await titles()).every((key) => key.startsWith('y'))).toBe(true)
      expect(await undo('imp_2', 1000)).toEqual({ removed: 10, restored: 0, kept: 0 })
      expect(await titles()).toEqual({})
      await storage.close()
    })

    it('keep previous content for a while, but none of erased records', async () => {
      const { storage, begin, write, titles, undo } = await place(open)
      await write(undefined, { a: 'apple', b: 'bread' })
      for (const id of ['imp_1', 'imp_2']) await begin(id)
      await write('imp_1', { a: 'red apple' })
      await write('imp_2', { b: 'rye bread', z: 'zest' })
      for (const id of ['imp_1', 'imp_2']) await storage.imports.change(SUBJECT, id, { state: 'finished' })
      await storage.imports.prune(SUBJECT, { imports: 1, since: 0 })
      const dropped = async (id: string) => (await storage.imports.find(SUBJECT, id))!.dropped
      expect([await dropped('imp_1'), await dropped('imp_2')]).toEqual(['too_old', undefined])
      await storage.writer.erase(target(), 'b')
      expect(await undo('imp_2')).toEqual({ removed: 1, restored: 0, kept: 0 })
      expect(await titles()).toEqual({ a: 'red apple' })
      await storage.writer.wipe(target())
      expect(await storage.imports.undo(SUBJECT, 'imp_2', 10)).toBe(true)
      await storage.imports.prune(SUBJECT, { imports: 5, since: Date.now() + 1000 })
      expect(await dropped('imp_2')).toBe('too_old')
      await storage.close()
    })
  })
}
