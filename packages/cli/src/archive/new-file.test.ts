import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { expect, onTestFinished, test } from 'vitest'
import { writeNewFile } from './new-file.ts'

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'pdpp-new-file-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

test('a full disk is reported, and the partial file is removed', async () => {
  const place = folder()
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  const failing = async function* () {
    yield Buffer.alloc(100_000)
    throw full
  }
  await expect(writeNewFile(join(place, 'a'), (to) => pipeline(Readable.from(failing()), to))).rejects.toMatchObject({
    exitCode: 1,
    message: expect.stringMatching(/disk is full/),
    nextStep: expect.stringContaining('Make room'),
  })
  expect(readdirSync(place)).toEqual([])
})

test('writes the whole file and never overwrites an existing one', async () => {
  const file = join(folder(), 'a')
  await writeNewFile(file, (to) => pipeline(Readable.from([Buffer.from('first')]), to))
  await expect(writeNewFile(file, (to) => pipeline(Readable.from([]), to))).rejects.toThrow('already exists')
  expect(readFileSync(file, 'utf8')).toBe('first')
})
