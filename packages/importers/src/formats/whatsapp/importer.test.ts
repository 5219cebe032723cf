import { describe, expect, it } from 'vitest'
import { candidate } from '../../reading/input-head.ts'
import { memoryInput } from '../../reading/memory-input.fixture.ts'
import { importerBattery, readExport } from '../../run/importer-battery.fixture.ts'
import { whatsapp } from './importer.ts'
import { readStamp, timeOf } from './stamp.ts'

const LRM = '\u200e'

const ANDROID = `12/06/2025, 09:14 - Messages and calls are end-to-end encrypted. No one outside of this chat can read them. Tap to learn more.
12/06/2025, 09:14 - Ida Moor created group "Harbour: picnic"
12/06/2025, 09:15 - Ida Moor: Who brings the samovar?
12/06/2025, 09:15 - Ida Moor: Who brings the samovar?
13/06/2025, 18:02 - Bram Tidewell: I do.
It is heavy,
so come early.
13/06/2025, 18:03 - Bram Tidewell: IMG-20250613-WA0001.jpg (file attached)
the samovar
13/06/2025, 18:04 - ‪+44 20 7946 0018‬: list.txt (file attached)
14/06/2025, 07:00 - Ida Moor: <Media omitted>
14/06/2025, 07:01 - Ida Moor: This message was deleted
14/06/2025, 07:02 - Bram Tidewell: See you at ten <This message was edited>
14/06/2025, 07:03 - Bram Tidewell: location: https://maps.google.com/?q=51.5021,-0.1273
14/06/2025, 07:04 - Ida Moor: Missed voice call
14/06/2025, 07:05 - Ida Moor: null
`

const texts = async (name: string, content: string) => {
  const { records } = await readExport(whatsapp, [memoryInput(name, content)])
  return records.filter(({ stream }) => stream === 'messages').map(({ data }) => data)
}

describe('what people wrote on an iPhone', () => {
  const said = async (...lines: string[]) =>
    (await texts('_chat.txt', ['[18.03.22, 14:00:00] Ida: Hello', ...lines].join('\n'))).slice(1)

  it('keeps the text of a changed message in a marked line', async () => {
    const [text, caption] = await said(
      `${LRM}[18.03.22, 14:58:01] Ida: See you at ten ${LRM}<This message was edited>`,
      `${LRM}[18.03.22, 14:59:01] Ida: The pier ${LRM}<attached: 00000012-PHOTO-2022.jpg> ${LRM}<This message was edited>`,
    )
    expect(text).toMatchObject({ kind: 'text', text: 'See you at ten', is_edited: true, attachment_count: 0 })
    expect(caption).toMatchObject({ kind: 'media', text: 'The pier', is_edited: true, attachment_count: 1 })
  })

  it('keeps captions of omitted pictures, mentions and polls', async () => {
    const messages = await said(
      `${LRM}[18.03.22, 15:00:01] Ida: At the pier ${LRM}image omitted`,
      `${LRM}[18.03.22, 15:01:01] Ida: hello @${LRM}~Bram and the others`,
      `${LRM}[18.03.22, 15:02:01] Ida: ${LRM}POLL:`,
      'Where to?',
      `${LRM}OPTION: Rome (3 votes)`,
      `${LRM}[18.03.22, 15:03:01] Ida: tides.pdf • ${LRM}3 pages ${LRM}document omitted`,
    )
    expect(messages.map(({ kind, text, attachment_count: files }) => [kind, text, files])).toEqual([
      ['media', 'At the pier', 1],
      ['text', 'hello @~Bram and the others', 0],
      ['poll', 'POLL:\nWhere to?\nOPTION: Rome (3 votes)', 0],
      ['media', null, 1],
    ])
  })

  it('keeps authors with a quoted name or text from right to left', async () => {
    const messages = await said(
      '[18.03.22, 15:04:01] Dana: \u200fשלום',
      '[18.03.22, 15:05:01] Bram "Kettle" Tidewell: I do.',
      `[18.03.22, 15:06:01] Trip: ${LRM}Ida changed the group name to “Trip: 2024”`,
    )
    expect(messages.map(({ author, text }) => [author, text])).toEqual([
      ['Dana', 'שלום'],
      ['Bram "Kettle" Tidewell', 'I do.'],
      [null, 'Ida changed the group name to “Trip: 2024”'],
    ])
  })

  it('takes only whole sentences about deletion for a deletion', async () => {
    const messages = await said(
      '[18.03.22, 15:06:01] Ida: This message',
      `${LRM}[18.03.22, 15:08:01] Ida: ${LRM}This message was deleted by admin Bram.`,
    )
    expect(messages.map(({ is_deleted: gone, text }) => [gone, text])).toEqual([
      [false, 'This message'],
      [true, null],
    ])
  })
})

describe('a chat of WhatsApp', () => {
  it('has people, kinds, captions and files', async () => {
    const { records, plans } = await readExport(
      whatsapp,
      [
        memoryInput('WhatsApp Chat with Harbour picnic.txt', ANDROID),
        memoryInput('IMG-20250613-WA0001.jpg', 'not really a picture'),
        memoryInput('list.txt', 'tea, sugar, lemons'),
        memoryInput('of nobody.txt', 'Dear diary'),
      ],
      { zone: 'Europe/London' },
    )
    expect(plans[0]!.connection!.name).toBe('WhatsApp: Harbour picnic')
    expect(plans[0]!.inputs.map(({ name }) => name)).not.toContain('of nobody.txt')
    expect(plans[0]!.notices).toEqual([{ code: 'local_times', data: { zone: 'Europe/London', isChosen: true } }])
    const messages = records.filter(({ stream }) => stream === 'messages').map(({ data }) => data)
    expect(messages.map(({ kind, author, text }) => [kind, author, text])).toEqual([
      ['system', null, expect.stringContaining('end-to-end')],
      ['system', null, 'Ida Moor created group "Harbour: picnic"'],
      ['text', 'Ida Moor', 'Who brings the samovar?'],
      ['text', 'Ida Moor', 'Who brings the samovar?'],
      ['text', 'Bram Tidewell', 'I do.\nIt is heavy,\nso come early.'],
      ['media', 'Bram Tidewell', 'the samovar'],
      ['media', '+44 20 7946 0018', null],
      ['media', 'Ida Moor', null],
      ['text', 'Ida Moor', null],
      ['text', 'Bram Tidewell', 'See you at ten'],
      ['location', 'Bram Tidewell', expect.stringContaining('maps.google')],
      ['call', 'Ida Moor', 'Missed voice call'],
      ['media', 'Ida Moor', null],
    ])
    expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length)
    expect(messages[4]!['sent_at']).toBe('2025-06-13T18:02:00+01:00')
    expect(messages[8]!['is_deleted']).toBe(true)
    expect(messages[9]!['is_edited']).toBe(true)
    expect(messages[10]!['detail']).toEqual({ place: { latitude: 51.5021, longitude: -0.1273 } })
    const files = records.filter(({ stream }) => stream === 'attachments').map(({ data }) => data)
    expect(files.map((file) => [file['filename'], file['kind'], file['is_missing'], file['extracted_text']])).toEqual([
      ['IMG-20250613-WA0001.jpg', 'photo', false, null],
      ['list.txt', 'file', false, 'tea, sugar, lemons'],
      [null, null, true, null],
    ])
    const people = records.filter(({ stream }) => stream === 'participants').map(({ data }) => data)
    expect(people.map(({ name, handle }) => [name, handle])).toEqual([
      ['Ida Moor', null],
      ['Bram Tidewell', null],
      ['+44 20 7946 0018', '+44 20 7946 0018'],
    ])
  })

  it('gives a longer export the same ids, with media or without', async () => {
    const first = await texts('WhatsApp Chat with Harbour picnic.txt', ANDROID.split('\n').slice(2, 8).join('\n'))
    const other = ANDROID.replace('IMG-20250613-WA0001.jpg (file attached)\nthe samovar', '<Media omitted>')
    const ids = new Set((await texts('WhatsApp Chat with Harbour picnic (1).txt', other)).map(({ id }) => id))
    expect(first.every(({ id }) => ids.has(id))).toBe(true)
  })

  it('is an iPhone', async () => {
    const chat = [
      `[14/06/25, 7:00:01 PM] Harbour: ${LRM}Messages and calls are end-to-end encrypted.`,
      `${LRM}[14/06/25, 7:00:02 PM] ~ Ida Moor: ${LRM}<attached: 00000002-PHOTO-2025-06-14-19-00-02.jpg>`,
      `${LRM}[14/06/25, 7:00:03 PM] Ida Moor: Tide tables.pdf • ${LRM}2 pages ${LRM}document omitted`,
      `${LRM}[14/06/25, 7:00:04 PM] Ida Moor: ${LRM}sticker omitted`,
      `[14/06/25, 7:00:05 PM] Ida Moor: ${LRM}You deleted this message.`,
      `[14/06/25, 7:00:06 PM] Ida Moor: ${LRM}Missed video call`,
      '[14/06/25, 7:00:07 PM] Ida Moor: At 12: lunch',
    ].join('\r\n')
    const { records, plans } = await readExport(whatsapp, [memoryInput('Downloads/_chat.txt', chat)])
    expect(plans[0]!.connection!.name).toBe('WhatsApp: Harbour')
    const messages = records.filter(({ stream }) => stream === 'messages').map(({ data }) => data)
    expect(messages.map(({ kind, author, is_deleted: gone }) => [kind, author, gone])).toEqual([
      ['system', null, false],
      ['media', 'Ida Moor', false],
      ['media', 'Ida Moor', false],
      ['media', 'Ida Moor', false],
      ['text', 'Ida Moor', true],
      ['call', 'Ida Moor', false],
      ['text', 'Ida Moor', false],
    ])
    expect(messages.at(-1)).toMatchObject({ text: 'At 12: lunch', sent_at: '2025-06-14T19:00:07Z' })
    const files = records.filter(({ stream }) => stream === 'attachments').map(({ data }) => data)
    expect(files.map(({ filename, kind }) => [filename, kind])).toEqual([
      ['00000002-PHOTO-2025-06-14-19-00-02.jpg', 'photo'],
      ['Tide tables.pdf', 'file'],
      [null, 'sticker'],
    ])
  })

  it.each([
    ['3/18/22, 14:56 - ', '2022-03-18T14:56:00Z'],
    ['18.03.22 14:56 - ', '2022-03-18T14:56:00Z'],
    ['18-03-2022 14:56 - ', '2022-03-18T14:56:00Z'],
    ['2022/03/18, 14:56 - ', '2022-03-18T14:56:00Z'],
    ['2022. 03. 18. 14:56 - ', '2022-03-18T14:56:00Z'],
    ['2022년 3월 18일 오후 2:56 - ', '2022-03-18T14:56:00Z'],
    ['2022/3/18 下午2:56 - ', '2022-03-18T14:56:00Z'],
    ['18.3.2022 klo 14.56 - ', '2022-03-18T14:56:00Z'],
    ['18/3/22, 2:56 p. m. - ', '2022-03-18T14:56:00Z'],
    ['18/3/22, 12:06\u202fAM - ', '2022-03-18T00:06:00Z'],
    ['[14:56:01, 3/18/22] ', '2022-03-18T14:56:01Z'],
    ['[3/18/22 14.56.01] ', '2022-03-18T14:56:01Z'],
    ['[3/18/2565 BE, 14:56:01] ', '2022-03-18T14:56:01Z'],
    ['[3/18/R4, 14:56:01] ', '2022-03-18T14:56:01Z'],
    ['[١٨\u200f/٣\u200f/٢٠٢٢، ٢:٥٦:٠٠ م] ', '2022-03-18T14:56:00Z'],
    ['[१८/३/२२, २:५६:०० pm] ', '2022-03-18T14:56:00Z'],
  ])('reads the time %s', (written, expected) => {
    const read = readStamp(`${written}Ida: hello`)
    expect(read?.rest).toBe('Ida: hello')
    expect(timeOf(read!.stamp, 'dmy', 'UTC')).toBe(expected)
  })

  it('decides over the whole file which number is the day', async () => {
    const rising = ['1/2/25, 10:00 - Ida: a', '2/1/25, 10:00 - Ida: b', '3/1/25, 10:00 - Ida: c'].join('\n')
    expect((await texts('a.txt', rising)).map((each) => each['sent_at'])).toEqual([
      '2025-01-02T10:00:00Z',
      '2025-02-01T10:00:00Z',
      '2025-03-01T10:00:00Z',
    ])
    const clear = ['1/2/25, 10:00 - Ida: a', '1/2/25, 10:01 - Ida: b', '13/2/25, 10:00 - Ida: c'].join('\n')
    expect((await texts('a.txt', clear))[0]!['sent_at']).toBe('2025-02-01T10:00:00Z')
  })

  it('is no log of a program', async () => {
    for (const text of [
      '2025-01-01 10:00:00 - root: started\n2025-01-01 10:00:01 - root: done\n',
      '[2025-01-01 10:00:00] production.ERROR: no disk\n[2025-01-01 10:00:01] production.ERROR: no disk\n',
      'Dear diary,\n12/06/2025, 09:15 - Ida: hello\n',
      '12/06/2025 - rain: all day\n13/06/2025 - rain: again\n',
      '',
    ])
      expect(await whatsapp.detect(await candidate(memoryInput('a.txt', text)))).toBeUndefined()
  })
})

importerBattery({
  importer: whatsapp,
  files: {
    'WhatsApp Chat with Harbour picnic.txt': ANDROID,
    'IMG-20250613-WA0001.jpg': 'not really a picture',
    'list.txt': 'tea, sugar, lemons',
  },
  records: { messages: 13, attachments: 3, conversations: 1, participants: 3 },
  seen: { messages: 13, attachments: 3 },
  isOpenEnded: true,
})
