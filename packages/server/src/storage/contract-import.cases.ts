import type { Grant } from '@pdpp/protocol'
import { describe, expect, it } from 'vitest'
import type { ImportBody } from '../imports/import.ts'
import type { OpenStorage } from './contract.cases.ts'
import { dataOf, declaration, remove, SUBJECT, scopeFor, seed, target, upsert } from './contract.fixture.ts'
import type { Storage } from './contract.ts'

const body: ImportBody = {
  files: [{ name: 'a.csv', bytes: 3 }],
  wishes: {},
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
  for (let turns = 0; !(await storage.imports.undo(id, slice)); turns++)
    if (turns > 5000) throw new Error('Undoing does not end.')
  const { removed, restored, kept } = (await storage.imports.find(SUBJECT, id))!.written[0]!
  return { removed, restored, kept }
}

/** What an import made, undone as a server undoes it. */
async function made(open: OpenStorage) {
  const storage = await open()
  const begin = (id: string) => storage.imports.create(SUBJECT, id, 'running', body, Date.now())
  const connect = (connectionId: string, id?: string) =>
    storage.connections.create(
      SUBJECT,
      { connectionId, connectorKey: 'journal', displayName: 'Journal', createdAt: 5, updatedAt: 5 },
      id,
    )
  const write = (keys: string[], id?: string, connectionId = 'home') =>
    storage.writer.write(
      target(connectionId),
      keys.map((key) => upsert({ id: key, title: key })),
      id,
    )
  const undo = async (id: string) => {
    await storage.imports.change(id, { state: 'undoing' })
    while (!(await storage.imports.undo(id, 10)));
    await storage.imports.removeUnused(id)
    await storage.imports.change(id, { state: 'undone' })
    const { made } = (await storage.imports.find(SUBJECT, id))!
    return Object.fromEntries(made.map(({ kind, name, outcome }) => [`${kind} ${name}`, outcome]))
  }
  await begin('imp_1')
  await storage.sources.declare(SUBJECT, declaration, 'imp_1')
  await connect('home', 'imp_1')
  await write(['a', 'b'], 'imp_1')
  const there = async () => [
    ...(await storage.sources.list(SUBJECT)).map((source) => source.connector_key),
    ...(await storage.connections.list(SUBJECT)).map(({ connectionId }) => connectionId),
  ]
  return { storage, begin, connect, write, undo, there }
}

const GONE = { 'connection home': 'removed', 'source journal': 'removed' }

export function importCases(open: OpenStorage): void {
  describe('what imports made', () => {
    it('goes when they are undone, once, and the id of the connection is not given out again', async () => {
      const { storage, begin, connect, write, undo, there } = await made(open)
      const before = await storage.imports.find(SUBJECT, 'imp_1')
      expect(before!.made.map(({ kind, outcome }) => [kind, outcome])).toEqual([
        ['source', undefined],
        ['connection', undefined],
      ])
      expect(await undo('imp_1')).toEqual(GONE)
      expect(await there()).toEqual([])
      expect(await storage.connections.find(SUBJECT, 'home')).toBe(undefined)
      expect(await undo('imp_1')).toEqual(GONE)
      await expect(write(['c'])).rejects.toMatchObject({ code: 'stream_not_declared' })
      // Declared again with another shape, nothing of the first one is remembered.
      await begin('imp_2')
      const streams = declaration.streams.filter(({ name }) => name === 'events')
      await storage.sources.declare(SUBJECT, { ...declaration, streams }, 'imp_2')
      expect((await storage.sources.find(SUBJECT, 'journal'))!.streams.map(({ name }) => name)).toEqual(['events'])
      await storage.sources.declare(SUBJECT, declaration, 'imp_2')
      expect(await connect('home', 'imp_2')).toBe(false)
      expect(await connect('home-2', 'imp_2')).toBe(true)
      await write(['a'], 'imp_2', 'home-2')
      expect(await storage.records.count(scopeFor(['home-2']))).toBe(1)
      expect(await undo('imp_2')).toEqual({ 'connection home-2': 'removed', 'source journal': 'removed' })
      expect(await there()).toEqual([])
      await storage.close()
    })

    it('stays for records from elsewhere, for a later import until that is undone, too', async () => {
      const { storage, begin, write, undo, there } = await made(open)
      await begin('imp_2')
      await write(['c'], 'imp_2')
      expect(await undo('imp_1')).toEqual({ 'connection home': 'records', 'source journal': 'connections' })
      expect(await storage.records.count(scopeFor(['home']))).toBe(1)
      expect(await undo('imp_2')).toEqual(GONE)
      expect((await storage.imports.find(SUBJECT, 'imp_1'))!.made.map(({ outcome }) => outcome)).toEqual([
        'removed',
        'removed',
      ])
      expect(await there()).toEqual([])
      await storage.close()
    })

    it('goes with the first import, though a later one that is undone had changed the source', async () => {
      const { storage, begin, undo, there } = await made(open)
      await begin('imp_2')
      await storage.sources.declare(SUBJECT, { ...declaration, display: { name: 'My journal' } }, 'imp_2')
      expect(await undo('imp_2')).toEqual({})
      expect(await there()).toEqual(['journal', 'home'])
      expect(await undo('imp_1')).toEqual(GONE)
      await storage.close()
    })

    it.each([
      ['a grant names it', 'grant', 'connections'],
      ['the owner named it', 'changed', 'connections'],
      ['a connector keeps its place in it', 'connector', 'connections'],
      ['there is another connection', 'removed', 'connections'],
      ['the owner declared the source anew', 'removed', 'changed'],
      ['a grant names the source', 'removed', 'grant'],
    ])('stays when %s', async (what, connection, source) => {
      const { storage, connect, undo } = await made(open)
      const streams = (id: string) => [{ name: 'entries', instance_ids: [id], fields: ['id'] }]
      const grant = (id: string) =>
        ({
          grant_id: 'grt_1',
          client: { client_id: 'cli_a' },
          source: { kind: 'connector', id: 'x', connector_key: 'journal' },
          streams: streams(id),
        }) as unknown as Grant
      const key = { subjectId: SUBJECT, connectorKey: 'journal', connectionId: 'home' }
      if (what === 'a grant names it') {
        await storage.grants.create(SUBJECT, grant('home'), 1)
        await storage.grants.revoke(SUBJECT, 'grt_1', 2)
      }
      if (what === 'a grant names the source') await storage.grants.create(SUBJECT, grant('another'), 1)
      if (what === 'the owner named it') await storage.connections.rename(SUBJECT, 'home', 'Mine', 6)
      if (what === 'a connector keeps its place in it') await storage.state.merge(key, { entries: { cursor: 'x' } })
      if (what === 'there is another connection') await connect('work')
      if (what === 'the owner declared the source anew')
        await storage.sources.declare(SUBJECT, { ...declaration, display: { name: 'My journal' } })
      expect(await undo('imp_1')).toEqual({ 'connection home': connection, 'source journal': source })
      await storage.close()
    })

    it('goes with each of two that are undone at the same time', async () => {
      const { storage, begin, write, there } = await made(open)
      await write(
        Array.from({ length: 9000 }, (_, n) => `k${n}`),
        'imp_1',
      )
      await begin('imp_2')
      await storage.sources.declare(SUBJECT, { ...declaration, connector_key: 'diary' }, 'imp_2')
      const diary = { connectionId: 'diary', connectorKey: 'diary', displayName: 'Diary', createdAt: 5, updatedAt: 5 }
      await storage.connections.create(SUBJECT, diary, 'imp_2')
      await storage.writer.write({ ...target('diary'), connectorKey: 'diary' }, [upsert({ id: 'a' })], 'imp_2')
      for (const id of ['imp_1', 'imp_2']) while (!(await storage.imports.undo(id, 5000)));
      await Promise.all(['imp_2', 'imp_1'].map((id) => storage.imports.removeUnused(id)))
      expect(await there()).toEqual([])
      await storage.close()
    })

    it('is refused a batch after it went: nothing is written to nobody', async () => {
      const { storage, connect, write, undo } = await made(open)
      await connect('work')
      await undo('imp_1')
      await expect(write(['z'])).rejects.toMatchObject({ code: 'connection_not_found' })
      await storage.close()
    })
  })

  describe('imports', () => {
    it('are kept, changed from a state that they are in, listed newest first, and removed', async () => {
      const { storage, begin } = await place(open)
      for (const id of ['imp_1', 'imp_2', 'imp_3']) await begin(id)
      expect(
        await storage.imports.change('imp_1', { state: 'finished', body: { holdsFiles: false } }, ['running']),
      ).toBe(true)
      expect(await storage.imports.change('imp_1', { state: 'stopped' }, ['running'])).toBe(false)
      const found = await storage.imports.find(SUBJECT, 'imp_1')
      expect(found).toMatchObject({ state: 'finished', body: { holdsFiles: false, files: body.files }, written: [] })
      expect(await storage.imports.find('somebody_else', 'imp_1')).toBe(undefined)
      const ids = (list: { importId: string }[]) => list.map(({ importId }) => importId)
      expect(ids(await storage.imports.list(SUBJECT, { limit: 2 }))).toEqual(['imp_3', 'imp_2'])
      expect(ids(await storage.imports.list(SUBJECT, { limit: 2, before: 'imp_2' }))).toEqual(['imp_1'])
      expect(ids(await storage.imports.inState(SUBJECT, ['running']))).toEqual(['imp_2', 'imp_3'])
      await storage.imports.remove('imp_2')
      expect(ids(await storage.imports.inState(SUBJECT, ['running']))).toEqual(['imp_3'])
      await storage.close()
    })

    it('keep their first problems in order and count all of them', async () => {
      const { storage, begin } = await place(open)
      await begin('imp_1')
      await storage.imports.addProblems('imp_1', [{ row: 1 }, { row: 2 }], 0, 3)
      await storage.imports.addProblems('imp_1', [{ row: 3 }, { row: 4 }], 2, 3)
      expect((await storage.imports.find(SUBJECT, 'imp_1'))!.problems).toBe(6)
      const page = (after: number) => storage.imports.problems('imp_1', { after, limit: 2 })
      expect(await page(0)).toEqual([
        { at: 1, body: { row: 1 } },
        { at: 2, body: { row: 2 } },
      ])
      expect(await page(2)).toEqual([{ at: 3, body: { row: 3 } }])
      await storage.imports.clearProblems('imp_1')
      expect([await page(0), (await storage.imports.find(SUBJECT, 'imp_1'))!.problems]).toEqual([[], 0])
      await storage.close()
    })

    it('are undone: what they added goes, what they changed is as before, and the change feed says both', async () => {
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
      const said = changes.map((one) => ('record' in one ? one.record.key : `${one.tombstone.key} is gone`))
      expect(said.toSorted()).toEqual(['b', 'd is gone', 'e is gone'])
      expect(await storage.imports.undo('imp_1', 10)).toBe(true)
      expect(await titles()).toEqual({ a: 'apple', b: 'bread', c: 'corn' })
      await storage.close()
    })

    it('leave what was changed since, and say how much that is', async () => {
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

    it('are undone one after the other, the newest first, back to the beginning', async () => {
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

    it('that write to one stream in turn are told apart', async () => {
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

    it('keep what records were for a while, and nothing of what was wiped or deleted', async () => {
      const { storage, begin, write, titles, undo } = await place(open)
      await write(undefined, { a: 'apple', b: 'bread' })
      for (const id of ['imp_1', 'imp_2']) await begin(id)
      await write('imp_1', { a: 'red apple' })
      await write('imp_2', { b: 'rye bread', z: 'zest' })
      for (const id of ['imp_1', 'imp_2']) await storage.imports.change(id, { state: 'finished' })
      await storage.imports.prune(SUBJECT, { imports: 1, since: 0 })
      const dropped = async (id: string) => (await storage.imports.find(SUBJECT, id))!.dropped
      expect([await dropped('imp_1'), await dropped('imp_2')]).toEqual(['too_old', undefined])
      await storage.writer.erase(target(), 'b')
      expect(await undo('imp_2')).toEqual({ removed: 1, restored: 0, kept: 0 })
      expect(await titles()).toEqual({ a: 'red apple' })
      await storage.writer.wipe(target())
      expect(await storage.imports.undo('imp_2', 10)).toBe(true)
      await storage.imports.prune(SUBJECT, { imports: 5, since: Date.now() + 1000 })
      expect(await dropped('imp_2')).toBe('too_old')
      await storage.close()
    })
  })
}
