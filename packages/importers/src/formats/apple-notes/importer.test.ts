import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { afterAll, expect, it } from 'vitest'
import type { ImportInput } from '../../importer.ts'
import { memoryInput } from '../../reading/memory-input.fixture.ts'
import { importerBattery, readExport } from '../../run/importer-battery.fixture.ts'
import { appleNotes } from './importer.ts'

const folder = mkdtempSync(join(tmpdir(), 'pdpp-notes-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const field = (number: number, value: number | string | Buffer): Buffer => {
  if (typeof value === 'number') return Buffer.from([number << 3, value])
  const bytes = Buffer.from(value as string)
  return Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes])
}
const run = (length: number, ...more: Buffer[]) => field(5, Buffer.concat([field(1, length), ...more]))
const item = (isDone: number) => field(2, Buffer.concat([field(1, 103), field(5, field(2, isDone))]))
const body = (text: string, ...runs: Buffer[]) => gzipSync(field(2, field(3, Buffer.concat([field(2, text), ...runs]))))

function store(): Buffer {
  const path = join(folder, 'made.sqlite')
  const database = new Database(path)
  database.exec(`CREATE TABLE ZICCLOUDSYNCINGOBJECT (Z_PK INTEGER PRIMARY KEY, ZIDENTIFIER, ZNAME, ZTITLE1, ZTITLE2, ZPARENT, ZFOLDER, ZFOLDERTYPE,
    ZCREATIONDATE1, ZMODIFICATIONDATE1, ZISPASSWORDPROTECTED, ZISPINNED, ZMARKEDFORDELETION, ZNOTE, ZMEDIA, ZTYPEUTI, ZFILENAME, ZURLSTRING);
    CREATE TABLE ZICNOTEDATA (Z_PK INTEGER PRIMARY KEY, ZNOTE, ZDATA BLOB)`)
  const add = (values: Record<string, unknown>) =>
    database
      .prepare(
        `INSERT INTO ZICCLOUDSYNCINGOBJECT (${Object.keys(values).join()}) VALUES (${Object.keys(values)
          .map(() => '?')
          .join()})`,
      )
      .run(...Object.values(values))
  add({ Z_PK: 1, ZNAME: 'iCloud' })
  add({ Z_PK: 2, ZTITLE2: 'Garden', ZPARENT: 1 })
  add({ Z_PK: 3, ZTITLE2: 'Recently Deleted', ZPARENT: 1, ZFOLDERTYPE: 1 })
  const note = (pk: number, title: string, more: Record<string, unknown>, data: Buffer | null) => {
    add({
      Z_PK: pk,
      ZIDENTIFIER: `N-${pk}`,
      ZTITLE1: title,
      ZFOLDER: 2,
      ZCREATIONDATE1: 796_933_200.5,
      ZMODIFICATIONDATE1: 796_936_800,
      ...more,
    })
    database.prepare('INSERT INTO ZICNOTEDATA (ZNOTE, ZDATA) VALUES (?, ?)').run(pk, data)
  }
  const text = 'Beans\nSow them\nWater\nsee shop\n\uFFFC'
  note(
    10,
    'Beans',
    { ZISPINNED: 1 },
    body(text, run(6), run(9, item(1)), run(6, item(0)), run(4), run(4, field(9, 'https://seeds.example'))),
  )
  note(11, 'Secret', { ZISPASSWORDPROTECTED: 1 }, Buffer.from('locked'))
  note(12, 'Old', { ZFOLDER: 3 }, body('Old'))
  note(13, 'Broken', {}, Buffer.from('no gzip'))
  add({ Z_PK: 20, ZIDENTIFIER: 'M-1', ZFILENAME: 'bean.jpg' })
  add({ Z_PK: 21, ZIDENTIFIER: 'A-1', ZNOTE: 10, ZMEDIA: 20, ZTYPEUTI: 'public.jpeg' })
  add({ Z_PK: 22, ZIDENTIFIER: 'A-2', ZNOTE: 10, ZTYPEUTI: 'com.adobe.pdf' })
  add({ Z_PK: 23, ZIDENTIFIER: 'A-3', ZNOTE: 10, ZTYPEUTI: 'com.apple.notes.table' })
  add({ Z_PK: 24, ZIDENTIFIER: 'A-4', ZNOTE: 10, ZTYPEUTI: 'public.url', ZURLSTRING: 'https://beans.example' })
  database.close()
  return readFileSync(path)
}

const FILES = {
  'Notes/NoteStore.sqlite': store(),
  'Notes/Accounts/1/Media/M-1/bean.jpg': Buffer.from([0xff, 0xd8, 0xff, 1]),
}

let made = 0
function inputOf(name: string, content: string | Uint8Array, pieceBytes: number): ImportInput {
  const databasePath = async () => {
    const path = join(folder, `${++made}.sqlite`)
    writeFileSync(path, content)
    return path
  }
  return { ...memoryInput(name, content, pieceBytes), databasePath }
}

it('a note has its text, folder, times, list, links and files', async () => {
  const { records } = await readExport(
    appleNotes,
    Object.entries(FILES).map(([name, content]) => inputOf(name, content, 1000)),
  )
  const of = (stream: string) => records.filter((record) => record.stream === stream).map(({ data }) => data)
  expect(of('notes')[0]).toMatchObject({
    id: 'N-10',
    title: 'Beans',
    text: 'Beans\nSow them\nWater\nsee shop',
    folder: 'iCloud/Garden',
    noted_at: '2026-04-03T18:20:00.500Z',
    is_pinned: true,
  })
  expect(of('notes').map(({ title, is_locked, is_deleted }) => [title, is_locked, is_deleted])).toEqual([
    ['Beans', false, false],
    ['Secret', true, false],
    ['Old', false, true],
    ['Broken', false, false],
  ])
  expect(of('tasks').map(({ text, is_done }) => [text, is_done])).toEqual([
    ['Sow them', true],
    ['Water', false],
  ])
  expect(of('links').map(({ target, label }) => [target, label])).toEqual([
    ['https://seeds.example', 'shop'],
    ['https://beans.example', null],
  ])
  expect(of('attachments').map(({ filename, is_missing }) => [filename, is_missing])).toEqual([
    ['bean.jpg', false],
    ['A-2 (com.adobe.pdf)', true],
  ])
})

importerBattery({
  importer: appleNotes,
  files: FILES,
  inputOf,
  records: { notes: 4, links: 2, tasks: 2, attachments: 2 },
  seen: { notes: 4, attachments: 3 },
  leftOut: [['attachments', 'tables and similar objects inside a note', 1]],
  problems: 1,
  isOpenEnded: true,
})
