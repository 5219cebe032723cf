import { describe, expect, it } from 'vitest'
import { candidate } from '../../reading/input-head.ts'
import { memoryInput } from '../../reading/memory-input.fixture.ts'
import { importerBattery, readExport } from '../../run/importer-battery.fixture.ts'
import { telegram } from './importer.ts'

const ACCOUNT = {
  about: 'Here is the data you requested.',
  personal_information: { user_id: 11, first_name: 'Ida', last_name: 'Moor', phone_number: '+44 20 7946 0011' },
  profile_pictures: [{ date: '2024-01-01T10:00:00', photo: 'profile_pictures/1.jpg' }],
  chats: {
    about: 'This page lists all chats.',
    list: [
      {
        name: 'Family group',
        type: 'private_supergroup',
        id: 9007199254740993n,
        messages: [
          {
            id: 1,
            type: 'service',
            date: '2025-06-01T10:00:00',
            date_unixtime: '1748772000',
            actor: 'Ida Moor',
            actor_id: 'user11',
            action: 'invite_members',
            members: ['Bram Tidewell', null],
            text: '',
          },
          {
            id: 2,
            type: 'message',
            date: '2025-06-02T12:00:00',
            date_unixtime: '1748858400',
            edited: '2025-06-02T10:05:00',
            edited_unixtime: '1748858700',
            from: 'Bram Tidewell',
            from_id: 'user22',
            text: [
              'The ferry leaves at ',
              { type: 'bold', text: 'nine' },
              ', see ',
              { type: 'text_link', text: 'here', href: 'https://ferry.example/' },
            ],
            reactions: [
              {
                type: 'emoji',
                count: 3,
                emoji: '👍',
                recent: [{ from: 'Ida Moor', from_id: 'user11', date: '2025-06-02T12:06:00' }],
              },
            ],
          },
          {
            id: 3,
            type: 'message',
            date: '2025-06-02T11:00:00',
            date_unixtime: '1748862000',
            from: null,
            from_id: 'user33',
            forwarded_from: 'Harbour news',
            reply_to_message_id: 2,
            photo: 'chats/chat_1/photos/photo_1.jpg',
            width: 10,
            height: 10,
            text: 'Look',
          },
          {
            id: 4,
            type: 'message',
            date: '2025-06-02T12:00:00',
            date_unixtime: '1748865600',
            from: 'Ida Moor',
            from_id: 'user11',
            file: '(File not included. Change data exporting settings to download.)',
            media_type: 'voice_message',
            mime_type: 'audio/ogg',
            duration_seconds: 4,
            text: '',
          },
          {
            id: 5,
            type: 'message',
            date: '2025-06-03T12:00:00',
            date_unixtime: '1748952000',
            from: 'Ida Moor',
            from_id: 'user11',
            file: 'chats/chat_1/files/timetable.txt',
            text: '',
          },
        ],
      },
      {
        type: 'saved_messages',
        id: 11,
        messages: [
          {
            id: 5,
            type: 'message',
            date: '2025-06-03T12:00:00',
            date_unixtime: '1748952000',
            from: 'Ida Moor',
            from_id: 'user11',
            text: 'Buy rope',
            location_information: { latitude: 1.5, longitude: 2.5 },
          },
        ],
      },
    ],
  },
  left_chats: {
    about: 'Chats that you left.',
    list: [
      {
        name: 'Old club',
        type: 'public_channel',
        id: 77,
        messages: [
          {
            id: 1,
            type: 'service',
            date: '2020-01-01T10:00:00',
            date_unixtime: '1577872800',
            actor: 'Old club',
            actor_id: 'channel77',
            action: 'phone_call',
            text: '',
          },
        ],
      },
    ],
  },
}

const json = (value: unknown) =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? (JSON as any).rawJSON(String(each)) : each))

const FILES = {
  'DataExport/result.json': json(ACCOUNT),
  'DataExport/chats/chat_1/photos/photo_1.jpg': 'not really a picture',
  'DataExport/chats/chat_1/files/timetable.txt': 'nine, ten, eleven',
  'DataExport/profile_pictures/1.jpg': 'a face',
}
const inputs = () => Object.entries(FILES).map(([name, content]) => memoryInput(name, content, 500))

describe('an account of Telegram', () => {
  it('has texts, replies, forwards, edits, reactions, files and notes', async () => {
    const { records, plans } = await readExport(telegram, inputs())
    expect(plans.map(({ connection, zone }) => [connection!.name, zone])).toEqual([['Telegram: Ida Moor', undefined]])
    const messages = records.filter(({ stream }) => stream === 'messages').map(({ data }) => data)
    const family = 'channel9007199254740993'
    expect(messages.slice(0, 5).map((each) => [each['id'], each['kind'], each['author'], each['text']])).toEqual([
      [`${family}/1`, 'system', 'Ida Moor', 'Ida Moor: invite members (Bram Tidewell, Deleted account)'],
      [`${family}/2`, 'text', 'Bram Tidewell', 'The ferry leaves at nine, see here'],
      [`${family}/3`, 'text', 'Deleted account', 'Look'],
      [`${family}/4`, 'media', 'Ida Moor', null],
      [`${family}/5`, 'media', 'Ida Moor', null],
    ])
    expect(messages[1]).toMatchObject({
      sent_at: '2025-06-02T10:00:00Z',
      edited_at: '2025-06-02T10:05:00Z',
      is_edited: true,
      links: ['https://ferry.example/'],
      reactions: ['👍', '👍', '👍'],
    })
    const reacted = records.filter(({ stream }) => stream === 'reactions').map(({ data }) => data)
    expect(reacted.map((each) => [each['author'], each['reacted_at']])).toEqual([
      ['Ida Moor', '2025-06-02T10:06:00Z'],
      [null, '2025-06-02T10:00:00Z'],
      [null, '2025-06-02T10:00:00Z'],
    ])
    expect(messages[2]).toMatchObject({ reply_to_id: `${family}/2`, forwarded_from: 'Harbour news' })
    expect(messages[3]!['detail']).toEqual({ duration_seconds: 4 })
    expect(messages[5]).toMatchObject({ conversation: 'Saved messages', kind: 'location' })
    expect(messages[6]!['kind']).toBe('call')
    const files = records.filter(({ stream }) => stream === 'attachments').map(({ data }) => data)
    expect(files.map((file) => [file['filename'], file['kind'], file['is_missing'], file['extracted_text']])).toEqual([
      ['photo_1.jpg', 'photo', false, null],
      [null, 'voice', true, null],
      ['timetable.txt', 'file', false, 'nine, ten, eleven'],
    ])
    const people = records.filter(({ stream }) => stream === 'participants').map(({ data }) => data)
    expect(people.filter((each) => each['is_self']).map(({ name }) => name)).toEqual(['Ida Moor', 'Ida Moor'])
  })

  it('of the years without zones is read in the zone of the owner', async () => {
    const old = json({
      name: 'Cleo',
      type: 'personal_chat',
      id: 5,
      messages: [
        {
          id: 1,
          type: 'message',
          date: '2019-07-01T10:00:00',
          edited: '1970-01-01T05:00:00',
          from: 'Cleo',
          from_id: 4295967296,
          text: 'hi',
        },
      ],
    })
    const { records, plans } = await readExport(telegram, [memoryInput('result.json', old)], { zone: 'Europe/Berlin' })
    expect(plans[0]!.connection!.name).toBe('Telegram: Cleo')
    expect(records[0]!.data).toMatchObject({
      sent_at: '2019-07-01T10:00:00+02:00',
      is_edited: false,
      author_id: 'user5/user4295967296',
    })
  })

  it('is no other list of messages', async () => {
    const text = '{"messages":[{"sender_name":"Ida","timestamp_ms":1,"type":"Generic"}]}'
    expect(await telegram.detect(await candidate(memoryInput('a.json', text)))).toBeUndefined()
  })
})

importerBattery({
  importer: telegram,
  files: FILES,
  records: { messages: 7, reactions: 3, attachments: 3, conversations: 3, participants: 5 },
  seen: { about: 3, profile_pictures: 1, messages: 7, reactions: 3, attachments: 3 },
  leftOut: [
    ['about', 'not a part of chats', 3],
    ['profile_pictures', 'not a part of chats', 1],
    ['file', 'nothing in the export refers to it', 1],
  ],
})

it('shows polls, contacts and places as text', async () => {
  const about = { type: 'message', date_unixtime: '1748858400', from: 'Ida Moor', from_id: 'user11', text: '' }
  const poll = {
    question: 'Which ferry?',
    answers: [
      { text: 'At nine', voters: 2 },
      { text: 'At ten', voters: 0 },
    ],
  }
  const contact = { first_name: 'Bram', last_name: 'Tidewell', phone_number: '+44 20 7946 0018' }
  const place = {
    place_name: 'The pier',
    address: 'Harbour Road 1',
    location_information: { latitude: 1, longitude: 2 },
  }
  const messages = [{ poll }, { contact_information: contact }, place].map((own, at) => ({
    id: at + 1,
    ...about,
    ...own,
  }))
  const chat = JSON.stringify({ name: 'Bram', type: 'personal_chat', id: 22, messages })
  const { records } = await readExport(telegram, [memoryInput('result.json', chat)])
  const shown = records.filter(({ stream }) => stream === 'messages').map(({ data }) => [data['kind'], data['text']])
  expect(shown).toEqual([
    ['poll', 'Which ferry?\nAt nine\nAt ten'],
    ['contact', 'Bram Tidewell\n+44 20 7946 0018'],
    ['location', 'The pier\nHarbour Road 1'],
  ])
})
