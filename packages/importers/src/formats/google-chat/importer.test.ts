import { describe, expect, it } from 'vitest'
import { candidate } from '../../reading/input-head.ts'
import { memoryInput } from '../../reading/memory-input.fixture.ts'
import { importerBattery, readExport } from '../../run/importer-battery.fixture.ts'
import { googleChat } from './importer.ts'
import { timeOf } from './message.ts'

const IDA = { name: 'Ida Moor', email: 'ida@harbour.example', user_type: 'Human' }
const BRAM = { name: 'Bram Tidewell', email: 'bram@harbour.example', user_type: 'Human' }
const SPACE = 'Takeout/Google Chat/Groups/Space AAAA'
const FIRST = {
  creator: IDA,
  created_date: 'Monday, June 2, 2025 at 10:00:00\u202fAM UTC',
  text: 'The ferry leaves at nine',
  topic_id: 't1',
  message_id: 'AAAA/t1/t1',
  annotations: [
    {
      start_index: 0,
      length: 3,
      url_metadata: {
        title: 'Ferry',
        url: { private_do_not_access_or_else_safe_url_wrapped_value: 'https://ferry.example/' },
      },
    },
  ],
  reactions: [{ emoji: { unicode: '⛴' }, reactor_emails: ['bram@harbour.example', 'cleo@harbour.example'] }],
}

const FILES = {
  [`${SPACE}/messages.json`]: JSON.stringify({
    messages: [
      FIRST,
      FIRST,
      {
        creator: BRAM,
        created_date: 'Monday, June 2, 2025 at 10:01:00\u202fAM UTC',
        updated_date: 'Monday, June 2, 2025 at 10:02:00\u202fAM UTC',
        text: 'At ten',
        topic_id: 't1',
        message_id: 'AAAA/t1/m2',
        quoted_message_metadata: { creator: IDA, text: 'The ferry', message_id: 'AAAA/t1/t1' },
        previous_message_versions: [{ created_date: 'Monday, June 2, 2025 at 10:01:00\u202fAM UTC', text: 'At tenn' }],
      },
      {
        creator: BRAM,
        created_date: 'Sunday, June 1, 2025 at 10:01:00 PM UTC',
        message_state: 'DELETED',
        deletion_metadata: { deletion_type: 'CREATOR' },
        topic_id: 't0',
        message_id: 'AAAA/t0/t0',
      },
      {
        creator: BRAM,
        created_date: 'Sunday, June 1, 2025 at 10:00:00 PM UTC',
        attached_files: [
          { original_name: 'a very long name of tides.txt', export_name: 'File-a very long.txt' },
          { original_name: 'gone.jpg', export_name: 'File-gone.jpg' },
        ],
        topic_id: 't2',
        message_id: 'AAAA/t2/t2',
      },
      {},
    ],
  }),
  [`${SPACE}/group_info.json`]: JSON.stringify({ name: 'Harbour', members: [IDA, BRAM] }),
  [`${SPACE}/File-a very long.txt`]: 'seven',
  'Takeout/Google Chat/Groups/DM BBBB/messages.json': JSON.stringify({
    messages: [
      { creator: BRAM, created_date: 'Monday, June 2, 2025 at 12:00:00 PM UTC', text: 'Psst', message_id: 'BBBB/x/x' },
    ],
  }),
  'Takeout/Google Chat/Groups/DM BBBB/group_info.json': JSON.stringify({ members: [IDA, BRAM] }),
  'Takeout/Google Chat/Users/User 1/user_info.json': JSON.stringify({ user: IDA, membership_info: [] }),
}

describe('Google Chat', () => {
  it('has spaces, threads, quotes, edits, deletions, reactions and files', async () => {
    const { records, plans } = await readExport(
      googleChat,
      Object.entries(FILES).map(([name, content]) => memoryInput(name, content)),
    )
    expect(plans.map(({ connection }) => connection!.name)).toEqual(['Google Chat: ida@harbour.example'])
    const messages = records.filter(({ stream }) => stream === 'messages').map(({ data }) => data)
    expect(messages.map((each) => [each['conversation'], each['author'], each['text'], each['sent_at']])).toEqual([
      ['Harbour', 'Ida Moor', 'The ferry leaves at nine', '2025-06-02T10:00:00Z'],
      ['Harbour', 'Bram Tidewell', 'At ten', '2025-06-02T10:01:00Z'],
      ['Harbour', 'Bram Tidewell', null, '2025-06-01T22:01:00Z'],
      ['Harbour', 'Bram Tidewell', null, '2025-06-01T22:00:00Z'],
      ['Bram Tidewell', 'Bram Tidewell', 'Psst', '2025-06-02T12:00:00Z'],
    ])
    expect(messages[0]!['links']).toEqual(['https://ferry.example/'])
    expect(messages[1]).toMatchObject({
      reply_to_id: 'AAAA/t1/t1',
      thread_id: 'AAAA/t1/t1',
      edited_at: '2025-06-02T10:02:00Z',
      edits: [{ at: '2025-06-02T10:01:00Z', text: 'At tenn' }],
    })
    expect(messages[2]!['is_deleted']).toBe(true)
    const files = records.filter(({ stream }) => stream === 'attachments').map(({ data }) => data)
    expect(files.map((file) => [file['filename'], file['is_missing'], file['extracted_text']])).toEqual([
      ['a very long name of tides.txt', false, 'seven'],
      ['gone.jpg', true, null],
    ])
    const reacted = records.filter(({ stream }) => stream === 'reactions').map(({ data }) => data['author'])
    expect(reacted).toEqual(['Bram Tidewell', 'cleo@harbour.example'])
  })

  it('reads times in other languages, and is no other list of messages', async () => {
    expect(timeOf('Montag, 2. Juni 2025 um 10:00:00 UTC')).toBe('2025-06-02T10:00:00Z')
    expect(
      await googleChat.detect(await candidate(memoryInput('messages.json', '{"messages":[{"text":"x"}]}'))),
    ).toBeUndefined()
  })
})

importerBattery({
  importer: googleChat,
  files: FILES,
  records: { messages: 5, reactions: 2, attachments: 2, conversations: 2, participants: 4 },
  seen: { messages: 7, reactions: 2, attachments: 2 },
  leftOut: [['messages', 'the same message again', 1]],
  problems: 1,
})
