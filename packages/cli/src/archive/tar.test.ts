import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { readTar, type TarFile, writeTar } from './tar.ts'

async function* once(bytes: Uint8Array) {
  yield bytes
}

const file = (name: string, text: string): TarFile => {
  const bytes = Buffer.from(text)
  return { name, size: bytes.length, bytes: once(bytes) }
}

async function all(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const found: Uint8Array[] = []
  for await (const piece of source) found.push(piece)
  return Buffer.concat(found)
}

const long = `${'deep/'.repeat(25)}${'n'.repeat(90)}.jsonl`
const files = () => [file('a.json', '{}'), file('empty', ''), file('block', 'x'.repeat(512)), file(long, 'ünï')]

it('reads the archives it writes, and so does tar', async () => {
  const archive = await all(writeTar(files(), new Date(0)))
  const found: [string, string][] = []
  for await (const { name, bytes } of readTar(once(archive))) found.push([name, (await all(bytes)).toString()])
  expect(found).toEqual([
    ['a.json', '{}'],
    ['empty', ''],
    ['block', 'x'.repeat(512)],
    [long, 'ünï'],
  ])
  const listed = spawnSync('tar', ['-tf', '-'], { input: archive, encoding: 'utf8' })
  if (!listed.error) expect(listed.stdout.trim().split('\n')).toEqual(found.map(([name]) => name))
})

it('skips unread files and refuses truncated or foreign data', async () => {
  const archive = await all(writeTar(files(), new Date(0)))
  const names: string[] = []
  for await (const { name } of readTar(once(archive))) names.push(name)
  expect(names).toHaveLength(4)
  const read = async (bytes: Buffer) => {
    for await (const _file of readTar(once(bytes)));
  }
  await expect(read(archive.subarray(0, archive.length - 1024))).rejects.toThrow('too early')
  await expect(read(Buffer.alloc(1024, 'x'))).rejects.toThrow('not a tar archive')
  const short = { ...file('a', 'abc'), size: 5 }
  await expect(all(writeTar([short], new Date(0)))).rejects.toThrow('expected 5')
})
