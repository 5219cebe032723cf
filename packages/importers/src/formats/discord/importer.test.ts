import { describe, expect, it } from 'vitest'
import { memoryInput } from '../../reading/memory-input.fixture.ts'
import { importerBattery, readExport } from '../../run/importer-battery.fixture.ts'
import { discord } from './importer.ts'

const FILES = {
  'package/Messages/c900000000000000001/messages.json':
    '[{"ID": 1378000000000000001, "Timestamp": "2025-06-02 10:00:00", "Contents": "The ferry leaves at nine", "Attachments": ""},{"ID": 1378000000000000003, "Timestamp": "2025-06-02 10:01:00", "Contents": "", "Attachments": "https://cdn.example/a/boat.png?ex=1 https://cdn.example/a/map.pdf"},{"Timestamp": "2025-06-02 10:02:00", "Contents": "no id", "Attachments": ""}]',
  'package/Messages/c900000000000000001/channel.json':
    '{"id": "900000000000000001", "type": 0, "name": "general", "guild": {"id": "8", "name": "Harbour"}}',
  'package/Messages/c900000000000000002/messages.csv':
    'ID,Timestamp,Contents,Attachments\r\n1378000000000000005,2025-06-02 10:00:00.123000+00:00,"Two lines,\nwith a comma",\r\n',
  'package/Messages/c900000000000000002/channel.json':
    '{"id": "900000000000000002", "type": 1, "recipients": ["1", "2"]}',
  'package/Messages/index.json':
    '{"900000000000000001": "general", "900000000000000002": "Direct Message with bram#0"}',
  'package/Account/user.json':
    '{"id": "1", "username": "ida", "global_name": "Ida Moor", "email": "ida@harbour.example"}',
}

const CHANNEL = {
  guild: { id: '8', name: 'Harbour' },
  channel: { id: '900000000000000001', type: 'GuildTextChat', name: 'general', topic: 'Ships' },
  messages: [
    {
      id: '1378000000000000001',
      type: 'Default',
      timestamp: '2025-06-02T10:00:00.5+00:00',
      timestampEdited: '2025-06-02T10:05:00+00:00',
      isPinned: false,
      content: 'The ferry leaves at nine',
      author: { id: '1', name: 'ida', nickname: 'Ida Moor', isBot: false },
      attachments: [{ id: '5', url: 'general.json_Files/map.txt', fileName: 'map.txt', fileSizeBytes: 3 }],
      embeds: [],
      stickers: [],
      reactions: [{ emoji: { id: '', name: '⛴', code: 'ferry' }, count: 2, users: [{ id: '2', name: 'bram' }] }],
      mentions: [],
    },
    {
      id: '1378000000000000002',
      type: 'Reply',
      timestamp: '2025-06-02T10:01:00+00:00',
      timestampEdited: null,
      content: '',
      author: { id: '3', name: 'tides', isBot: true },
      attachments: [],
      embeds: [{ title: 'High water', url: 'https://tides.example/', description: 'at 7' }],
      reactions: [],
      reference: { messageId: '1378000000000000001', channelId: '9', guildId: '8' },
    },
    {
      id: '1378000000000000003',
      type: 'GuildMemberJoin',
      timestamp: '2025-06-02T10:02:00+00:00',
      content: 'Joined the server.',
      author: { id: '2', name: 'bram' },
    },
  ],
  messageCount: 3,
}

describe('the data package of Discord', () => {
  it('keeps every digit of ids', async () => {
    const { records, plans } = await readExport(
      discord,
      Object.entries(FILES).map(([name, content]) => memoryInput(name, content)),
    )
    expect(plans.map(({ connection }) => connection!.name)).toEqual(['Discord: Ida Moor'])
    const messages = records.filter(({ stream }) => stream === 'messages').map(({ data }) => data)
    expect(
      messages.map((each) => [each['id'], each['conversation'], each['author'], each['text'], each['sent_at']]),
    ).toEqual([
      ['1378000000000000001', 'general (Harbour)', 'Ida Moor', 'The ferry leaves at nine', '2025-06-02T10:00:00Z'],
      ['1378000000000000003', 'general (Harbour)', 'Ida Moor', null, '2025-06-02T10:01:00Z'],
      [
        '1378000000000000005',
        'Direct Message with bram#0',
        'Ida Moor',
        'Two lines,\nwith a comma',
        '2025-06-02T10:00:00.123000+00:00',
      ],
    ])
    const files = records.filter(({ stream }) => stream === 'attachments').map(({ data }) => data['filename'])
    expect(files).toEqual(['boat.png', 'map.pdf'])
  })
})

describe('a channel of DiscordChatExporter', () => {
  it('has everybody, replies, edits, reactions and files', async () => {
    const { records, plans } = await readExport(discord, [
      memoryInput('general.json', JSON.stringify(CHANNEL)),
      memoryInput('general.json_Files/map.txt', 'map'),
    ])
    expect(plans[0]!.connection!.name).toBe('Discord: Harbour')
    const messages = records.filter(({ stream }) => stream === 'messages').map(({ data }) => data)
    expect(messages.map((each) => [each['author'], each['kind'], each['text'], each['reply_to_id']])).toEqual([
      ['Ida Moor', 'text', 'The ferry leaves at nine', null],
      ['tides', 'text', 'High water\nat 7', '1378000000000000001'],
      ['bram', 'system', 'Joined the server.', null],
    ])
    expect(messages[0]).toMatchObject({ is_edited: true, reactions: ['⛴', '⛴'] })
    expect(records.find(({ stream }) => stream === 'attachments')!.data).toMatchObject({
      filename: 'map.txt',
      is_missing: false,
      extracted_text: 'map',
    })
    expect(records.find(({ data }) => data['name'] === 'tides')!.data['role']).toBe('bot')
  })
})

importerBattery({
  importer: discord,
  files: FILES,
  records: { messages: 3, attachments: 2, conversations: 2, participants: 2 },
  seen: { messages: 4, attachments: 2 },
  problems: 1,
})
