import { describe, expect, it } from 'vitest'
import { candidate } from '../../reading/input-head.ts'
import { memoryInput } from '../../reading/memory-input.fixture.ts'
import { importerBattery, readExport } from '../../run/importer-battery.fixture.ts'
import { vcard } from './importer.ts'

const card = (...lines: string[]) => ['BEGIN:VCARD', ...lines, 'END:VCARD', ''].join('\r\n')

const NEW = card(
  'VERSION:4.0',
  'UID:urn:uuid:0001',
  'FN:Ida Fisk',
  'N:Fisk;Ida;Maria,Eva;Dr.;',
  'NICKNAME:Idi',
  'ORG:Rope Works;Sales',
  'TITLE:Knot maker',
  'EMAIL;TYPE=work:ida@work.example',
  'EMAIL;TYPE=home;PREF=1:ida@fisk.example',
  'TEL;VALUE=uri;TYPE="cell,voice":tel:+49-30-000001',
  'ADR;TYPE=home:;;1 Hill Road;Springtown;;12345;Norway',
  'item1.URL:https://fisk.example',
  'item1.X-ABLabel:_$!<HomePage>!$_',
  'BDAY:--0415',
  'CATEGORIES:Friends,Choir',
  'NOTE:Likes tea\\, and\\nlong walks',
  'REV:20260102T030405Z',
  'PHOTO:data:image/png;base64,iVBORw==',
  'IMPP:xmpp:ida@fisk.example',
)
const OLD = card(
  'VERSION:2.1',
  'N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:V=C3=A4le;Bo',
  'NOTE;ENCODING=QUOTED-PRINTABLE;CHARSET=ISO-8859-1:Gr=FC=DFe=0D=0A=',
  'von Bo',
  'TEL;HOME;VOICE:030 000002',
  'BDAY:1604-02-29',
  'PHOTO;JPEG;ENCODING=BASE64:',
  ' /9j/4AAQ',
  ' SkZJRg==',
  '',
  'LOGO;PNG;ENCODING=BASE64:iVBORw==',
)
const GROUP = card(
  'VERSION:3.0',
  'UID:g1',
  'FN:Climbers',
  'X-ADDRESSBOOKSERVER-KIND:group',
  'X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:0001',
)

const read = async (...texts: string[]) => {
  const result = await readExport(
    vcard,
    texts.map((text, at) => memoryInput(`${at}.vcf`, text, 512)),
  )
  return { ...result, contacts: result.records.map(({ data }) => data) }
}

describe('a vCard', () => {
  it('of version 4 becomes a contact with all its parts', async () => {
    const { contacts } = await read(NEW + GROUP)
    expect(contacts[0]).toMatchObject({
      id: '0001',
      name: 'Ida Fisk',
      given_name: 'Ida',
      family_name: 'Fisk',
      nickname: 'Idi',
      organisation: 'Rope Works, Sales',
      job_title: 'Knot maker',
      emails: [
        { value: 'ida@fisk.example', label: 'home' },
        { value: 'ida@work.example', label: 'work' },
      ],
      phones: [{ value: '+49-30-000001', label: 'cell' }],
      addresses: [{ value: '1 Hill Road, Springtown, 12345, Norway', label: 'home' }],
      urls: [{ value: 'https://fisk.example', label: 'HomePage' }],
      birthday: '--04-15',
      groups: ['Friends', 'Choir', 'Climbers'],
      note: 'Likes tea, and\nlong walks',
      updated_at: '2026-01-02T03:04:05Z',
      photo: { mime_type: 'image/png', size_bytes: 4 },
      detail: { impp: 'xmpp:ida@fisk.example' },
    })
    expect(contacts[1]).toMatchObject({ name: 'Climbers', detail: { members: ['0001'] } })
  })

  it('of version 2.1 has other encodings and no FN', async () => {
    const { contacts, coverage } = await read(OLD)
    expect(contacts[0]).toMatchObject({
      name: 'Bo Väle',
      note: 'Grüße\nvon Bo',
      phones: [{ value: '030 000002', label: 'home' }],
      birthday: '--02-29',
      photo: { mime_type: 'image/jpeg', size_bytes: 10 },
    })
    expect(coverage.leftOut).toEqual([{ kind: 'files', reason: 'logos, sounds and keys', count: 1 }])
  })

  it('that comes again is imported in its newest version', async () => {
    const newer = NEW.replace('REV:2026', 'REV:2027').replace('Knot maker', 'Retired')
    for (const order of [
      [NEW, newer],
      [newer, NEW],
    ]) {
      const { contacts, coverage } = await read(...order)
      expect(contacts.map(({ job_title: title }) => title)).toEqual(['Retired'])
      expect(coverage.unexplained).toBe(0)
    }
  })

  it('without an id is known by its name', async () => {
    const [before] = (await read(OLD)).contacts
    const [after] = (await read(OLD.replace('000002', '000003'))).contacts
    expect(after!['id']).toBe(before!['id'])
    const twins = await read(OLD + OLD.replace('000002', '000003') + OLD)
    expect(twins.contacts.map(({ id }) => id === before!['id'])).toEqual([true, false])
  })

  it('is recognised by its content', async () => {
    const detect = async (text: string) => vcard.detect(await candidate(memoryInput('x.txt', text)))
    expect((await detect(`\ufeff${OLD}`))?.format).toBe('vcard')
    for (const other of ['BEGIN:VCALENDAR\n', 'VCARD', 'FN:Ida\n']) expect(await detect(other)).toBeUndefined()
  })
})

importerBattery({
  importer: vcard,
  files: { 'contacts.vcf': NEW + OLD, 'groups/g.vcf': GROUP, 'copy.vcf': NEW },
  records: { contacts: 3 },
  seen: { contacts: 4, files: 1 },
  leftOut: [
    ['contacts', 'older or equal copies of a contact', 1],
    ['files', 'logos, sounds and keys', 1],
  ],
})
