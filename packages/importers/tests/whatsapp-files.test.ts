// Chats of WhatsApp that others collected, with the results that they expect. They are in `import/` below PDPP_CORPORA.
import { describe, expect, it } from 'vitest'
import { countBy, hasCorpus, readChats } from './corpus.ts'

const LANGUAGES =
  'arabic2 arabic czech deutch english french hindi indonesian italian japanese portugal russian spanish thai ukrainian vietnamese'.split(
    ' ',
  )

describe.skipIf(!hasCorpus)('one chat in 15 languages (import/whatsapp-whatsjson)', () => {
  it.each(LANGUAGES)('on an iPhone in %s: 4 texts, 2 places, 17 others', async (language) => {
    const [chat] = await readChats([`whatsapp-whatsjson/languages/${language}_ios.txt`])
    expect([chat!.importer, chat!.problems, chat!.unexplained]).toEqual(['whatsapp', [], 0])
    const plain = chat!.messages.filter(({ kind, is_deleted: gone }) => kind === 'text' && !gone)
    expect(plain.map(({ text }) => text)).toEqual([
      'Hello World',
      '😊',
      'This message is reply to another',
      'Hello World',
    ])
    expect(countBy(chat!.messages, 'kind')).toEqual({ system: 1, text: 6, media: 14, location: 2 })
    expect(chat!.messages.filter((each) => each['is_deleted'])).toHaveLength(2)
    expect(chat!.messages[0]!['sent_at'].slice(0, 16)).toBe('2022-03-18T14:56')
    const files = countBy(chat!.streams['attachments']!, 'kind')
    expect([files['file'], files['video'], files['sticker'], files['animation']]).toEqual([3, 2, 2, 1])
  })

  it.each(['czech', 'english', 'russian'])(
    'on Android in %s: 15 texts, 2 files, 3 places, 40 others',
    async (language) => {
      const [chat] = await readChats([`whatsapp-whatsjson/languages/${language}_android.txt`])
      expect(chat!.messages).toHaveLength(60)
      expect(chat!.messages.filter(({ kind, is_deleted: gone }) => kind === 'text' && !gone)).toHaveLength(15)
      expect(chat!.streams['attachments']!.map((file) => file['filename']).filter(Boolean)).toEqual([
        'Alex.vcf',
        'TR.vcf',
      ])
      expect(countBy(chat!.messages, 'kind')).toMatchObject({ location: 3, call: 2, system: 1 })
    },
  )

  it('has captions where media is included', async () => {
    for (const language of ['english', 'deutch']) {
      const [chat] = await readChats([`whatsapp-whatsjson/languages/${language}_android_media.txt`])
      const captions = chat!.messages.filter(({ kind }) => kind === 'media').map(({ text }) => text)
      expect(captions).toContain('Image with caption')
    }
    const [chat] = await readChats(['whatsapp-whatsjson/languages/english_ios_media.txt'])
    expect(chat!.messages).toHaveLength(25)
    const names = chat!.streams['attachments']!.map((file) => file['filename']).filter(Boolean)
    expect(names).toHaveLength(13)
  })

  it.each(['Buddhist', 'Gregorian', 'Japanese'])('in the calendar %s', async (calendar) => {
    const [chat] = await readChats([`whatsapp-whatsjson/calendars/${calendar} iOS.txt`])
    expect(chat!.messages[0]!['sent_at']).toBe('2022-03-18T14:56:01Z')
  })

  it('has names that people know, in a zip and in a folder', async () => {
    const chats = await readChats(['whatsapp-whatsjson/android', 'whatsapp-whatsjson/ios'])
    const names = chats.map(({ name }) => name)
    for (const name of ['Group Chat XXX Android', 'Dmitry S EN Android', 'Dmitry S CZ Android', 'Elon Musk (RU)'])
      expect(names).toContain(`WhatsApp: ${name}`)
  })
})

describe.skipIf(!hasCorpus)('chats in five forms of dates (import/chat-miner)', () => {
  const forms = ['[mmddyy]_24hrs', 'ddmmyy_24hrs', 'mmddyy_24hrs', 'mmddyyyy_12hrs', 'yyyymmdd_24hrs']

  it.each(forms)('%s gives the same messages', async (form) => {
    const [chat] = await readChats([`chat-miner/test/whatsapp/test_${form}.txt`])
    const spoken = chat!.messages.filter(({ author }) => author !== null)
    // The authors of the file leave out messages of one character.
    expect(
      spoken
        .filter(({ text }) => text !== '.')
        .map(({ sent_at: at, author, text }) => [at, author, text.replace('\n', ' ')]),
    ).toEqual([
      ['2019-01-01T11:25:00Z', 'John Doe', 'Lorem ipsum dolor sit amet.'],
      ['2019-01-30T20:49:00Z', 'Jahn Doe', 'Lorem ipsum dolor sit amet, consectetur adipiscing elit. Duis libero.'],
      ['2020-06-10T15:55:00Z', 'John-John Doe', 'Lorem ipsum : dolor sit amet.'],
      ['2021-12-10T10:10:00Z', 'John Doe 🤓', 'Lorem ipsum 🤓'],
      ['2021-12-20T12:10:00Z', '🤓', 'Lorem ipsum 🤓'],
      ['2021-12-30T22:01:00Z', 'John Doe', 'Lorem ipsum dolor sit amet, consectetur adipiscing elit. Duis libero.'],
    ])
  })
})

describe.skipIf(!hasCorpus)('chats of other collections', () => {
  it('import/chats-chatpack: 7 messages', async () => {
    const [chat] = await readChats(['chats-chatpack/whatsapp_export.txt'])
    expect([chat!.name, chat!.messages.length]).toEqual(['WhatsApp: Alice, Bob', 7])
  })

  it('import/phone-locket: Android and iPhone', async () => {
    const [android] = await readChats(['phone-locket/whatsapp_android.txt'])
    expect(countBy(android!.messages, 'kind')).toEqual({ text: 5, media: 1, system: 2 })
    expect(android!.messages.filter((each) => each['is_edited']).map(({ text }) => text)).toEqual(['sounds good'])
    const [phone] = await readChats(['phone-locket/whatsapp_ios.txt'])
    expect(phone!.messages).toHaveLength(3)
  })

  it('import/phone-locket: 8 messages in the database of an iPhone', async () => {
    const [chat] = await readChats(['phone-locket/whatsapp_backup/ChatStorage-personal.sqlite'])
    expect([chat!.name, chat!.problems, chat!.unexplained]).toEqual(['WhatsApp on iPhone', [], 0])
    expect(chat!.messages).toHaveLength(8)
    expect(chat!.messages.filter((each) => each['is_deleted']).map(({ text }) => text)).toEqual([null])
    expect(countBy(chat!.messages, 'kind')).toMatchObject({ system: 1, contact: 1, media: 1 })
    expect(chat!.messages[0]).toMatchObject({ author: 'Me', conversation: 'Jamie Rivera', text: 'on my way' })
    expect((await readChats(['phone-locket/whatsapp_backup']))[0]!.messages).toHaveLength(9)
  })

  it('import/telegram-chm: long messages, and two orders of dates', async () => {
    const [chat] = await readChats(['telegram-chm/backend/resources/test/whatsapp-text_2023-10'])
    expect(chat!.name).toBe('WhatsApp: +123 45 6789')
    expect(chat!.messages[2]!['text']).toBe('hello there!\n\nthis is a\nmulti-line message!')
    expect(chat!.messages.every((each) => each['sent_at'].startsWith('2023-06-30'))).toBe(true)
  })
})
