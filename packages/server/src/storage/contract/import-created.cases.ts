import type { Grant } from '@pdpp/protocol'
import { describe, expect, it } from 'vitest'
import type { OpenStorage } from './contract.cases.ts'
import { declaration, SUBJECT, scopeFor, target, upsert } from './contract.fixture.ts'
import { body } from './import.cases.ts'

/** A store with an import that created a source and a connection, and functions that undo it like the server. */
async function storeWithImport(open: OpenStorage) {
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
    await storage.imports.change(SUBJECT, id, { state: 'undoing' })
    while (!(await storage.imports.undo(SUBJECT, id, 10)));
    await storage.imports.removeUnused(SUBJECT, id)
    await storage.imports.change(SUBJECT, id, { state: 'undone' })
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

const REMOVED = { 'connection home': 'removed', 'source journal': 'removed' }

export function importCreatedCases(open: OpenStorage): void {
  describe('sources and connections that imports created', () => {
    it('are removed with the import, and the connection id is never reused', async () => {
      const { storage, begin, connect, write, undo, there } = await storeWithImport(open)
      const before = await storage.imports.find(SUBJECT, 'imp_1')
      expect(before!.made.map(({ kind, outcome }) => [kind, outcome])).toEqual([
        ['source', undefined],
        ['connection', undefined],
      ])
      expect(await undo('imp_1')).toEqual(REMOVED)
      expect(await there()).toEqual([])
      expect(await storage.connections.find(SUBJECT, 'home')).toBe(undefined)
      expect(await undo('imp_1')).toEqual(REMOVED)
      await expect(write(['c'])).rejects.toMatchObject({ code: 'stream_not_declared' })
      // After another declaration, nothing of the first one is left.
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

    it('stay until all other records and later imports are gone', async () => {
      const { storage, begin, write, undo, there } = await storeWithImport(open)
      await begin('imp_2')
      await write(['c'], 'imp_2')
      expect(await undo('imp_1')).toEqual({ 'connection home': 'records', 'source journal': 'connections' })
      expect(await storage.records.count(scopeFor(['home']))).toBe(1)
      expect(await undo('imp_2')).toEqual(REMOVED)
      expect((await storage.imports.find(SUBJECT, 'imp_1'))!.made.map(({ outcome }) => outcome)).toEqual([
        'removed',
        'removed',
      ])
      expect(await there()).toEqual([])
      await storage.close()
    })

    it('are removed although a later, undone import changed the source', async () => {
      const { storage, begin, undo, there } = await storeWithImport(open)
      await begin('imp_2')
      await storage.sources.declare(SUBJECT, { ...declaration, display: { name: 'My journal' } }, 'imp_2')
      expect(await undo('imp_2')).toEqual({})
      expect(await there()).toEqual(['journal', 'home'])
      expect(await undo('imp_1')).toEqual(REMOVED)
      await storage.close()
    })

    it.each([
      ['a grant names it', 'grant', 'connections'],
      ['the owner named it', 'changed', 'connections'],
      ['a connector keeps its place in it', 'connector', 'connections'],
      ['there is another connection', 'removed', 'connections'],
      ['the owner declared the source anew', 'removed', 'changed'],
      ['a grant names the source', 'removed', 'grant'],
    ])('stay if %s', async (what, connection, source) => {
      const { storage, connect, undo } = await storeWithImport(open)
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
      if (what === 'a connector keeps its place in it') await storage.syncState.merge(key, { entries: { cursor: 'x' } })
      if (what === 'there is another connection') await connect('work')
      if (what === 'the owner declared the source anew')
        await storage.sources.declare(SUBJECT, { ...declaration, display: { name: 'My journal' } })
      expect(await undo('imp_1')).toEqual({ 'connection home': connection, 'source journal': source })
      await storage.close()
    })

    it('are removed when two imports are undone at the same time', async () => {
      const { storage, begin, write, there } = await storeWithImport(open)
      await write(
        Array.from({ length: 9000 }, (_, n) => `k${n}`),
        'imp_1',
      )
      await begin('imp_2')
      await storage.sources.declare(SUBJECT, { ...declaration, connector_key: 'diary' }, 'imp_2')
      const diary = { connectionId: 'diary', connectorKey: 'diary', displayName: 'Diary', createdAt: 5, updatedAt: 5 }
      await storage.connections.create(SUBJECT, diary, 'imp_2')
      await storage.writer.write({ ...target('diary'), connectorKey: 'diary' }, [upsert({ id: 'a' })], 'imp_2')
      for (const id of ['imp_1', 'imp_2']) while (!(await storage.imports.undo(SUBJECT, id, 5000)));
      await Promise.all(['imp_2', 'imp_1'].map((id) => storage.imports.removeUnused(SUBJECT, id)))
      expect(await there()).toEqual([])
      await storage.close()
    })

    it('refuse writes after they were removed', async () => {
      const { storage, connect, write, undo } = await storeWithImport(open)
      await connect('work')
      await undo('imp_1')
      await expect(write(['z'])).rejects.toMatchObject({ code: 'connection_not_found' })
      await storage.close()
    })
  })
}
