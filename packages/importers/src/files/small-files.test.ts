import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { DatabaseCopies } from './database-copy.ts'
import { type FileInput, findFiles } from './files.ts'

async function found(bytes: Buffer): Promise<{ path: string; input: FileInput }> {
  const folder = mkdtempSync(join(tmpdir(), 'pdpp-small-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'notes.txt')
  writeFileSync(path, bytes)
  const [input] = await findFiles([path], new DatabaseCopies(folder), () => {})
  return { path, input: input! }
}

async function bytesOf(input: FileInput): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of input.open()) pieces.push(piece)
  return Buffer.concat(pieces)
}

// Around the sizes of a piece, where a reader could drop or repeat a byte.
it.each([0, 1, 4095, 4096, 4097, 65_534, 65_535, 65_536, 65_537, 200_000])('reads a file of %i bytes', async (size) => {
  const bytes = Buffer.from(Array.from({ length: size }, (_, at) => at % 251))
  const { input } = await found(bytes)
  expect((await bytesOf(input)).equals(bytes)).toBe(true)
  expect(input.bytesRead).toBe(size)
  expect((await bytesOf(input)).equals(bytes), 'opened again').toBe(true)
})

it.each([10, 5000])('reads a file of %i bytes to its end if it grew since it was found', async (size) => {
  const { path, input } = await found(Buffer.alloc(size, 'a'))
  appendFileSync(path, Buffer.alloc(30_000, 'b'))
  expect((await bytesOf(input)).toString()).toBe('a'.repeat(size) + 'b'.repeat(30_000))
})

it('says which file is gone', async () => {
  const { path, input } = await found(Buffer.from('x'))
  rmSync(path)
  await expect(bytesOf(input)).rejects.toThrow(`There is no file ${input.name}.`)
})
