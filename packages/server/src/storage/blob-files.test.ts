import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { BlobFiles, blobPath } from './blob-files.ts'

function newFiles(freeBytes?: () => Promise<number>) {
  const directory = mkdtempSync(join(tmpdir(), 'pdpp-blobs-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return { directory, files: new BlobFiles(directory, freeBytes) }
}

async function* bytes(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text)
}

const upload = (text: string) => ({ bytes: bytes(text), declaredBytes: text.length, maxBytes: 1_000_000 })
const filesIn = (directory: string) =>
  readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())

it('stores files readable by the owner only, named by their hash', async () => {
  const { directory, files } = newFiles()
  const received = await files.receive(upload('hello'))
  files.keep(received)
  const path = join(directory, blobPath(received.sha256))
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700)
  expect(filesIn(directory)).toHaveLength(1)
})

it('refuses uploads if the disk is nearly full, before and while they run', async () => {
  let free = 67_108_864 + 4
  const { directory, files } = newFiles(async () => free)
  await expect(files.receive(upload('hello'))).rejects.toMatchObject({ code: 'insufficient_storage' })
  free = 1e12
  const long = async function* () {
    for (let n = 0; n < 40; n++) {
      yield Buffer.alloc(1_048_576)
      if (n === 10) free = 0
    }
  }
  const received = files.receive({ bytes: long(), declaredBytes: undefined, maxBytes: 1e9 })
  await expect(received).rejects.toMatchObject({ code: 'insufficient_storage' })
  expect(filesIn(directory)).toEqual([])
})

it('deletes unfinished uploads of a killed process', async () => {
  const { directory, files } = newFiles()
  mkdirSync(join(directory, 'incoming'))
  writeFileSync(join(directory, 'incoming', 'half'), 'hel')
  await files.clearIncoming()
  expect(filesIn(directory)).toEqual([])
})

it('ends a download when the blob is removed', async () => {
  const { directory, files } = newFiles()
  const received = await files.receive(upload('x'.repeat(900_000)))
  files.keep(received)
  const reader = (await files.read(received.sha256, { from: 0, to: 899_999 }, 1000))!.getReader()
  await reader.read()
  files.remove(received.sha256)
  await expect(
    (async () => {
      while (!(await reader.read()).done);
    })(),
  ).rejects.toThrow('the blob was removed')
  expect(existsSync(join(directory, blobPath(received.sha256)))).toBe(false)
  expect(await files.read(received.sha256, { from: 0, to: 1 }, 1000)).toBeUndefined()
})

it('closes a download that nobody reads', async () => {
  const { files } = newFiles()
  const received = await files.receive(upload('x'.repeat(300_000)))
  files.keep(received)
  const reader = (await files.read(received.sha256, { from: 0, to: 299_999 }, 30))!.getReader()
  await reader.read()
  await sleep(100)
  await expect(
    (async () => {
      while (!(await reader.read()).done);
    })(),
  ).rejects.toThrow('the client stopped reading')
})

it('never leaves its folder', async () => {
  const { files } = newFiles()
  await expect(files.read('../../etc/passwd', { from: 0, to: 1 }, 1000)).rejects.toThrow('not a hash')
  expect(() => files.remove('../x')).toThrow('not a hash')
})
