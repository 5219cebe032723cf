// Chats that others collected, with what their authors expect. PDPP_CORPORA names the folder that holds import/.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { balloonOf, bodyText, readSummary } from '../src/formats/imessage/apple-text.ts'
import { corpusFolder, countBy, hasCorpus, readChats } from './corpus.ts'

const CHM = 'telegram-chm/backend/resources/test'

describe.skipIf(!hasCorpus)('Telegram', () => {
  it('import/telegram-chm: 11 exports of 2020 to 2024, 81 messages', async () => {
    const folders = hasCorpus ? globSync(`${CHM}/telegram_*`, { cwd: corpusFolder }) : []
    expect(folders).toHaveLength(11)
    let messages = 0
    for (const path of folders) {
      const chats = await readChats([path])
      expect([path, chats.map(({ problems, unexplained }) => [problems, unexplained])]).toEqual([path, [[[], 0]]])
      messages += chats[0]!.messages.length
    }
    expect(messages).toBe(81)
    // Together they are exports of one account, which repeat messages.
    const [together, ...others] = (await readChats([CHM])).filter(({ importer }) => importer === 'telegram')
    expect([others.length, together!.seen['messages'], together!.unexplained]).toEqual([0, 81, 0])
    expect(new Set(together!.messages.map(({ id }) => id)).size).toBe(together!.messages.length)
  })

  it('import/telegram-chm: files, forwards, formatted text', async () => {
    const [chat] = await readChats([`${CHM}/telegram_2020-01`], { zone: 'Asia/Tashkent' })
    expect(chat!.name).toBe('Telegram: Aaaaa Aaaaaaaaaaa')
    const first = chat!.messages[0]!
    expect([first['conversation'], first['sent_at']]).toEqual(['ppppppp gggggg', '2016-11-09T00:26:24+05:00'])
    expect(chat!.messages.some((each) => each['forwarded_from'] === 'Uzbek-MDK')).toBe(true)
    expect(chat!.messages.every((each) => !each['edited_at']?.startsWith('1970'))).toBe(true)
    const files = chat!.streams['attachments']!
    expect(files.filter((file) => !file['is_missing']).map((file) => file['filename'])).toContain('group_photo_2.jpg')
    expect(files.find((file) => file['filename'] === 'contact_1.vcard')?.['is_missing']).toBe(false)
  })

  it('import/chat-miner: one chat, and one in a list', async () => {
    for (const name of ['single', 'batch']) {
      const [chat] = await readChats([`chat-miner/test/telegram/test_${name}_export.json`])
      expect(chat!.messages.map(({ sent_at: at, author, text }) => [at, author, text])).toEqual([
        ['2018-12-05T10:39:10Z', 'Author 1', 'Minimal Message'],
        ['2018-12-05T10:49:24Z', 'Author 2', 'Link:https://telegram.org/'],
      ])
    }
  })

  it('import/chats-chatpack: 7 messages, a reply and an edit', async () => {
    const [chat] = await readChats(['chats-chatpack/telegram_export.json'])
    expect([chat!.name, chat!.messages.length]).toEqual(['Telegram: Test Chat', 7])
    expect(countBy(chat!.messages, 'reply_to_id')).toMatchObject({ 'user123456789/4': 1 })
    expect(chat!.messages.at(-1)!['edited_at']).toBe('2024-03-10T09:20:00Z')
  })
})

describe.skipIf(!hasCorpus)('Slack', () => {
  it.each(['tests/testarchive.zip', 'unzipped'])(
    'import/slack-sev/%s: 158 messages, 2 channels, 4 users',
    async (path) => {
      const chats = await readChats([`slack-sev/${path}`])
      expect(chats.map(({ importer, problems, unexplained }) => [importer, problems, unexplained])).toEqual([
        ['slack', [], 0],
      ])
      const [{ messages, streams }] = chats as [(typeof chats)[0]]
      expect(countBy(messages, 'conversation')).toEqual({ enrique: 102, 'traveling-sailor': 56 })
      const people = new Set(
        streams['participants']!.filter(({ role }) => role !== 'bot').map((each) => each['person_id']),
      )
      expect([...people].filter((id) => /^U/.test(id) && id !== 'USLACKBOT')).toHaveLength(4)
      const subtypes = countBy(
        messages.map(({ detail }) => ({ subtype: detail?.subtype })),
        'subtype',
      )
      expect(subtypes).toMatchObject({ bot_message: 94, channel_join: 8 })
      expect(messages.filter(({ text }) => text === null)).toEqual([])
      expect(new Set(messages.map(({ id }) => id)).size).toBe(158)
    },
  )
})

describe.skipIf(!hasCorpus)('Instagram and Facebook', () => {
  it('import/facebook-kawsay: José García, and a message without content', async () => {
    const [chat] = await readChats(['facebook-kawsay'])
    expect([chat!.importer, chat!.problems]).toEqual(['facebook', []])
    expect(chat!.messages.map((each) => [each['author'], each['sent_at']])).toEqual([
      ['José García', '2023-01-02T00:00:00Z'],
      ['Me', '2023-01-02T00:01:00Z'],
      ['José García', '2023-01-02T00:02:00Z'],
    ])
    expect(chat!.messages[0]!['text']).toBe('¡Hola! ¿Cómo estás? 😀')
  })

  it('import/phone-locket: one thread in two files, with a photo', async () => {
    const [chat] = await readChats(['phone-locket/instagram_thread'])
    expect(chat!.importer).toBe('instagram')
    const ordered = chat!.messages.toSorted((a, b) => (a['sent_at'] < b['sent_at'] ? -1 : 1))
    expect(ordered.map(({ text }) => text)).toEqual([
      'hey are we still on for saturday?',
      null,
      'sounds good, see you then',
      expect.stringMatching(/^see you saturday \p{Emoji}/u),
    ])
    expect(ordered[0]!['author']).toBe('Sarah Kovács')
    expect(chat!.streams['conversations']).toHaveLength(1)
    expect(chat!.streams['attachments']).toMatchObject([{ kind: 'photo', is_missing: true }])
  })

  it('import/chats-chatpack and import/chat-miner', async () => {
    const [seven] = await readChats(['chats-chatpack/instagram_export.json'])
    expect([seven!.importer, seven!.messages.length]).toEqual(['instagram', 7])
    const [two] = await readChats(['chat-miner/test/instagram'])
    expect(two!.messages.map(({ sent_at: at, author, text }) => [at, author, text])).toEqual([
      ['2020-01-17T20:49:00Z', 'John Doe', 'Hello Jane!'],
      ['2019-12-24T11:23:00Z', 'Jane Doe', 'Hello John!'],
    ])
  })
})

describe.skipIf(!hasCorpus)('Signal', () => {
  it('import/chat-miner: 2 messages, one of two lines', async () => {
    const [chat] = await readChats(['chat-miner/test/signal'])
    expect([chat!.importer, chat!.problems]).toEqual(['signal', []])
    expect(chat!.messages.map(({ sent_at: at, author, text }) => [at, author, text])).toEqual([
      ['2019-12-24T12:23:00Z', 'Jane Doe', 'Hello John!'],
      ['2020-01-17T21:49:00Z', 'John Doe', 'Hello\nJane!'],
    ])
  })
})

describe.skipIf(!hasCorpus)('iMessage', () => {
  it('import/apple-macos-ts: 15 messages in 3 chats, with their files', async () => {
    const [chat] = await readChats(['apple-macos-ts/chat.db'])
    expect([chat!.importer, chat!.problems, chat!.unexplained]).toEqual(['imessage', [], 0])
    expect(countBy(chat!.messages, 'conversation')).toEqual({
      '+15551234567': 5,
      'alice@example.com': 4,
      'Weekend Plans': 6,
    })
    const byId = new Map(chat!.messages.map((each) => [each['id'], each]))
    expect(byId.get('msg-guid-6')!['text']).toBe('Check out this cool project!')
    expect(byId.get('msg-guid-13')!['reply_to_id']).toBe('msg-guid-10')
    expect(new Set(chat!.messages.map(({ detail }) => detail.service))).toEqual(new Set(['iMessage', 'SMS']))
    expect(chat!.streams['attachments']!.map((file) => file['filename'])).toEqual(['screenshot.png', 'venue.jpg'])
    const people = chat!.streams['participants']!.filter((each) => each['conversation_id'] === 'chat123456789')
    expect(people.filter((each) => !each['is_self'])).toHaveLength(3)
    expect(byId.get('msg-guid-1')!['sent_at']).toBe('2025-06-08T10:00:00Z')
  })

  it('import/phone-locket: 12 rows with a tapback, in both units of time', async () => {
    const [chat] = await readChats(['phone-locket/ios_backup'])
    expect(chat!.messages).toHaveLength(11)
    expect(chat!.streams['reactions']).toMatchObject([{ emoji: '❤️', message_id: 'msg-2-friend-attributedbody' }])
    const byId = new Map(chat!.messages.map((each) => [each['id'], each]))
    expect(byId.get('msg-2-friend-attributedbody')!['text']).toBe('Noter test')
    expect(byId.get('msg-4-legacy-seconds')!['sent_at']).toBe('2013-09-04T12:00:00Z')
    expect(byId.get('msg-11-group-multipart')!['text']).toBe('test 1test 2 test 3')
  })

  it('import/imessage-bodies-reagentx: archived texts and histories of edits', () => {
    const read = (path: string) => readFileSync(join(corpusFolder, 'imessage-bodies-reagentx', path))
    const text = (path: string) => bodyText(read(`streamtyped/${path}`))
    expect(['AttributedBodyTextOnly', 'AttributedBodyTextOnly2', 'Blank', 'URL', 'MultiPart'].map(text)).toEqual([
      'Noter test',
      'Test 3',
      '',
      'https://github.com/ReagentX/Logria',
      '\ufffctest 1\ufffctest 2 \ufffctest 3',
    ])
    expect(text('ExtraData')).toMatch(/^This is parsing/)
    expect(text('WeirdText')).toMatch(/^\u{1d58d}\u{1d58a}/u)
    const edited = readSummary(read('edited_message/Edited.plist'))
    expect(edited.edits.map((each) => each.text)).toEqual(['First message', 'Edit 1', 'Edit 2'])
    expect([edited.lastText, edited.edits[0]!.at]).toEqual(['Edited message', expect.stringMatching(/^2022-11-19T/)])
    expect(readSummary(read('edited_message/Deleted.plist'))).toEqual({
      edits: [],
      lastText: undefined,
      isRetracted: true,
    })
    expect(readSummary(read('edited_message/EditedToLinkAndBack.plist')).edits).toHaveLength(2)
    expect(balloonOf(read('url_message/URL.plist'))).toEqual({
      text: 'Christopher Sardegna',
      link: 'https://chrissardegna.com/',
    })
    expect(balloonOf(read('app_message/Game.plist')).text).toBe('Dots & Boxes')
  })
})

describe.skipIf(!hasCorpus)('Discord', () => {
  it('import/discord-personify: channel general, 2 messages, 1 attachment', async () => {
    const [chat] = await readChats(['discord-personify'])
    expect([chat!.importer, chat!.problems]).toEqual(['discord', []])
    expect(chat!.messages.map(({ id, conversation, text }) => [id, conversation, text])).toEqual([
      ['1001', 'general', 'hello world'],
      ['1002', 'general', 'follow up message'],
    ])
    expect(chat!.streams['attachments']).toMatchObject([{ filename: 'x.png', is_missing: true }])
  })

  it('import/chats-chatpack: 7 messages, a reply and an edit', async () => {
    const [chat] = await readChats(['chats-chatpack/discord_export.json'])
    expect([chat!.name, chat!.messages.length]).toEqual(['Discord: Test Server', 7])
    expect(chat!.messages[4]!['reply_to_id']).toBe('1004')
    expect(chat!.messages[6]!['edited_at']).toBe('2024-03-10T09:20:00+00:00')
  })
})

describe.skipIf(!hasCorpus)('Google Chat', () => {
  it('import/takeout-potluck: 4 and 3 messages, one with only a file', async () => {
    const chats = (await readChats(['takeout-potluck'])).filter(({ importer }) => importer === 'google-chat')
    expect(chats).toHaveLength(1)
    const [{ messages, streams, problems }] = chats as [(typeof chats)[0]]
    expect([countBy(messages, 'conversation'), problems]).toEqual([{ 'John Doe, Jane Smith': 4, 'Tech Team': 3 }, []])
    expect(messages.map((each) => each['sent_at']).toSorted()[0]).toBe('2023-12-31T23:59:00Z')
    expect(streams['attachments']).toMatchObject([{ filename: 'presentation.pdf', is_missing: true }])
  })
})

describe.skipIf(!hasCorpus)('a folder of chats', () => {
  it.each([
    'slack-sev',
    'chat-miner',
    'telegram-chm',
    'whatsapp-whatsjson',
    'chats-chatpack',
    'phone-locket',
    'discord-personify',
    'facebook-kawsay',
    'takeout-potluck',
    'apple-macos-ts',
  ])('import/%s gives every record once, so importing again changes nothing', async (folder) => {
    const chats = await readChats([folder])
    expect(chats.length).toBeGreaterThan(0)
    const records = new Map<string, string>()
    const differing: string[] = []
    for (const { importer, name, streams } of chats)
      for (const [stream, rows] of Object.entries(streams))
        for (const row of rows) {
          const key = [importer, name, stream, row['id']].join(' ')
          const data = JSON.stringify(row)
          if ((records.get(key) ?? data) !== data) differing.push(key)
          records.set(key, data)
        }
    expect(differing).toEqual([])
  })
})
