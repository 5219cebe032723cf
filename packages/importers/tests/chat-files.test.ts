// Chats that others collected, with what their authors expect. PDPP_CORPORA names the folder that holds import/.
import { describe, expect, it } from 'vitest'
import { countBy, hasChats, readChats } from './chat-files.ts'

const CHM = 'telegram-chm/backend/resources/test'

describe.skipIf(!hasChats)('Telegram', () => {
  it('import/telegram-chm: 11 exports of 2020 to 2024, 81 messages', async () => {
    const chats = (await readChats([CHM])).filter(({ importer }) => importer === 'telegram')
    expect(chats).toHaveLength(11)
    expect(chats.flatMap(({ problems }) => problems)).toEqual([])
    expect(chats.map(({ unexplained }) => unexplained)).toEqual(chats.map(() => 0))
    expect(chats.reduce((sum, { messages }) => sum + messages.length, 0)).toBe(81)
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

describe.skipIf(!hasChats)('Slack', () => {
  it.each(['tests/testarchive.zip', 'unzipped'])('import/slack-sev/%s: 158 messages, 2 channels, 4 users', async (path) => {
    const chats = await readChats([`slack-sev/${path}`])
    expect(chats.map(({ importer, problems, unexplained }) => [importer, problems, unexplained])).toEqual([['slack', [], 0]])
    const [{ messages, streams }] = chats as [(typeof chats)[0]]
    expect(countBy(messages, 'conversation')).toEqual({ enrique: 102, 'traveling-sailor': 56 })
    const people = new Set(streams['participants']!.filter(({ role }) => role !== 'bot').map((each) => each['person_id']))
    expect([...people].filter((id) => /^U/.test(id) && id !== 'USLACKBOT')).toHaveLength(4)
    const subtypes = countBy(messages.map(({ detail }) => ({ subtype: detail?.subtype })), 'subtype')
    expect(subtypes).toMatchObject({ bot_message: 94, channel_join: 8 })
    expect(messages.filter(({ text }) => text === null)).toEqual([])
    expect(new Set(messages.map(({ id }) => id)).size).toBe(158)
  })
})
