import { describe, expect, it } from 'vitest'
import type { Importer } from '../../importer.ts'
import { candidate } from '../../reading/input-head.ts'
import { memoryInput } from '../../reading/memory-input.fixture.ts'
import { importerBattery, readExport } from '../../run/importer-battery.fixture.ts'
import { googleContacts, outlookContacts, thunderbirdContacts } from './importer.ts'

const GOOGLE = `First Name,Middle Name,Last Name,Nickname,File As,Organization Name,Organization Title,Birthday,Notes,Labels,E-mail 1 - Label,E-mail 1 - Value,E-mail 2 - Label,E-mail 2 - Value,Phone 1 - Label,Phone 1 - Value,Address 1 - Label,Address 1 - Formatted,Website 1 - Label,Website 1 - Value,Relation 1 - Label,Relation 1 - Value
Ida,Eva,Fisk,Idi,,Rope Works,Knot maker,--04-15,"Likes tea,
and walks",Choir ::: * myContacts,* Home,ida@fisk.example,Work,ida@work.example ::: idi@work.example,Mobile,+49 30 000001,Home,"1 Hill Road
Springtown, 12345
Norway",Blog,https://fisk.example,Sister,Eva
,,,,,Tea House,,,,,,,,,Work,030 000002,,,,,,
,,,,,Tea House,,,,,,,,,Work,030 000002,,,,,,
`
const GOOGLE_2023 = `Name,Given Name,Family Name,Birthday,Group Membership,E-mail 1 - Type,E-mail 1 - Value,Organization 1 - Name,Address 1 - Type,Address 1 - Street,Address 1 - City
Bo Vale,Bo,Vale,1980-02-29,Friends ::: * myContacts,* Other,bo@vale.example,Boats,Home,2 Sea Road,Harbour
`
const OUTLOOK = `"Title","First Name","Middle Name","Last Name","Suffix","Company","Department","Job Title","Business Street","Business City","Business Country/Region","Business Phone","Mobile Phone","Birthday","Anniversary","Categories","E-mail Address","E-mail Type","E-mail 2 Address","Notes","Priority","Web Page","Hobby"
"Dr.","Mira","","Tallow","","Candles Ltd","Wax","Chemist","3 Wick Lane","Hive","Norway","030 000003","0170 000004","2/3/1975","0/0/00","Friends;Work","mira@tallow.example","SMTP","","Line one
Line two","Normal","https://tallow.example","Bees"
`
const GERMAN = `"Anrede";"Vorname";"Nachname";"Firma";"Telefon privat";"E-Mail-Adresse";"Geburtstag";"Ort privat"
"Frau";"Änne";"Fuchs";"Bäckerei";"030 5";"aenne@fuchs.example";"3.2.1975";"Köln"
`
const THUNDERBIRD = `First Name,Last Name,Display Name,Nickname,Primary Email,Secondary Email,Work Phone,Home Address,Home City,Birth Year,Birth Month,Birth Day,Custom 1,Notes
Jon,Vale,Jon V.,,jon@vale.example,j@vale.example,030 6,4 Oak Road,Forest,1990,7,1,left-handed,Met at sea
`

const read = async (importer: Importer, text: string | Uint8Array) =>
  (await readExport(importer, [memoryInput('people.csv', text, 256)])).records.map(({ data }) => data)

describe('contacts in a table', () => {
  it('of Google, as written since 2024', async () => {
    const [ida, shop] = await read(googleContacts, GOOGLE)
    expect(ida).toMatchObject({
      name: 'Ida Eva Fisk',
      given_name: 'Ida',
      organisation: 'Rope Works',
      job_title: 'Knot maker',
      birthday: '--04-15',
      note: 'Likes tea,\nand walks',
      groups: ['Choir'],
      emails: [
        { value: 'ida@fisk.example', label: 'home' },
        { value: 'ida@work.example', label: 'work' },
        { value: 'idi@work.example', label: 'work' },
      ],
      phones: [{ value: '+49 30 000001', label: 'mobile' }],
      addresses: [{ value: '1 Hill Road, Springtown, 12345, Norway', label: 'home' }],
      urls: [{ value: 'https://fisk.example', label: 'blog' }],
      detail: { 'Relation 1 - Label': 'Sister', 'Relation 1 - Value': 'Eva' },
    })
    expect(shop).toMatchObject({ name: 'Tea House', phone: '030 000002', detail: null })
  })

  it('of Google, as written before', async () => {
    expect(await read(googleContacts, GOOGLE_2023)).toMatchObject([
      {
        name: 'Bo Vale',
        birthday: '1980-02-29',
        groups: ['Friends'],
        email: 'bo@vale.example',
        organisation: 'Boats',
        addresses: [{ value: '2 Sea Road, Harbour', label: 'home' }],
      },
    ])
  })

  it('of Outlook, in English and German, UTF-8 or not', async () => {
    expect(await read(outlookContacts, OUTLOOK)).toMatchObject([
      {
        name: 'Dr. Mira Tallow',
        organisation: 'Candles Ltd, Wax',
        birthday: '1975-02-03',
        groups: ['Friends', 'Work'],
        phones: [
          { value: '0170 000004', label: 'mobile' },
          { value: '030 000003', label: 'work' },
        ],
        addresses: [{ value: '3 Wick Lane, Hive, Norway', label: 'work' }],
        note: 'Line one\nLine two',
        detail: { Hobby: 'Bees' },
      },
    ])
    for (const text of [GERMAN, Buffer.from(GERMAN, 'latin1')])
      expect(await read(outlookContacts, text)).toMatchObject([
        {
          name: 'Frau Änne Fuchs',
          birthday: '1975-02-03',
          phone: '030 5',
          addresses: [{ value: 'Köln', label: 'home' }],
        },
      ])
  })

  it('of Thunderbird', async () => {
    expect(await read(thunderbirdContacts, THUNDERBIRD)).toMatchObject([
      { name: 'Jon V.', birthday: '1990-07-01', email: 'jon@vale.example', detail: { 'Custom 1': 'left-handed' } },
    ])
  })

  it('goes to one importer, and other tables to none', async () => {
    const all = [googleContacts, thunderbirdContacts, outlookContacts]
    const claims = async (text: string) => {
      const file = await candidate(memoryInput('a.csv', text))
      const found = await Promise.all(all.map(async (importer) => ((await importer.detect(file)) ? importer.id : '')))
      return found.join('')
    }
    expect(await claims(GOOGLE)).toBe('google-contacts')
    expect(await claims(OUTLOOK)).toBe('outlook-contacts')
    expect(await claims(GERMAN)).toBe('outlook-contacts')
    expect(await claims(THUNDERBIRD)).toBe('thunderbird-contacts')
    for (const other of ['First Name,Last Name,Email Address,Company,Connected On\n', 'a,b,c\n1,2,3\n', 'First Name'])
      expect(await claims(other)).toBe('')
  })
})

// A row ends where its line ends, so a truncated last row looks like a short row.
const cut = { isOpenEnded: true }
importerBattery({
  importer: googleContacts,
  files: { 'google.csv': GOOGLE },
  records: { contacts: 2 },
  seen: { contacts: 3 },
  leftOut: [['contacts', 'repeated rows', 1]],
  ...cut,
})
importerBattery({
  importer: outlookContacts,
  files: { 'o.csv': OUTLOOK },
  records: { contacts: 1 },
  seen: { contacts: 1 },
  ...cut,
})
importerBattery({
  importer: thunderbirdContacts,
  files: { 't.csv': THUNDERBIRD },
  records: { contacts: 1 },
  seen: { contacts: 1 },
  ...cut,
})
