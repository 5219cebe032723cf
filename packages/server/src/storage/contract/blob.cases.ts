import { createHash } from 'node:crypto'
import { blobId } from '@pdpp/protocol'
import { describe, expect, it } from 'vitest'
import type { BlobTarget } from '../../blobs/blob-store.ts'
import type { RecordWrite } from '../../records/record-store.ts'
import type { Storage } from '../contract.ts'
import type { OpenStorage } from './contract.cases.ts'
import { remove, SUBJECT, scopeFor, seed, target, upsert } from './contract.fixture.ts'

const sha = (text: string) => createHash('sha256').update(text).digest('hex')

async function* pieces(text: string) {
  for (const char of text) yield Buffer.from(char)
}

const put = (storage: Storage, text: string, key = 'e1', at: BlobTarget = { ...target(), key, path: '@record' }) =>
  storage.blobs.put(at, { bytes: pieces(text), mimeType: 'text/plain', declaredBytes: undefined, maxBytes: 1000 })

/** A record whose field `file` refers to the bytes. */
function referring(id: string, text: string, members: Record<string, unknown> = {}): RecordWrite {
  const sha256 = sha(text)
  const write = upsert({ id, at: '2026-01-01T00:00:00Z', file: { blob_id: blobId(sha256), sha256 }, ...members })
  const blobs = [{ field: 'file', path: '/file', sha256, sizeBytes: text.length }]
  return { ...write, data: { ...write.data!, blobs } }
}

const ALL = ['id', 'at', 'file']
const read = async (storage: Storage, text: string, scope = scopeFor(['home', 'work'], { fields: ALL })) => {
  const found = await storage.blobs.referring(scope, sha(text))
  const streams = await Promise.all(
    found.map(({ blob, open }) => open({ from: 0, to: Math.max(0, blob.sizeBytes - 1) }, 1000)),
  )
  return Promise.all(streams.map((stream) => (stream ? new Response(stream).text() : undefined)))
}

export function blobCases(open: OpenStorage): void {
  describe('blobs', () => {
    it('are stored once and read through a record that refers to them', async () => {
      const storage = await open()
      await seed(storage)
      const [first, second] = await Promise.all([put(storage, 'hello'), put(storage, 'hello', 'e2')])
      expect(first).toEqual({ sha256: sha('hello'), sizeBytes: 5, mimeType: 'text/plain' })
      expect(second).toEqual(first)
      expect(await read(storage, 'hello')).toEqual([])
      expect(await storage.writer.write(target(), [referring('e1', 'hello')])).toEqual(['accepted'])
      expect(await read(storage, 'hello')).toEqual(['hello'])
      const [found] = await storage.blobs.referring(scopeFor(['home'], { fields: ALL }), sha('hello'))
      expect([found!.path, found!.record.key, found!.blob.sizeBytes]).toEqual(['/file', 'e1', 5])
      expect(await new Response(await found!.open({ from: 1, to: 3 }, 1000)).text()).toBe('ell')
      await storage.close()
    })

    it('must exist with the same size before a record refers to them', async () => {
      const storage = await open()
      await seed(storage)
      expect(await storage.writer.write(target(), [referring('e1', 'hello'), upsert({ id: 'e2' })])).toEqual([
        'blob_not_found',
        'accepted',
      ])
      await put(storage, 'hello')
      const write = referring('e1', 'hello')
      const wrong = { ...write.data!, blobs: write.data!.blobs!.map((blob) => ({ ...blob, sizeBytes: 6 })) }
      expect(await storage.writer.write(target(), [{ ...write, data: wrong }])).toEqual(['blob_not_found'])
      expect(await storage.writer.write(target(), [write])).toEqual(['accepted'])
      await storage.close()
    })

    it('are visible only through a granted field of a record in scope', async () => {
      const storage = await open()
      await seed(storage, ['home', 'work'])
      for (const connection of ['home', 'work']) {
        await put(storage, 'hello', 'e1', { ...target(connection), key: 'e1', path: '/file' })
        await storage.writer.write(target(connection), [referring('e1', 'hello')])
      }
      expect(await read(storage, 'hello')).toEqual(['hello', 'hello'])
      const seen = async (...options: Parameters<typeof scopeFor>) =>
        (await storage.blobs.referring(scopeFor(...options), sha('hello'))).map(({ record }) => record.connectionId)
      expect(await seen(['home'], { fields: ALL })).toEqual(['home'])
      expect(await seen(['home'], { fields: ['id', 'at', 'title'] })).toEqual([])
      expect(await seen(['home'], { fields: ALL }, { fields: ['id'] })).toEqual([])
      expect(await seen(['home'], { fields: ALL, resources: ['e2'] })).toEqual([])
      const time = (since: string) => ({ fields: ALL, time_constraint: { field: 'at', since } })
      expect(await seen(['home'], time('2026-01-02T00:00:00Z'))).toEqual([])
      expect(await seen(['home'], time('2025-01-02T00:00:00Z'))).toEqual(['home'])
      expect(await seen(['home'])).toEqual(['home'])
      await storage.close()
    })

    it('are deleted with the last record that refers to them', async () => {
      const storage = await open()
      await seed(storage)
      await put(storage, 'hello')
      await put(storage, 'other', 'e2')
      await storage.writer.write(target(), [referring('e1', 'hello'), referring('e2', 'hello')])
      await storage.writer.write(target(), [remove('e1')])
      expect(await read(storage, 'hello')).toEqual(['hello'])
      await storage.writer.write(target(), [referring('e2', 'other')])
      expect(await storage.writer.write(target(), [referring('e3', 'hello')])).toEqual(['blob_not_found'])
      expect(await read(storage, 'other')).toEqual(['other'])
      await storage.writer.erase(target(), 'e2')
      expect(await storage.writer.write(target(), [referring('e3', 'other')])).toEqual(['blob_not_found'])
      await storage.close()
    })

    it('are deleted with their stream or connection', async () => {
      const storage = await open()
      await seed(storage, ['home', 'work'])
      for (const connection of ['home', 'work']) {
        await put(storage, 'hello', 'e1', { ...target(connection), key: 'e1', path: '/file' })
        await storage.writer.write(target(connection), [referring('e1', 'hello')])
      }
      // This blob was sent for a record that never came.
      await put(storage, 'early', 'e9')
      await storage.writer.wipe(target())
      expect(await storage.writer.write(target(), [referring('e1', 'early')])).toEqual(['blob_not_found'])
      expect(await read(storage, 'hello')).toEqual(['hello'])
      await storage.connections.remove(SUBJECT, 'work')
      expect(await storage.writer.write(target(), [referring('e1', 'hello')])).toEqual(['blob_not_found'])
      await storage.close()
    })

    it('wait for their record through a sweep', async () => {
      const storage = await open()
      await seed(storage)
      await put(storage, 'hello')
      await storage.blobs.sweep()
      expect(await storage.writer.write(target(), [referring('e1', 'hello')])).toEqual(['accepted'])
      await storage.blobs.sweep()
      expect(await read(storage, 'hello')).toEqual(['hello'])
      await storage.close()
    })

    it('get references if the same record is written after a declaration', async () => {
      const storage = await open()
      await seed(storage)
      const { data, ...write } = referring('e1', 'hello')
      await storage.writer.write(target(), [{ ...write, data: { members: data!.members } }])
      await put(storage, 'hello')
      expect(await storage.writer.write(target(), [{ ...write, data }])).toEqual(['unchanged'])
      expect(await read(storage, 'hello')).toEqual(['hello'])
      await storage.close()
    })

    it('leave nothing if too large, cut off or without their connection', async () => {
      const storage = await open()
      await seed(storage, ['home', 'work'])
      const large = put(storage, 'x'.repeat(1001))
      await expect(large).rejects.toMatchObject({ code: 'resource_limit', message: expect.stringContaining('1000') })
      const torn = async function* () {
        yield Buffer.from('hel')
        throw new Error('gone')
      }
      const upload = { bytes: torn(), mimeType: undefined, declaredBytes: 5, maxBytes: 1000 }
      await expect(storage.blobs.put({ ...target(), key: 'e1', path: '@record' }, upload)).rejects.toThrow('gone')
      await storage.connections.remove(SUBJECT, 'work')
      const late = put(storage, 'hello', 'e1', { ...target('work'), key: 'e1', path: '@record' })
      await expect(late).rejects.toMatchObject({ code: 'connection_not_found' })
      for (const text of ['hel', 'hello', 'x'.repeat(1001)])
        expect(await storage.writer.write(target(), [referring('e1', text)])).toEqual(['blob_not_found'])
      await storage.close()
    })

    it('may be empty', async () => {
      const storage = await open()
      await seed(storage)
      expect(await put(storage, '')).toMatchObject({ sizeBytes: 0, sha256: sha('') })
      expect(await storage.writer.write(target(), [referring('e1', '')])).toEqual(['accepted'])
      await storage.close()
    })
  })
}
