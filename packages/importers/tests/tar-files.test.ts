// Tar archives, plain and compressed: read like a zip, with the same checks of their content.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { type Headers, pack } from 'tar-stream'
import { expect, it, onTestFinished } from 'vitest'
import { storedZip } from '../../../tests/fixtures/stored-zip.ts'
import { verifies } from '../../../tests/fixtures/verifies.ts'
import { DatabaseCopies } from '../src/files/database-copy.ts'
import { findFiles, storedFiles } from '../src/files/files.ts'
import { treePath } from '../src/reading/input-tree.ts'

const ORDERS = 'id,total\n1,2\n'
const LONG = `${'a folder with a long name/'.repeat(8)}orders.csv`

async function tar(entries: readonly (readonly [Partial<Headers> & { name: string }, string?])[]): Promise<Buffer> {
  const packed = pack()
  for (const [header, text] of entries) packed.entry(header, text ?? '')
  packed.finalize()
  return buffer(packed)
}

async function found(name: string, bytes: Uint8Array) {
  const folder = mkdtempSync(join(tmpdir(), 'pdpp-tar-'))
  const copies = new DatabaseCopies(folder)
  onTestFinished(() => {
    copies.remove()
    rmSync(folder, { recursive: true, force: true })
  })
  const file = join(folder, name)
  writeFileSync(file, bytes)
  const [failed, skipped]: [string[], string[]] = [[], []]
  const fail = (_: string, error: unknown) => failed.push((error as Error).message)
  const inputs = await findFiles([file], copies, fail, (each) => skipped.push(each))
  const texts = await Promise.all(inputs.map(async ({ open }) => (await buffer(open())).toString()))
  return { file, copies, failed, skipped, texts, names: inputs.map((input) => input.name) }
}

it.each(['export.tar', 'export.tar.gz', 'export.tgz'])(
  'reads %s, with long names, folders and an inner zip',
  async (name) => {
    const plain = await tar([
      [{ name: 'inside/', type: 'directory' }],
      [{ name: './orders.csv' }, ORDERS],
      [{ name: 'inside/.DS_Store' }, 'x'],
      [{ name: LONG }, 'long'],
      [{ name: 'empty.txt' }, ''],
    ])
    const { names, texts, failed } = await found(name, name.endsWith('gz') ? gzipSync(plain) : plain)
    expect(failed).toEqual([])
    expect(names).toEqual([`${name}/orders.csv`, `${name}/${LONG}`, `${name}/empty.txt`])
    expect(texts).toEqual([ORDERS, 'long', ''])
    expect(names.map(treePath)).toEqual(['export/orders.csv', `export/${LONG}`, 'export/empty.txt'])
  },
)

it('reads a zip in a tar, and a tar in a zip', async () => {
  const packed = pack()
  packed.entry({ name: 'a.zip' }, storedZip({ 'orders.csv': ORDERS }))
  packed.finalize()
  const outer = await found('out.tar', await buffer(packed))
  expect([outer.names, outer.texts]).toEqual([['out.tar/a.zip/orders.csv'], [ORDERS]])
  const inner = await found('out.zip', storedZip({ 'b.tar': await tar([[{ name: 'orders.csv' }, ORDERS]]) }))
  expect([inner.names, inner.texts]).toEqual([['out.zip/b.tar/orders.csv'], [ORDERS]])
})

verifies('checklist 29', 'refuses names in a tar that lead out of it', async () => {
  for (const name of ['../../orders.csv', '/tmp/orders.csv', 'a/../../orders.csv', 'C:\\orders.csv']) {
    const { names, failed } = await found('slip.tar', await tar([[{ name }, ORDERS]]))
    expect([name, names, failed]).toEqual([name, [], [expect.stringContaining('leads out of the archive')]])
  }
})

verifies('checklist 29', 'passes over links in a tar, and names them', async () => {
  const entries = [
    [{ name: 'orders.csv' }, ORDERS],
    [{ name: 'link.csv', type: 'symlink', linkname: '/etc/passwd' }],
    [{ name: 'hard.csv', type: 'link', linkname: '../secret' }],
  ] as const
  const { names, skipped } = await found('links.tar', await tar(entries))
  expect([names, skipped]).toEqual([['links.tar/orders.csv'], ['links.tar/link.csv', 'links.tar/hard.csv']])
})

it('refuses a cut or broken archive, and reads nothing of it', async () => {
  const whole = await tar([[{ name: 'orders.csv' }, ORDERS.repeat(1000)]])
  for (const [name, bytes] of [
    ['cut.tar', whole.subarray(0, 2000)],
    ['cut.tgz', gzipSync(whole).subarray(0, 60)],
    ['noise.tar', Buffer.alloc(4096, 'noise')],
    ['noise.zip', Buffer.alloc(4096, 'noise')],
  ] as const) {
    const { names, failed } = await found(name, bytes)
    expect([name, names, failed.length]).toEqual([name, [], 1])
    expect(failed[0]).toMatch(new RegExp(`^${name} (cannot be read: |is damaged or cut off)`))
  }
})

it('names a broken upload by the name that its owner knows', async () => {
  const { file, copies } = await found('f1', Buffer.from('PK nothing'))
  for (const name of ['Holiday.zip', 'Holiday.tgz', 'Holiday.tar']) {
    const failed: string[] = []
    await storedFiles([{ path: file, name }], copies, (_, error) => failed.push((error as Error).message))
    expect(failed).toEqual([expect.stringMatching(/^Holiday\.\w+ (cannot be read|is not packed with gzip)/)])
    expect(failed.join()).not.toContain(file)
  }
  const [gone] = await storedFiles([{ path: file, name: 'a.csv' }], copies, () => {})
  rmSync(file)
  expect(() => statSync(file)).toThrow()
  await expect(buffer(gone!.open())).rejects.toThrow('There is no file a.csv.')
})
