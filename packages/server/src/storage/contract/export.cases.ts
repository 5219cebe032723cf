import { createHash } from 'node:crypto'
import { blobId } from '@pdpp/protocol'
import { describe, expect, it } from 'vitest'
import type { OpenStorage } from './contract.cases.ts'
import { declaration, SUBJECT, seed, target, upsert } from './contract.fixture.ts'

const TEXT = 'bytes of a file'
const sha256 = createHash('sha256').update(TEXT).digest('hex')

async function* pieces() {
  for (const char of TEXT) yield Buffer.from(char)
}

async function all<T>(list: Iterable<T> | AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const one of list) found.push(one)
  return found
}

export function exportCases(open: OpenStorage): void {
  describe('exports', () => {
    it('have everything of one moment, as ingest takes it', async () => {
      const storage = await open()
      await seed(storage, ['home', 'work'])
      const at = { ...target(), key: 'e1', path: '@record' }
      const upload = { bytes: pieces(), mimeType: 'text/plain', declaredBytes: undefined, maxBytes: 1000 }
      await storage.blobs.put(at, upload)
      const file = { blob_id: blobId(sha256), sha256 }
      const blobs = [{ field: 'file', path: '/file', sha256, sizeBytes: TEXT.length }]
      const first = upsert({ id: 'e1', title: 'one', extra: { n: JSON.rawJSON('12345678901234567890') }, file })
      await storage.writer.write(target(), [
        { ...first, data: { ...first.data!, blobs } },
        upsert({ id: 'nul \0', title: 'x'.repeat(100_000) }),
      ])
      await storage.writer.write(
        target('work'),
        Array.from({ length: 700 }, (_, n) => upsert({ id: `w${n}` })),
      )
      expect(await storage.admin.hasData()).toBe(true)
      const source = await storage.admin.openExport(SUBJECT)
      // Written after the export began, so the export does not contain it.
      await storage.writer.write(target(), [upsert({ id: 'later' })])
      expect(source.declarations).toEqual([declaration])
      expect(source.connections.map((one) => one.connection_id)).toEqual(['home', 'work'])
      expect(source.streams.map(({ connectionId, stream }) => [connectionId, stream])).toEqual([
        ['home', 'entries'],
        ['work', 'entries'],
      ])
      const [home, work] = await Promise.all([all(source.streams[0]!.lines()), all(source.streams[1]!.lines())])
      expect(home.map((line) => JSON.parse(line).key)).toEqual(['e1', 'nul \0'])
      expect(home[0]).toMatch(
        /^\{"key":"e1","emitted_at":"1970-01-01T00:00:01\.000Z","data":\{.*"n":12345678901234567890.*\}\}\n$/,
      )
      expect(JSON.parse(home[1]!).data.title).toHaveLength(100_000)
      expect(work.map((line) => JSON.parse(line).key)).toEqual(Array.from({ length: 700 }, (_, n) => `w${n}`))
      const [blob] = source.blobs
      expect([source.blobs.length, source.missingBlobs]).toEqual([1, 0])
      expect(blob!.entry).toMatchObject({ sha256, size_bytes: TEXT.length, record_key: 'e1', json_path: '/file' })
      expect(Buffer.concat(await all(blob!.bytes())).toString()).toBe(TEXT)
      await source.close()
      await storage.close()
    })

    it('of an owner without data are empty', async () => {
      const storage = await open()
      const source = await storage.admin.openExport(SUBJECT)
      expect([source.declarations, source.connections, source.streams, source.blobs]).toEqual([[], [], [], []])
      await source.close()
      await storage.close()
    })
  })
}
