import { expect, it } from 'vitest'
import { memoryInput } from '../../reading/memory-input.fixture.ts'
import { importerBattery, readExport } from '../../run/importer-battery.fixture.ts'
import { instagram } from './importer.ts'

const THREAD = 'your_instagram_activity/messages/inbox/zoe_1234567'
/** Encodes text as Instagram does: every byte of UTF-8 as a separate letter. */
const broken = (text: string) => Buffer.from(text, 'utf8').toString('latin1')

const FILES = {
  [`${THREAD}/message_1.json`]: JSON.stringify({
    participants: [{ name: broken('Zoë Sturm') }, { name: 'Ida Moor' }],
    messages: [
      {
        sender_name: broken('Zoë Sturm'),
        timestamp_ms: 1748858700000,
        share: { link: 'https://www.instagram.com/p/abc/', share_text: broken('Ein Boot 🛶') },
        reactions: [{ reaction: broken('❤'), actor: 'Ida Moor' }],
      },
      { sender_name: 'Ida Moor', timestamp_ms: 1748858600000, photos: [{ uri: `${THREAD}/photos/boat.jpg` }] },
    ],
    title: broken('Zoë Sturm'),
    thread_path: 'inbox/zoe_1234567',
    magic_words: [],
  }),
  [`${THREAD}/photos/boat.jpg`]: 'not really a picture',
}

it('has shared posts and photos', async () => {
  const inputs = Object.entries(FILES).map(([name, content]) => memoryInput(name, content))
  const { records } = await readExport(instagram, inputs)
  const [shared, photo] = records.filter(({ stream }) => stream === 'messages').map(({ data }) => data)
  expect(shared).toMatchObject({
    author: 'Zoë Sturm',
    text: 'Ein Boot 🛶',
    links: ['https://www.instagram.com/p/abc/'],
    reactions: ['❤'],
  })
  expect(photo).toMatchObject({ kind: 'media', attachment_count: 1 })
})

importerBattery({
  importer: instagram,
  files: FILES,
  records: { messages: 2, reactions: 1, attachments: 1, conversations: 1, participants: 2 },
  seen: { messages: 2, reactions: 1, attachments: 1, magic_words: 1 },
  leftOut: [['magic_words', 'not a part of chats', 1]],
  // The title comes after the messages, so the chat gets another name if the file is truncated.
  isOpenEnded: true,
})
