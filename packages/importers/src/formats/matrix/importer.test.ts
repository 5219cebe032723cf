import { describe, expect, it } from 'vitest'
import { candidate } from '../../reading/input-head.ts'
import { memoryInput } from '../../reading/memory-input.fixture.ts'
import { importerBattery, readExport } from '../../run/importer-battery.fixture.ts'
import { matrix } from './importer.ts'

const [IDA, BRAM, ROOM] = ['@ida:harbour.example', '@bram:harbour.example', '!r:harbour.example']
let number = 0
const event = (id: string, sender: string, content: object, more: object = {}) => ({
  type: 'm.room.message',
  room_id: ROOM,
  sender,
  content,
  origin_server_ts: 1748858400000 + 1000 * number++,
  event_id: id,
  unsigned: {},
  ...more,
})

const FILES = {
  'matrix export/export.json': JSON.stringify({
    room_name: 'Family group',
    room_creator: 'Ida Moor',
    topic: 'Ships',
    export_date: 'June 3, 2025',
    exported_by: 'Ida Moor',
    messages: [
      event('$1', IDA, { membership: 'join', displayname: 'Ida Moor' }, { type: 'm.room.member', state_key: IDA }),
      event('$2', BRAM, { msgtype: 'm.text', body: 'The ferry leaves at nien' }),
      event('$3', BRAM, {
        msgtype: 'm.text',
        body: '* The ferry leaves at nine',
        'm.new_content': { msgtype: 'm.text', body: 'The ferry leaves at nine' },
        'm.relates_to': { rel_type: 'm.replace', event_id: '$2' },
      }),
      event(
        '$4',
        IDA,
        { 'm.relates_to': { rel_type: 'm.annotation', event_id: '$2', key: '⛴' } },
        { type: 'm.reaction' },
      ),
      event('$5', IDA, {
        msgtype: 'm.text',
        body: '> <@bram> The ferry\n\nAt ten',
        'm.relates_to': { 'm.in_reply_to': { event_id: '$2' } },
      }),
      event('$6', IDA, {}, { unsigned: { redacted_because: {} } }),
      event('$7', IDA, {
        msgtype: 'm.file',
        body: 'tides.txt',
        url: 'mxc://harbour.example/a',
        info: { mimetype: 'text/plain', size: 5 },
      }),
      event('$8', BRAM, { ciphertext: 'x', algorithm: 'm.megolm.v1.aes-sha2' }, { type: 'm.room.encrypted' }),
      { type: 'm.room.message', content: { body: 'no id' } },
    ],
  }),
  'matrix export/files/tides-2025-06-02.txt': 'seven',
}

describe('a room of Matrix', () => {
  it('has edits, reactions, replies, deletions and files', async () => {
    const { records, plans } = await readExport(
      matrix,
      Object.entries(FILES).map(([name, content]) => memoryInput(name, content)),
    )
    expect(plans[0]!.connection!.name).toBe('Matrix: Family group')
    const messages = records.filter(({ stream }) => stream === 'messages').map(({ data }) => data)
    expect(messages.map((each) => [each['id'], each['author'], each['kind'], each['text']])).toEqual([
      ['$1', 'Ida Moor', 'system', 'Ida Moor: join'],
      ['$2', BRAM, 'text', 'The ferry leaves at nine'],
      ['$5', 'Ida Moor', 'text', 'At ten'],
      ['$6', 'Ida Moor', 'text', null],
      ['$7', 'Ida Moor', 'media', null],
      ['$8', BRAM, 'encrypted', null],
    ])
    expect(messages[1]).toMatchObject({
      sent_at: '2025-06-02T10:00:01Z',
      edited_at: '2025-06-02T10:00:02Z',
      edits: [{ at: '2025-06-02T10:00:01Z', text: 'The ferry leaves at nien' }],
      reactions: ['⛴'],
    })
    expect(messages[2]!['reply_to_id']).toBe('$2')
    expect(messages[3]!['is_deleted']).toBe(true)
    expect(records.find(({ stream }) => stream === 'attachments')!.data).toMatchObject({
      filename: 'tides.txt',
      is_missing: false,
      extracted_text: 'seven',
    })
    expect(records.find(({ data }) => data['is_self'])!.data['name']).toBe('Ida Moor')
  })

  it('is no other list of messages', async () => {
    expect(
      await matrix.detect(await candidate(memoryInput('a.json', '{"room_name":"x","messages":[]}'))),
    ).toBeUndefined()
  })
})

importerBattery({
  importer: matrix,
  files: FILES,
  records: { messages: 6, reactions: 1, attachments: 1, conversations: 1, participants: 2 },
  seen: { messages: 7, reactions: 1, attachments: 1 },
  problems: 1,
  // A message whose change is cut off looks as if it was never changed.
  isOpenEnded: true,
})
