import { createHash } from 'node:crypto'
import { checkDeclaration, compileRecordSchema } from '@pdpp/protocol'
import { describe, expect, it } from 'vitest'
import type { ImportInput } from '../../importer.ts'
import { candidate } from '../../reading/input-head.ts'
import { memoryInput, readAllItems } from '../../reading/memory-input.fixture.ts'
import { importerBattery } from '../../run/importer-battery.fixture.ts'
import { mail } from './importer.ts'

const EML = `From: =?UTF-8?Q?Ana_F=C3=ADsk?= <ana@fisk.example>
To: Mira Tallow <mira@tallow.example>, team: Jon <jon@vale.example>;
Subject: =?ISO-8859-1?Q?Gr=FC=DFe?=
Date: Fri, 07 Feb 2025 19:21:04 +0200 (EET)
Message-ID: <m2@fisk.example>
In-Reply-To: <m1@tallow.example>
References: <m0@tallow.example> <m1@tallow.example>
X-Gmail-Labels: Inbox,=?UTF-8?Q?F=C3=A4llig?=
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=B

--B
Content-Type: text/html; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

<p>Sch=F6ne <b>Gr=FC=DFe</b></p>
--B
Content-Type: text/csv; name="numbers.csv"
Content-Disposition: attachment; filename="numbers.csv"
Content-Transfer-Encoding: base64

YSxiCjEsMgo=
--B--
`

const claimed = (text: string) => ({ format: 'eml', inputs: [memoryInput('a.eml', text)] })

async function read(...inputs: ImportInput[]) {
  const [plan] = await mail.streams({ format: 'eml', inputs }, {}, [])
  return readAllItems(mail, plan!)
}

describe('a mail without an id', () => {
  it('is known by its bytes, so that two files never are one mail', async () => {
    const texts = ['Subject: \n\n', 'Subject:\n\n\n', 'X-A: 1\n\n', 'X-A: 2\n\n', 'X-A: 2\r\n\r\n']
    const { records } = await read(...texts.map((text, at) => memoryInput(`${at}.eml`, text)))
    expect(new Set(records.map(({ key }) => key)).size).toBe(4)
  })

  it('of Apple Mail has its flags', async () => {
    const bytes = Buffer.byteLength(EML)
    const list = '<plist version="1.0"><dict><key>flags</key><integer>8590195729</integer></dict></plist>'
    const [first] = (await read(memoryInput('Messages/12.emlx', `${bytes}\n${EML}${list}`))).records
    expect(first!.data).toMatchObject({ id: 'm2@fisk.example', is_read: true, is_flagged: true })
    expect(first!.data['size_bytes']).toBe(bytes)
  })
})

describe('letters of a mail that names no encoding', () => {
  const latin1 = (text: string) => memoryInput('a.eml', Buffer.from(text, 'latin1'))

  it('are read as in a file', async () => {
    const { records } = await read(latin1('From: Jörg <jorg@vale.example>\nSubject: Grüße\n\nSchönes Frühjahr'))
    expect(records[0]!.data).toMatchObject({ from_name: 'Jörg', subject: 'Grüße', text: 'Schönes Frühjahr' })
  })

  it('are read in the headers, and the text as it says itself', async () => {
    const type = 'Content-Type: text/plain; charset=iso-8859-2\nContent-Transfer-Encoding: 8bit'
    const { records } = await read(latin1(`From: a@vale.example\nSubject: Grüße\n${type}\n\n\xa3\xf3d\xbc`))
    expect(records[0]!.data).toMatchObject({ subject: 'Grüße', text: 'Łódź' })
  })

  it('are no reason to change a file in the mail', async () => {
    const bytes = 'Content-Type: image/png\nContent-Transfer-Encoding: binary\n\n\x89PNG\xff'
    const head = 'From: a@vale.example\nSubject: Grüße\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=B'
    const { records } = await read(latin1(`${head}\n\n--B\n${bytes}\n--B--\n`))
    const sha256 = createHash('sha256').update(Buffer.from('\x89PNG\xff\n', 'latin1')).digest('hex')
    expect([records[0]!.data['subject'], records[1]!.data['sha256']]).toEqual(['Grüße', sha256])
  })
})

describe('a mail', () => {
  it('becomes a message with its attachments', async () => {
    const { records, problems } = await read(memoryInput('Mail/Sent/1.eml', EML))
    expect(problems).toEqual([])
    expect(records[0]!.data).toMatchObject({
      id: 'm2@fisk.example',
      thread_id: 'm0@tallow.example',
      in_reply_to: 'm1@tallow.example',
      subject: 'Grüße',
      from_name: 'Ana Físk',
      from_address: 'ana@fisk.example',
      to: ['Mira Tallow <mira@tallow.example>', 'Jon <jon@vale.example>'],
      sent_at: '2025-02-07T19:21:04+02:00',
      folder: 'Sent',
      labels: ['Inbox', 'Fällig'],
      text: 'Schöne Grüße',
      has_attachments: true,
      attachment_count: 1,
    })
    expect(records[1]).toMatchObject({
      stream: 'attachments',
      key: 'm2@fisk.example/1',
      data: {
        message_id: 'm2@fisk.example',
        filename: 'numbers.csv',
        media_type: 'text/csv',
        size_bytes: 8,
        extracted_text: 'a,b\n1,2',
      },
    })
    const [blob] = records[1]!.blobs!
    const pieces: Uint8Array[] = []
    for await (const piece of blob!.open()) pieces.push(piece)
    const bytes = Buffer.concat(pieces)
    expect(bytes.toString()).toBe('a,b\n1,2\n')
    const { sha256, sizeBytes, mimeType, path } = blob!
    expect([path, sizeBytes, mimeType]).toEqual(['/blob_ref', 8, 'text/csv'])
    expect(records[1]!.data).toMatchObject({
      sha256,
      blob_ref: { blob_id: `blob_${sha256}`, sha256, size_bytes: 8, mime_type: 'text/csv' },
    })
    expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
  })

  it('fits its declaration, whatever is missing from it', async () => {
    const [plan] = await mail.streams(claimed(EML), {}, [])
    expect(checkDeclaration(plan!.declaration)).toHaveProperty('declaration')
    const odd = ['Subject: x\n\n', 'no headers at all', 'From: \nTo: <>\nDate: nonsense\n\nbody', EML, '\n\n\n']
    const { records } = await read(...odd.map((text, at) => memoryInput(`${at}.eml`, text)))
    for (const { stream, data } of records) {
      const { schema } = plan!.declaration.streams.find(({ name }) => name === stream)!
      const check = compileRecordSchema(schema) as (data: unknown) => string | undefined
      expect([data, check(data)]).toEqual([data, undefined])
    }
    expect(records.filter(({ stream }) => stream === 'messages').length).toBeGreaterThanOrEqual(4)
  })

  it('without an id has a key made from its content', async () => {
    const text = 'From: a@b.example\nSubject: Hello\nDate: Fri, 07 Feb 2025 19:21:04 +0200\n\nWords\n'
    const [eml] = (await read(memoryInput('x.eml', text))).records
    const [mbox] = (await read(memoryInput('x.mbox', `From a Tue Mar 04 03:33:20 2003\n${text}\n`))).records
    expect(eml!.key).toMatch(/^sha256-[0-9a-f]{64}$/)
    expect(mbox!.key).toBe(eml!.key)
  })

  it('that lies in two folders is one, and two that claim one id are two', async () => {
    const other = EML.replace('Sch=F6ne', 'Neue')
    const { records } = await read(
      memoryInput('Mail/Inbox/1.eml', EML),
      memoryInput('Mail/Sent/1.eml', EML),
      memoryInput('Mail/Sent/2.eml', other),
      memoryInput('Mail/Sent/3.eml', other),
    )
    const messages = records.filter(({ stream }) => stream === 'messages')
    expect(messages.map(({ data }) => [data['folder'], data['text']])).toEqual([
      ['Inbox', 'Schöne Grüße'],
      ['Sent', 'Neue Grüße'],
    ])
    expect(new Set(records.map(({ key }) => key)).size).toBe(4)
  })

  it('that cannot be read to its end does not cost the others', async () => {
    const broken: ImportInput = {
      name: 'broken.mbox',
      async *open() {
        yield Buffer.from(`From a Tue Mar 04 03:33:20 2003\n${EML}\nFrom a Tue Mar 04 03:33:20 2003\nSubject: cut\n`)
        yield Buffer.from(`\n${'word '.repeat(5000)}`)
        throw new Error('the disk is gone')
      },
    }
    const { records, problems } = await read(broken, memoryInput('b.eml', EML.replace('<m2@', '<m3@')))
    expect(records.filter(({ stream }) => stream === 'messages').map(({ key }) => key)).toEqual([
      'm2@fisk.example',
      'm3@fisk.example',
    ])
    expect(problems.map(({ reason }) => reason)).toEqual(['cannot be read to its end: the disk is gone'])
  })

  it('says what is wrong with it, and is kept', async () => {
    const { records, problems } = await read(
      memoryInput(
        'a.eml',
        EML.replace(/^Date: .*$/m, 'Date: yesterday\nReceived: from x; Sat, 08 Feb 2025 01:02:03 +0000'),
      ),
    )
    expect(records[0]!.data['sent_at']).toBe('2025-02-08T01:02:03+00:00')
    expect(problems).toEqual([
      { place: { input: 'a.eml' }, reason: 'has the date "yesterday", which cannot be read', kept: true },
    ])
  })
})

describe('folders', () => {
  it.each([
    ['Maildir/cur/1.host:2,FS', 'INBOX', true, true],
    ['Maildir/.Sent.2024/cur/1.host:2,', 'Sent/2024', false, false],
    ['Maildir/new/1.host', 'INBOX', false, false],
    ['Takeout/Mail/All mail.mbox', 'All mail', null, null],
    ['Library/Sent.mbox/mbox', 'Sent', null, null],
    ['letter.eml', null, null, null],
  ])('%s', async (name, folder, isRead, isFlagged) => {
    const mbox = name.includes('mbox')
    const input = memoryInput(name, mbox ? `From a Tue Mar 04 03:33:20 2003\n${EML}` : EML)
    const claim = await mail.detect(await candidate(input))
    expect(claim?.format).toBe(mbox ? 'mbox' : name.startsWith('Maildir') ? 'maildir' : 'eml')
    const [first] = (await read(input)).records
    expect(first!.data).toMatchObject({ folder, is_read: isRead, is_flagged: isFlagged })
  })

  it('knows what is no mail', async () => {
    for (const [name, text] of [
      ['notes.txt', 'Dear diary,\ntoday: rain.\n'],
      ['a.csv', 'From,To\na,b\n'],
      ['a.json', '{"From": 1}'],
      [
        'Ida.vcf',
        'BEGIN:VCARD\nVERSION:3.0\nFN:Ida Moor\nEMAIL:ida@example.org\nX-EVOLUTION-FILE-AS:Moor\nEND:VCARD\n',
      ],
      [
        'rain.ics',
        'BEGIN:VCALENDAR\nX-WR-CALNAME:Rain\nX-WR-TIMEZONE:UTC\nX-PUBLISHED-TTL:PT1H\nBEGIN:VEVENT\nEND:VEVENT\n',
      ],
      ['settings', 'Subject: x\nDate: y\nTo: z\nX-A: 1\nX-B: 2\n\nbody\n'],
    ] as const)
      expect(await mail.detect(await candidate(memoryInput(name, text)))).toBeUndefined()
  })

  it('refuses what is meant for tables, and a source that is something else', async () => {
    await expect(mail.streams(claimed(EML), { key: ['id'] }, [])).rejects.toMatchObject({
      refusal: { code: 'fields_are_fixed', data: { overrides: ['key'] } },
    })
    const [plan] = await mail.streams(claimed(EML), {}, [])
    const other = { ...plan!.declaration, source: { kind: 'connector', id: 'https://other.example' } }
    await expect(mail.streams(claimed(EML), {}, [other])).rejects.toThrow('other_kind_of_source')
    const [again] = await mail.streams(claimed(EML), {}, [plan!.declaration])
    expect(again!.match).toBe('same')
  })
})

importerBattery({
  importer: mail,
  files: {
    'Mail/a.eml': EML,
    'Mail/copy of a.eml': EML,
    'Mail/Sent.mbox': 'From a Tue Mar 04 03:33:20 2003\nFrom: Ida <ida@example.org>\nSubject: One\n\nHello.\n',
  },
  records: { messages: 2, attachments: 1 },
  seen: { messages: 3, attachments: 1 },
  leftOut: [['messages', 'copies of a mail that was imported', 1]],
  // A mail ends where its file ends, so a missing end cannot be noticed.
  isOpenEnded: true,
})
