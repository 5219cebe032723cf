// Hostile files (checklist 29).
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
  const skipped: string[] = []
  const copies = new DatabaseCopies(tmpdir())
  onTestFinished(() => copies.remove())
  const inputs = await findFiles(
    paths,
    copies,
    (name, error) => failed.push([name, (error as Error).message]),
    (name) => skipped.push(name),
  )
  return { inputs, names: inputs.map(({ name }) => name), failed, skipped }
}

async function read({ open }: FileInput): Promise<number> {
  let bytes = 0
  for await (const chunk of open()) bytes += chunk.length
  return bytes
}

/** Changes the directory of a zip with one entry: how the entry is packed, and how large it claims to be. */
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
  const { names, failed, skipped } = await found(inside)
  expect([names, failed]).toEqual([['inside/orders.csv'], []])
  expect(skipped).toEqual(['inside/circle', 'inside/file.csv', 'inside/folder'])
})

verifies('checklist 29', 'refuses entries that grow too much', async () => {
  const folder = place()
  const bomb = join(folder, 'bomb.zip')
  writeFileSync(bomb, claiming(storedZip({ 'orders.csv': ORDERS }), 8, 500_000_000))
  await expect(read((await found(bomb)).inputs[0]!)).rejects.toThrow(/would grow to 500000000 bytes/)
  // The entry is stored uncompressed and claims to be shorter than it is. It must not be passed on as a complete file.
  const liar = join(folder, 'liar.zip')
  writeFileSync(liar, claiming(storedZip({ 'orders.csv': ORDERS }), 0, 5))
  const { inputs, failed } = await found(liar)
  if (failed.length === 0) await expect(read(inputs[0]!)).rejects.toThrow()
  else expect(failed[0]![1]).toMatch(/cannot be read/)
})

verifies('checklist 29', 'passes over a link in an archive, and names it', async () => {
  const file = join(place(), 'link.zip')
  const zip = storedZip({ 'orders.csv': ORDERS, 'link.csv': '../../secret.csv' })
  // The attributes of the second entry say that it is a link of Unix.
  zip.writeUInt32LE((0o120777 << 16) >>> 0, zip.indexOf('PK\u0001\u0002', zip.indexOf('PK\u0001\u0002') + 4) + 38)
  writeFileSync(file, zip)
  const { names, skipped } = await found(file)
  expect([names, skipped]).toEqual([['link.zip/orders.csv'], ['link.zip/link.csv']])
})

verifies('checklist 29', 'reads an archive in an archive, and not without end', async () => {
  const file = join(place(), 'a.zip')
  let zip = storedZip({ 'orders.csv': ORDERS })
  for (const name of ['d.zip', 'c.zip']) zip = storedZip({ [name]: zip, 'note.csv': ORDERS })
  writeFileSync(file, zip)
  expect((await found(file)).names).toEqual(['a.zip/c.zip/d.zip/orders.csv', 'a.zip/c.zip/note.csv', 'a.zip/note.csv'])
  writeFileSync(file, storedZip({ 'b.zip': zip }))
  const { names, skipped } = await found(file)
  expect([names.length, skipped]).toEqual([2, ['a.zip/b.zip/c.zip/d.zip']])
})
