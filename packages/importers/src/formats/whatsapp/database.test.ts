import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, expect, it } from 'vitest'
import type { ImportInput } from '../../importer.ts'
import { memoryInput } from '../../reading/memory-input.fixture.ts'
import { importerBattery, readExport } from '../../run/importer-battery.fixture.ts'
import { whatsapp } from './importer.ts'

const folder = mkdtempSync(join(tmpdir(), 'pdpp-whatsapp-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let files = 0

/** A database is opened at a path, so its bytes are written to one. */
function inputOf(name: string, content: string | Uint8Array, pieceBytes: number): ImportInput {
  const input = memoryInput(name, content, pieceBytes)
  if (!name.endsWith('.sqlite')) return input
  const databasePath = async () => {
    const path = join(folder, `${++files}.sqlite`)
    writeFileSync(path, content)
    return path
  }
  return { ...input, databasePath }
}

function chatStorage(): Buffer {
  const path = join(folder, 'made.sqlite')
  const database = new Database(path)
  database.exec(`
    CREATE TABLE ZWACHATSESSION (Z_PK INTEGER PRIMARY KEY, ZCONTACTJID TEXT, ZPARTNERNAME TEXT);
    CREATE TABLE ZWAGROUPMEMBER (Z_PK INTEGER PRIMARY KEY, ZMEMBERJID TEXT);
    CREATE TABLE ZWAPROFILEPUSHNAME (Z_PK INTEGER PRIMARY KEY, ZJID TEXT, ZPUSHNAME TEXT);
    CREATE TABLE ZWAMESSAGE (Z_PK INTEGER PRIMARY KEY, ZCHATSESSION INTEGER, ZGROUPMEMBER INTEGER, ZISFROMME INTEGER, ZMESSAGEDATE REAL, ZTEXT TEXT, ZMESSAGETYPE INTEGER, ZSTANZAID TEXT, ZVCARDSTRING TEXT, ZPARENTMESSAGE INTEGER);
    CREATE TABLE ZWAMEDIAITEM (Z_PK INTEGER PRIMARY KEY, ZMESSAGE INTEGER, ZMEDIALOCALPATH TEXT, ZTITLE TEXT, ZFILESIZE INTEGER, ZLATITUDE REAL, ZLONGITUDE REAL);
    INSERT INTO ZWACHATSESSION VALUES (1, '442079460018@s.whatsapp.net', 'Bram Tidewell'), (2, '1203@g.us', 'Family group');
    INSERT INTO ZWAGROUPMEMBER VALUES (1, '442079460019@s.whatsapp.net'), (2, '442079460020@s.whatsapp.net');
    INSERT INTO ZWAPROFILEPUSHNAME VALUES (1, '442079460019@s.whatsapp.net', 'Cleo Fen');
    INSERT INTO ZWAMESSAGE VALUES
      (1, 1, NULL, 0, 770461200.5, 'Shall we row?', 0, 's1', NULL, NULL),
      (2, 1, NULL, 1, 770461260, 'Yes', 0, 's2', NULL, 1),
      (3, 1, NULL, 0, 770461320, 'old words', 14, 's3', NULL, NULL),
      (4, 2, 1, 0, 770461380, NULL, 1, 's4', NULL, NULL),
      (5, 2, 2, 0, 770461440, NULL, 5, 's5', NULL, NULL),
      (6, 2, NULL, 0, 770461500, 'Cleo added Ida', 6, 's6', NULL, NULL),
      (7, 2, 1, 0, 770461560, NULL, 0, 's7', 'BEGIN:VCARD' || char(10) || 'FN:Dora Reed' || char(10) || 'END:VCARD', NULL);
    INSERT INTO ZWAMEDIAITEM VALUES (1, 4, 'Media/1203@g.us/boat.txt', 'our boat', 6, NULL, NULL), (2, 5, NULL, NULL, NULL, 51.5, -0.12);
  `)
  database.close()
  return readFileSync(path)
}

const FILES = { 'backup/ChatStorage.sqlite': chatStorage(), 'backup/Message/Media/1203@g.us/boat.txt': 'a boat' }

it('reads the database of WhatsApp on an iPhone', async () => {
  const inputs = Object.entries(FILES).map(([name, content]) => inputOf(name, content, 4096))
  const { records } = await readExport(whatsapp, inputs)
  const messages = records.filter(({ stream }) => stream === 'messages').map(({ data }) => data)
  expect(messages.map((each) => [each['conversation'], each['author'], each['kind'], each['text']])).toEqual([
    ['Bram Tidewell', 'Bram Tidewell', 'text', 'Shall we row?'],
    ['Bram Tidewell', 'Me', 'text', 'Yes'],
    ['Bram Tidewell', 'Bram Tidewell', 'text', null],
    ['Family group', 'Cleo Fen', 'text', 'our boat'],
    ['Family group', '+442079460020', 'location', null],
    ['Family group', null, 'system', 'Cleo added Ida'],
    ['Family group', 'Cleo Fen', 'contact', 'Dora Reed'],
  ])
  expect(messages[0]!['sent_at']).toBe('2025-06-01T09:00:00.500Z')
  expect(messages[1]!['reply_to_id']).toBe('s1')
  expect(messages[2]!['is_deleted']).toBe(true)
  expect(messages[4]!['detail']).toEqual({ place: { latitude: 51.5, longitude: -0.12 } })
  const [file] = records.filter(({ stream }) => stream === 'attachments')
  expect(file!.data).toMatchObject({ filename: 'boat.txt', kind: 'photo', is_missing: false, extracted_text: 'a boat' })
})

importerBattery({
  importer: whatsapp,
  files: FILES,
  inputOf,
  records: { messages: 7, attachments: 1, conversations: 2, participants: 5 },
  seen: { messages: 7, attachments: 1 },
  fuzzRuns: 60,
})
