import { describe, expect, it } from 'vitest'
import { readExport } from '../src/run/importer-battery.fixture.ts'
import { corpusFiles, hasCorpus, importerNamed, readCorpus } from './corpus.ts'

const contactsOf = async (importer: string, pattern: string) =>
  (await readCorpus(importer, pattern)).records.map(({ data }) => data)

describe.skipIf(!hasCorpus)('address books of other programs', () => {
  const card = (name: string) => contactsOf('vcard', `vcard-ezvcard/**/${name}.vcf`)

  it('every card of 18 files of six programs (import/vcard-ezvcard)', async () => {
    const files = corpusFiles('vcard-ezvcard/**/*.vcf')
    let cards = 0
    for (const input of files) {
      const read = await readExport(importerNamed('vcard'), [input])
      expect([input.name, read.problems, read.coverage.unexplained]).toEqual([input.name, 0, 0])
      cards += read.records.length
      for (const { data } of read.records) expect(data['name']).not.toBeNull()
    }
    expect([files.length, cards]).toEqual([18, 26])
  })

  it('a card of an iPhone, with labels and a photo', async () => {
    const [contact] = await card('John_Doe_IPHONE')
    expect(contact).toMatchObject({
      name: 'Mr. John Richter James Doe Sr.',
      given_name: 'John',
      family_name: 'Doe',
      nickname: 'Johny',
      organisation: 'IBM, Accounting',
      birthday: '2012-06-06',
      photo: { mime_type: 'image/jpeg' },
    })
    expect((contact!['phones'] as unknown[]).length).toBe(7)
    expect(contact!['phones']).toContainEqual({ value: '905-222-1234', label: 'AssistantPhone' })
    expect(contact!['addresses']).toContainEqual({
      value: 'Silicon Alley 5, New York, New York, 12345, United States of America',
      label: 'home',
    })
  })

  it('cards of Android, quoted-printable', async () => {
    const contacts = await card('John_Doe_ANDROID')
    expect(contacts.map(({ name }) => name)).toContain('Ñ Ñ Ñ Ñ Ñ')
    expect(contacts.filter(({ photo }) => photo !== null)).toHaveLength(1)
  })

  it('a card of Outlook 2003, with lines in its note and a zone in its time', async () => {
    const [contact] = await card('outlook-2003')
    expect(contact).toMatchObject({
      name: 'John Doe III',
      note: 'This is the note field!!\nSecond line\n\nThird line is empty',
      birthday: '1980-03-21',
      updated_at: '2012-10-12T21:05:25Z',
    })
  })

  it.each(['basic_csv_addressbook', 'csv_semicolon'])(
    'contacts of Thunderbird: %s (import/contacts-thunderbird)',
    async (name) => {
      const contacts = await contactsOf('thunderbird-contacts', `contacts-thunderbird/${name}.csv`)
      expect(contacts.map((each) => [each['name'], each['email']])).toEqual([
        ['John Doe', 'john@doe.invalid'],
        ['Jane Doe', 'jane@doe.invalid'],
      ])
    },
  )

  it('cards of version 3 and 4 (import/ical-icaljs)', async () => {
    const contacts = await contactsOf('vcard', 'ical-icaljs/**/*.vcf')
    expect(contacts).toHaveLength(5)
    expect(contacts.find(({ name }) => name === 'J. Doe')).toMatchObject({
      birthday: '--02-03',
      email: 'jqpublic@xyz.example.com',
    })
  })
})

if (!hasCorpus) it.skip('needs PDPP_CORPORA, the folder that holds import/', () => {})
