// Systems zip a folder together with its name: notes.zip contains notes/.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { storedZip } from '../../../tests/fixtures/stored-zip.ts'
import { DatabaseCopies } from '../src/files/database-copy.ts'
import { findFiles } from '../src/files/files.ts'
import { MemoryDestination } from '../src/run/memory-destination.fixture.ts'
import { importInto } from './import-into.ts'

const FILES = {
  'tea.md': '# Tea\n\nSee [rope](deep/rope.md).\n',
  'deep/rope.md': '# Rope\n\n- [ ] Buy rope\n',
  'lamp.html': '<html><head><title>Lamp</title></head><body><h1>Lamp</h1><p>It is a lamp on a desk.</p></body></html>',
}

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pdpp-folder-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function zipped(name: string, contents: Record<string, string | Uint8Array>) {
  const folder = emptyFolder()
  const copies = new DatabaseCopies(folder)
  onTestFinished(() => copies.remove())
  writeFileSync(join(folder, name), storedZip(contents as Record<string, string>))
  const failed: string[] = []
  const inputs = await findFiles([join(folder, name)], copies, (_, error) => failed.push((error as Error).message))
  return { inputs, failed, names: inputs.map((input) => input.name) }
}

it.each(['notes', 'Büro'])('the zip of a folder adds nothing to the folder: %s', async (name) => {
  const place = emptyFolder()
  mkdirSync(join(place, name, 'deep'), { recursive: true })
  for (const [file, text] of Object.entries(FILES)) writeFileSync(join(place, name, file), text)
  const zip = join(place, `${name}.zip`)
  // Macs write names in this form.
  const inside = Object.entries(FILES).map(([file, text]) => [`${name.normalize('NFD')}/${file}`, text])
  writeFileSync(zip, storedZip({ ...Object.fromEntries(inside), [`__MACOSX/${name}/._tea.md`]: 'x' }))
  const to = new MemoryDestination()
  expect((await importInto(to, [join(place, name)])).new).toBeGreaterThan(5)
  expect(await importInto(to, [zip])).toEqual({ new: 0, changed: 0, unexplained: [] })
})

it('names stay if the zip has other files beside that folder', async () => {
  const both = { 'tea/readme.md': 'inner', 'readme.md': 'outer' }
  expect((await zipped('tea.zip', both)).names).toEqual(['tea.zip/tea/readme.md', 'tea.zip/readme.md'])
  expect((await zipped('rope.zip', { 'tea/readme.md': 'x' })).names).toEqual(['rope.zip/tea/readme.md'])
  expect((await zipped('tea-001.zip', { 'tea/readme.md': 'x' })).names).toEqual(['tea-001.zip/readme.md'])
})

it('a compressed file in a zip is read as the file that it holds', async () => {
  const orders = 'id,item\n1,Tea\n2,Rope\n'
  const { inputs } = await zipped('out.zip', { 'orders.csv.gz': gzipSync(orders) })
  expect((await buffer(inputs[0]!.open())).toString()).toBe(orders)
  const cut = await zipped('out.zip', { 'orders.csv.gz': gzipSync(orders.repeat(1000)).subarray(0, 40) })
  await expect(buffer(cut.inputs[0]!.open())).rejects.toThrow('out.zip/orders.csv.gz is damaged or cut off')
})
