// Files that were made to hurt (checklist 29).
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { storedZip } from '../../../tests/fixtures/stored-zip.ts'
import { verifies } from '../../../tests/fixtures/verifies.ts'
import { DatabaseCopies } from '../src/files/database-copy.ts'
import { type FileInput, findFiles } from '../src/files/files.ts'

const ORDERS = 'id,total\n1,2\n'

function place(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pdpp-hostile-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function found(...paths: string[]) {
  const failed: [string, string][] = []
  const inputs = await findFiles(paths, new DatabaseCopies(tmpdir()), (name, error) =>
    failed.push([name, (error as Error).message]),
  )
  return { inputs, names: inputs.map(({ name }) => name), failed }
}

async function read({ open }: FileInput): Promise<number> {
  let bytes = 0
  for await (const chunk of open()) bytes += chunk.length
  return bytes
}

/** What a zip says of its only entry, changed in its directory: how it is packed, and how large it claims to be. */
function claiming(zip: Buffer, method: number, size: number): Buffer {
  const at = zip.indexOf('PK\u0001\u0002')
  zip.writeUInt16LE(method, at + 10)
  zip.writeUInt32LE(size, at + 24)
  return zip
}

verifies('checklist 29', 'refuses archive names that lead out of the archive', async () => {
  const folder = place()
  for (const name of ['../../orders.csv', '/tmp/orders.csv', 'a/../../orders.csv', 'C:\\orders.csv']) {
    const file = join(folder, 'slip.zip')
    writeFileSync(file, storedZip({ [name]: ORDERS }))
    const { names, failed } = await found(file)
    expect([name, names, failed.length]).toEqual([name, [], 1])
  }
})

verifies('checklist 29', 'does not follow links in a folder', async () => {
  const folder = place()
  const outside = join(folder, 'outside')
  const inside = join(folder, 'inside')
  for (const path of [outside, inside]) mkdirSync(path)
  writeFileSync(join(outside, 'secret.csv'), ORDERS)
  writeFileSync(join(inside, 'orders.csv'), ORDERS)
  symlinkSync(outside, join(inside, 'folder'))
  symlinkSync(join(outside, 'secret.csv'), join(inside, 'file.csv'))
  symlinkSync(inside, join(inside, 'circle'))
  const { names, failed } = await found(inside)
  expect([names, failed]).toEqual([['inside/orders.csv'], []])
})

verifies('checklist 29', 'refuses entries that grow too much', async () => {
  const folder = place()
  const bomb = join(folder, 'bomb.zip')
  writeFileSync(bomb, claiming(storedZip({ 'orders.csv': ORDERS }), 8, 500_000_000))
  await expect(read((await found(bomb)).inputs[0]!)).rejects.toThrow(/would grow to 500000000 bytes/)
  // Stored as it is, and said to be shorter than it is: the rest is not handed on as if it were whole.
  const liar = join(folder, 'liar.zip')
  writeFileSync(liar, claiming(storedZip({ 'orders.csv': ORDERS }), 0, 5))
  const { inputs, failed } = await found(liar)
  if (failed.length === 0) await expect(read(inputs[0]!)).rejects.toThrow()
  else expect(failed[0]![1]).toMatch(/cannot be read/)
})

verifies('checklist 29', 'reads a zip in a zip, and no deeper', async () => {
  const folder = place()
  const file = join(folder, 'outer.zip')
  const inner = storedZip({ 'orders.csv': ORDERS, 'deeper.zip': storedZip({ 'deepest.csv': ORDERS }) })
  writeFileSync(file, storedZip({ 'Part-1.zip': inner, 'broken.zip': 'PK, but no archive' }))
  const { inputs, names, failed } = await found(file)
  expect([names, failed]).toEqual([
    ['outer.zip/Part-1.zip/orders.csv', 'outer.zip/Part-1.zip/deeper.zip', 'outer.zip/broken.zip'],
    [],
  ])
  expect(await read(inputs[0]!)).toBe(ORDERS.length)
  expect(inputs[0]!.file).toBe(`${file}/Part-1.zip/orders.csv`)
})
