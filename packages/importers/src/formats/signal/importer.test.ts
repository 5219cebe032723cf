import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { candidate } from '../../reading/input-head.ts'
import { memoryInput } from '../../reading/memory-input.fixture.ts'
import { importerBattery, readExport } from '../../run/importer-battery.fixture.ts'
import { signal } from './importer.ts'

const [CONTENT, KEY] = ['tide table', Buffer.alloc(64, 7)]
const plaintextHash = hash('sha256', CONTENT, 'buffer')
const stem = hash('sha256', Buffer.concat([plaintextHash, KEY]))
const locatorInfo = { plaintextHash: plaintextHash.toString('base64'), localKey: KEY.toString('base64'), size: 10 }

const BACKUP = [
  { version: 1, backupTimeMs: '1748900000000' },
  { account: { givenName: 'Ida', familyName: 'Moor' } },
  { recipient: { id: '1', self: {} } },
  {
    recipient: {
      id: '2',
      contact: { aci: 'QUNJMg==', e164: '442079460018', systemGivenName: 'Bram', systemFamilyName: 'Tidewell' },
    },
  },
  { recipient: { id: '3', group: { masterKey: 'R1JPVVA=', snapshot: { title: { title: 'Family group' } } } } },
  { chat: { id: '10', recipientId: '3' } },
  { chat: { id: '11', recipientId: '1' } },
  {
    chatItem: {
      chatId: '10',
      authorId: '2',
      dateSent: '1748858400000',
      incoming: {},
      standardMessage: {
        text: { body: 'The ferry leaves at nine' },
        linkPreview: [{ url: 'https://ferry.example/' }],
        reactions: [{ emoji: '⛴', authorId: '1', sentTimestamp: '1748858500000' }],
      },
    },
  },
  {
    chatItem: {
      chatId: '10',
      authorId: '1',
      dateSent: '1748858700000',
      outgoing: {},
      standardMessage: {
        text: { body: 'At ten, I think' },
        quote: { targetSentTimestamp: '1748858400000', authorId: '2', text: { body: 'The ferry' } },
      },
      revisions: [
        { chatId: '10', authorId: '1', dateSent: '1748858600000', standardMessage: { text: { body: 'At tenn' } } },
      ],
    },
  },
  { chatItem: { chatId: '10', authorId: '2', dateSent: '1748858800000', incoming: {}, remoteDeletedMessage: {} } },
  {
    chatItem: {
      chatId: '10',
      authorId: '2',
      dateSent: '1748858900000',
      directionless: {},
      updateMessage: { simpleUpdate: { type: 'IDENTITY_UPDATE' } },
    },
  },
  {
    chatItem: {
      chatId: '11',
      authorId: '1',
      dateSent: '1748859000000',
      outgoing: {},
      standardMessage: {
        attachments: [{ pointer: { contentType: 'text/plain', fileName: 'tides.txt', locatorInfo } }],
      },
    },
  },
  {
    chatItem: {
      chatId: '99',
      authorId: '1',
      dateSent: '1748859000000',
      outgoing: {},
      standardMessage: { text: { body: 'lost' } },
    },
  },
  { stickerPack: { packId: 'x' } },
]
  .map((frame) => JSON.stringify(frame))
  .join('\n')

const FILES = { 'signal-export/main.jsonl': BACKUP, [`signal-export/files/${stem.slice(0, 2)}/${stem}.txt`]: CONTENT }

describe('the export of Signal', () => {
  it('has people, groups, quotes, edits, reactions and files', async () => {
    const { records, plans } = await readExport(
      signal,
      Object.entries(FILES).map(([name, content]) => memoryInput(name, content)),
    )
    expect(plans[0]!.connection!.name).toBe('Signal: Ida Moor')
    const messages = records.filter(({ stream }) => stream === 'messages').map(({ data }) => data)
    expect(messages.map((each) => [each['conversation'], each['author'], each['kind'], each['text']])).toEqual([
      ['Family group', 'Bram Tidewell', 'text', 'The ferry leaves at nine'],
      ['Family group', 'Me', 'text', 'At ten, I think'],
      ['Family group', 'Bram Tidewell', 'text', null],
      ['Family group', null, 'system', 'identity update'],
      ['Note to self', 'Me', 'media', null],
    ])
    expect(messages[1]).toMatchObject({
      id: 'R1JPVVA=/self/1748858600000',
      reply_to_id: messages[0]!['id'],
      sent_at: '2025-06-02T10:03:20Z',
      edited_at: '2025-06-02T10:05:00Z',
      edits: [{ at: '2025-06-02T10:03:20Z', text: 'At tenn' }],
    })
    expect(messages[2]!['is_deleted']).toBe(true)
    expect(records.find(({ stream }) => stream === 'reactions')!.data).toMatchObject({
      emoji: '⛴',
      author: 'Me',
      reacted_at: '2025-06-02T10:01:40Z',
    })
    expect(records.find(({ stream }) => stream === 'attachments')!.data).toMatchObject({
      filename: 'tides.txt',
      is_missing: false,
      extracted_text: 'tide table',
    })
  })
})

describe('a chat that a tool took out of Signal Desktop', () => {
  const text =
    '[2025-06-02, 12:00] Bram: \n> When?\n\nAt nine  \n(- Me: ⛴, Cleo: 👍 -)\n![boat.jpg](./media/my%20boat.jpg)  \n[2025-06-02, 12:01] Me: Fine\nand good\n'
  const json = [
    {
      date: '2025-06-02T12:00:05',
      sender: 'Bram',
      body: 'At nine  ',
      quote: '\n\n> When?\n\n',
      sticker: null,
      reactions: [
        ['Me', '⛴'],
        ['Cleo', '👍'],
      ],
      attachments: [{ name: 'boat.jpg', path: 'media/my%20boat.jpg' }],
    },
    {
      date: '2025-06-02T12:01:00',
      sender: 'Me',
      body: 'Fine\nand good',
      quote: '',
      sticker: '',
      reactions: [],
      attachments: [],
    },
  ]
    .map((each) => JSON.stringify(each))
    .join('\n')

  it.each([
    ['chat.md', text],
    ['data.json', json],
  ])('is the same in %s', async (name, content) => {
    const { records, plans } = await readExport(
      signal,
      [memoryInput(`Family group/${name}`, content), memoryInput('Family group/media/my boat.jpg', 'a boat')],
      { zone: 'Europe/Berlin' },
    )
    expect(plans[0]!.connection!.name).toBe('Signal: Family group')
    const messages = records.filter(({ stream }) => stream === 'messages').map(({ data }) => data)
    expect(
      messages.map((each) => [
        each['author'],
        each['text'],
        String(each['sent_at']).slice(0, 16),
        each['reactions'],
        each['detail'],
      ]),
    ).toEqual([
      ['Bram', 'At nine', '2025-06-02T12:00', ['⛴', '👍'], { quote: 'When?' }],
      ['Me', 'Fine\nand good', '2025-06-02T12:01', [], null],
    ])
    expect(records.find(({ stream }) => stream === 'attachments')!.data).toMatchObject({
      filename: 'boat.jpg',
      is_missing: false,
    })
  })

  it('is data.json if both are there, and no log of a program', async () => {
    const { coverage, plans } = await readExport(signal, [
      memoryInput('F/chat.md', text),
      memoryInput('F/data.json', json),
    ])
    expect(plans).toHaveLength(1)
    expect(coverage.leftOut).toEqual([{ kind: 'file', reason: 'the same chat as data.json', count: 1 }])
    expect(
      await signal.detect(await candidate(memoryInput('app.log', '[2025-06-02 12:00:00] local.INFO: started\n'))),
    ).toBeUndefined()
  })
})

importerBattery({
  importer: signal,
  files: FILES,
  records: { messages: 5, reactions: 1, attachments: 1, conversations: 2, participants: 3 },
  seen: { messages: 6, reactions: 1, attachments: 1, stickerPack: 1 },
  leftOut: [['stickerPack', 'not a part of chats', 1]],
  problems: 1,
})
