import { describe, expect, it } from 'vitest'
import { candidate } from '../../reading/input-head.ts'
import { memoryInput } from '../../reading/memory-input.fixture.ts'
import { repairedText } from '../../reading/repaired-text.ts'
import { importerBattery, readExport } from '../../run/importer-battery.fixture.ts'
import { instagram } from '../instagram/importer.ts'
import { facebook } from './importer.ts'

/** Encodes text as these services do: every byte of UTF-8 as a separate letter. */
const broken = (text: string) => Buffer.from(text, 'utf8').toString('latin1')
const INBOX = 'your_facebook_activity/messages/inbox/zoesturm_123456789'

const FILES = {
  [`${INBOX}/message_1.json`]: JSON.stringify({
    participants: [{ name: broken('Zoë Sturm') }, { name: 'Ida Moor' }],
    messages: [
      {
        sender_name: broken('Zoë Sturm'),
        timestamp_ms: 1748858700000,
        content: broken('Schön! 🛶'),
        reactions: [{ reaction: broken('❤'), actor: 'Ida Moor', timestamp: 1748858800 }],
        is_geoblocked_for_viewer: false,
      },
      {
        sender_name: 'Ida Moor',
        timestamp_ms: 1748858600000,
        photos: [{ uri: `${INBOX}/photos/boat.jpg`, creation_timestamp: 1 }, { uri: `${INBOX}/photos/gone.jpg` }],
      },
      {
        sender_name: 'Ida Moor',
        timestamp_ms: 1748858500000,
        share: { link: 'https://ferry.example/', share_text: broken('Fähre') },
      },
      { sender_name: 'Ida Moor', timestamp_ms: 1748858400000, is_unsent: true },
      { sender_name: 'Ida Moor', timestamp_ms: 1748858300000, content: 'Ida called Zoe.', call_duration: 61 },
      { type: 'Generic' },
    ],
    title: broken('Zoë Sturm'),
    is_still_participant: true,
    thread_path: 'inbox/zoesturm_123456789',
  }),
  [`${INBOX}/message_2.json`]: JSON.stringify({
    participants: [{ name: broken('Zoë Sturm') }, { name: 'Ida Moor' }],
    messages: [
      {
        sender_name: 'Ida Moor',
        timestamp_ms: 1748858200000,
        content: 'Hello',
        sticker: { uri: 'your_facebook_activity/messages/stickers_used/1.png' },
      },
    ],
    title: broken('Zoë Sturm'),
    thread_path: 'inbox/zoesturm_123456789',
  }),
  [`${INBOX}/photos/boat.jpg`]: 'not really a picture',
  'your_facebook_activity/messages/stickers_used/1.png': 'a sticker',
  'your_facebook_activity/messages/Bram_7.json': JSON.stringify({
    participants: ['Bram Tidewell', 'Ida Moor'],
    threadName: 'Bram Tidewell_7',
    messages: [
      {
        isUnsent: false,
        media: [],
        reactions: [],
        senderName: 'Bram Tidewell',
        text: 'Secret 🛶',
        timestamp: 1748858100000,
        type: 'text',
      },
    ],
  }),
}
const inputs = () => Object.entries(FILES).map(([name, content]) => memoryInput(name, content, 500))

describe('messages of Facebook', () => {
  it('are repaired, with files, reactions, calls and unsent ones', async () => {
    const { records, plans } = await readExport(facebook, inputs())
    expect(plans).toHaveLength(1)
    const messages = records.filter(({ stream }) => stream === 'messages').map(({ data }) => data)
    expect(messages.map((each) => [each['conversation'], each['author'], each['kind'], each['text']])).toEqual([
      ['Bram Tidewell_7', 'Bram Tidewell', 'text', 'Secret 🛶'],
      ['Zoë Sturm', 'Zoë Sturm', 'text', 'Schön! 🛶'],
      ['Zoë Sturm', 'Ida Moor', 'media', null],
      ['Zoë Sturm', 'Ida Moor', 'text', 'Fähre'],
      ['Zoë Sturm', 'Ida Moor', 'text', null],
      ['Zoë Sturm', 'Ida Moor', 'call', 'Ida called Zoe.'],
      ['Zoë Sturm', 'Ida Moor', 'text', 'Hello'],
    ])
    expect(messages[1]).toMatchObject({ sent_at: '2025-06-02T10:05:00Z', reactions: ['❤'] })
    expect(messages[3]!['links']).toEqual(['https://ferry.example/'])
    expect(messages[4]!['is_deleted']).toBe(true)
    const files = records.filter(({ stream }) => stream === 'attachments').map(({ data }) => data)
    expect(files.map((file) => [file['filename'], file['kind'], file['is_missing']])).toEqual([
      ['boat.jpg', 'photo', false],
      ['gone.jpg', 'photo', true],
      ['1.png', 'sticker', false],
    ])
    expect(records.find(({ stream }) => stream === 'reactions')!.data).toMatchObject({
      author: 'Ida Moor',
      reacted_at: '2025-06-02T10:06:40Z',
    })
  })

  it('are not those of Instagram', async () => {
    const [name, content] = ['your_instagram_activity/messages/inbox/zoe_1/message_1.json', Object.values(FILES)[0]!]
    expect(await facebook.detect(await candidate(memoryInput(name, content)))).toBeUndefined()
    expect((await instagram.detect(await candidate(memoryInput(name, content))))?.format).toBe('instagram')
    expect(
      (await instagram.detect(await candidate(memoryInput('a.json', '{"messages":[{"from":1}]}'))))?.format,
    ).toBeUndefined()
  })

  it('mends only text that is broken', () => {
    expect(['José', 'JosÃ©', 'naïve', 'plain', 'Ð\u009fÑ\u0080Ð¸Ð²ÐµÑ\u0082', '🛶 Ã©'].map(repairedText)).toEqual([
      'José',
      'José',
      'naïve',
      'plain',
      'Привет',
      '🛶 Ã©',
    ])
  })
})

importerBattery({
  importer: facebook,
  files: FILES,
  records: { messages: 7, reactions: 1, attachments: 3, conversations: 2, participants: 4 },
  seen: { messages: 8, reactions: 1, attachments: 3, is_still_participant: 1 },
  leftOut: [['is_still_participant', 'not a part of chats', 1]],
  problems: 1,
})
