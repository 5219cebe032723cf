import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, describe, expect, it } from 'vitest'
import type { ImportInput } from '../../importer.ts'
import { memoryInput } from '../../reading/memory-input.fixture.ts'
import { importerBattery, readExport } from '../../run/importer-battery.fixture.ts'
import { bodyText } from './apple-text.ts'
import { imessage } from './importer.ts'

const folder = mkdtempSync(join(tmpdir(), 'pdpp-imessage-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let files = 0

/** A database is opened at a path, so its bytes are written to one. */
function inputOf(name: string, content: string | Uint8Array, pieceBytes: number): ImportInput {
  const input = memoryInput(name, content, pieceBytes)
  if (!name.endsWith('.db')) return input
  const databasePath = async () => {
    const path = join(folder, `${++files}.db`)
    writeFileSync(path, content)
    return path
  }
  return { ...input, databasePath }
}

const archive = (text: string): Buffer => {
  const bytes = Buffer.from(text)
  const length =
    bytes.length < 128 ? Buffer.from([bytes.length]) : Buffer.from([0x81, bytes.length & 255, bytes.length >> 8])
  return Buffer.concat([
    Buffer.from('\u0004\u000bstreamtyped'),
    Buffer.from([0x81, 0xe8, 3, 0x84, 1, 0x40, 0x84, 0x84, 0x84, 8]),
    Buffer.from('NSString'),
    Buffer.from([1, 0x94, 0x84, 1, 0x2b]),
    length,
    bytes,
    Buffer.from([0x86]),
  ])
}

/** A binary property list that contains `{ec: {"0": [{t, d}, …]}}` or `{rp: [0]}`. */
function plist(value: unknown): Buffer {
  const objects: Buffer[] = []
  const add = (each: unknown): number => {
    const at = objects.push(Buffer.alloc(0)) - 1
    const marked = (kind: number, count: number) =>
      count < 15 ? Buffer.from([kind | count]) : Buffer.from([kind | 15, 0x11, count >> 8, count & 255])
    if (typeof each === 'string') objects[at] = Buffer.concat([marked(0x50, each.length), Buffer.from(each)])
    else if (typeof each === 'number') {
      const double = Buffer.alloc(9)
      double[0] = 0x23
      double.writeDoubleBE(each, 1)
      objects[at] = double
    } else if (Buffer.isBuffer(each)) objects[at] = Buffer.concat([marked(0x40, each.length), each])
    else if (Array.isArray(each)) objects[at] = Buffer.concat([marked(0xa0, each.length), Buffer.from(each.map(add))])
    else {
      const members = Object.entries(each as object)
      const names = members.map(([name]) => add(name))
      const values = members.map(([, member]) => add(member))
      objects[at] = Buffer.concat([marked(0xd0, members.length), Buffer.from([...names, ...values])])
    }
    return at
  }
  add(value)
  let offset = 8
  const offsets = Buffer.alloc(objects.length * 2)
  for (const [at, each] of objects.entries()) {
    offsets.writeUInt16BE(offset, at * 2)
    offset += each.length
  }
  const trailer = Buffer.alloc(32)
  trailer[6] = 2
  trailer[7] = 1
  trailer.writeUInt32BE(objects.length, 12)
  trailer.writeUInt32BE(offset, 28)
  return Buffer.concat([Buffer.from('bplist00'), ...objects, offsets, trailer])
}

const at = (seconds: number) => 770_000_000_000_000_000n + BigInt(seconds) * 1_000_000_000n

function chatDatabase(): Buffer {
  const path = join(folder, 'made.db')
  const database = new Database(path)
  database.exec(`
    CREATE TABLE handle (ROWID INTEGER PRIMARY KEY, id TEXT);
    CREATE TABLE chat (ROWID INTEGER PRIMARY KEY, guid TEXT, style INTEGER, chat_identifier TEXT, service_name TEXT, room_name TEXT, display_name TEXT);
    CREATE TABLE message (ROWID INTEGER PRIMARY KEY, guid TEXT, text TEXT, attributedBody BLOB, handle_id INTEGER, service TEXT, date INTEGER, date_edited INTEGER, date_retracted INTEGER, is_from_me INTEGER, item_type INTEGER, group_title TEXT, group_action_type INTEGER, other_handle INTEGER, associated_message_guid TEXT, associated_message_type INTEGER, associated_message_emoji TEXT, message_summary_info BLOB, thread_originator_guid TEXT);
    CREATE TABLE attachment (ROWID INTEGER PRIMARY KEY, guid TEXT, filename TEXT, transfer_name TEXT, mime_type TEXT, total_bytes INTEGER, is_sticker INTEGER);
    CREATE TABLE chat_message_join (chat_id INTEGER, message_id INTEGER, PRIMARY KEY (chat_id, message_id));
    CREATE TABLE chat_handle_join (chat_id INTEGER, handle_id INTEGER);
    CREATE TABLE message_attachment_join (message_id INTEGER, attachment_id INTEGER);
    INSERT INTO handle VALUES (1, '+442079460018'), (2, 'bram@harbour.example');
    INSERT INTO chat VALUES (1, 'iMessage;-;+442079460018', 45, '+442079460018', 'iMessage', NULL, NULL),
      (2, 'SMS;-;+442079460018', 45, '+442079460018', 'SMS', NULL, NULL),
      (3, 'iMessage;+;chat1', 43, 'chat1', 'iMessage', 'chat1', 'Family group');
    INSERT INTO chat_handle_join VALUES (1, 1), (2, 1), (3, 1), (3, 2);
    INSERT INTO attachment VALUES (1, 'a1', '~/Library/Messages/Attachments/00/tides.txt', 'tides.txt', 'text/plain', 5, 0), (2, 'a2', '~/Library/Messages/Attachments/01/gone.jpg', 'gone.jpg', 'image/jpeg', 9, 0);
    INSERT INTO message_attachment_join VALUES (2, 1), (2, 2);
  `)
  const add = database.prepare(
    `INSERT INTO message (ROWID, guid, text, attributedBody, handle_id, service, date, is_from_me, item_type, group_title, associated_message_guid, associated_message_type, associated_message_emoji, message_summary_info, thread_originator_guid, date_edited, date_retracted)
     VALUES (@id, @guid, @text, @body, @handle, @service, @date, @me, @item, @title, @target, @type, @emoji, @summary, @reply, @edited, @retracted)`,
  )
  const none = {
    text: null,
    body: null,
    handle: 1,
    service: 'iMessage',
    me: 0,
    item: 0,
    title: null,
    target: null,
    type: 0,
    emoji: null,
    summary: null,
    reply: null,
    edited: 0,
    retracted: 0,
  }
  let id = 0
  const put = (chat: number, guid: string, fields: object) => {
    add.run({ ...none, ...fields, id: ++id, guid, date: 'date' in fields ? fields.date : at(id) })
    if (chat > 0) database.prepare('INSERT INTO chat_message_join VALUES (?, ?)').run(chat, id)
  }
  put(3, 'g1', { body: archive('The ferry leaves at nine') })
  put(3, 'g2', { text: '\ufffc\ufffcTides', me: 1, handle: 0, reply: 'g1' })
  put(3, 'g3', { target: 'p:0/g1', type: 2001, me: 1 })
  put(3, 'g4', { target: 'bp:g1', type: 2006, emoji: '⛴', handle: 2 })
  put(3, 'g5', { target: 'p:0/g2', type: 2000 })
  put(3, 'g6', { target: 'p:0/g2', type: 3000 })
  put(3, 'g7', { target: 'p:0/gone', type: 2000 })
  put(3, 'g8', { item: 2, title: 'Family group', handle: 2 })
  put(1, 'g9', {
    text: 'At ten',
    edited: at(100),
    summary: plist({
      ec: {
        0: [
          { t: archive('At tenn'), d: 770_000_009.5 },
          { t: archive('At ten'), d: 770_000_100 },
        ],
      },
    }),
  })
  put(1, 'g10', { summary: plist({ rp: [0] }), retracted: at(200) })
  put(2, 'g11', { text: 'Old', service: 'SMS', date: 399_988_800 })
  put(0, 'g12', { text: 'of a deleted chat' })
  database.close()
  return readFileSync(path)
}

const FILES = { 'Messages/chat.db': chatDatabase(), 'Messages/Attachments/00/tides.txt': 'seven' }

describe('the database of Messages', () => {
  it('reads texts, tapbacks, edits, replies and files of one chat', async () => {
    const { records } = await readExport(
      imessage,
      Object.entries(FILES).map(([name, content]) => inputOf(name, content, 4096)),
    )
    const messages = records.filter(({ stream }) => stream === 'messages').map(({ data }) => data)
    expect(
      messages.map((each) => [each['id'], each['conversation'], each['author'], each['kind'], each['text']]),
    ).toEqual([
      ['g9', '+442079460018', '+442079460018', 'text', 'At ten'],
      ['g10', '+442079460018', '+442079460018', 'text', null],
      ['g11', '+442079460018', '+442079460018', 'text', 'Old'],
      ['g1', 'Family group', '+442079460018', 'text', 'The ferry leaves at nine'],
      ['g2', 'Family group', 'Me', 'text', 'Tides'],
      ['g8', 'Family group', 'bram@harbour.example', 'system', 'bram@harbour.example named the chat “Family group”'],
    ])
    expect(messages[0]).toMatchObject({
      is_edited: true,
      edits: [{ at: '2025-05-27T00:53:29.500Z', text: 'At tenn' }],
      edited_at: '2025-05-27T00:55:00Z',
    })
    expect(messages[1]!['is_deleted']).toBe(true)
    expect(messages[2]!['sent_at']).toBe('2013-09-04T12:00:00Z')
    expect(messages[3]).toMatchObject({ reactions: ['👍', '⛴'], sent_at: '2025-05-27T00:53:21Z' })
    expect(messages[4]).toMatchObject({ reply_to_id: 'g1', reactions: [] })
    const attached = records.filter(({ stream }) => stream === 'attachments').map(({ data }) => data)
    expect(attached.map((file) => [file['filename'], file['is_missing'], file['extracted_text']])).toEqual([
      ['tides.txt', false, 'seven'],
      ['gone.jpg', true, null],
    ])
    const conversations = records.filter(({ stream }) => stream === 'conversations').map(({ data }) => data)
    expect(conversations.map(({ name, kind }) => [name, kind])).toEqual([
      ['+442079460018', 'direct'],
      ['Family group', 'group'],
    ])
  })

  it('has texts of any length', () => {
    for (const text of ['', 'a', 'ä'.repeat(100), 'long '.repeat(1000)]) expect(bodyText(archive(text))).toBe(text)
    expect(bodyText(archive('a text that is cut').subarray(0, 40))).toBeUndefined()
    expect(bodyText(Buffer.from('nothing'))).toBeUndefined()
  })
})

importerBattery({
  importer: imessage,
  files: FILES,
  inputOf,
  records: { messages: 6, reactions: 2, attachments: 2, conversations: 2, participants: 5 },
  seen: { messages: 7, reactions: 5, attachments: 2 },
  leftOut: [
    ['messages', 'no longer in any chat', 1],
    ['reactions', 'taken back later', 2],
    ['reactions', 'to a message that is not there', 1],
  ],
  fuzzRuns: 60,
})
