import type { ContactValue } from '../../models/person/record.ts'
import { birthdayOf, type ContactParts, type ContactRow, lined, spaced, valueList } from './row.ts'

/** Outlook names the columns in the user's language. Columns in languages that are not listed keep their names. */
const NAMES = {
  title: 'title|anrede',
  given: 'first name|vorname|prénom',
  middle: 'middle name|weitere vornamen|deuxième prénom',
  family: 'last name|nachname|nom',
  suffix: 'suffix|suffixe',
  nickname: 'nickname|spitzname|surnom',
  company: 'company|firma|société',
  department: 'department|abteilung|service',
  job: 'job title|position|profession',
  birthday: 'birthday|geburtstag|anniversaire',
  categories: 'categories|kategorien|catégories',
  notes: 'notes|notizen',
  web: 'web page|webseite|page web',
}

const EMAILS = [
  'e-mail address|e-mail-adresse|adresse de messagerie',
  'e-mail 2 address|e-mail 2: adresse|adresse de messagerie 2',
  'e-mail 3 address|e-mail 3: adresse|adresse de messagerie 3',
]

const PHONES = {
  mobile: 'mobile phone|mobiltelefon|tél. mobile',
  work: 'business phone|telefon geschäftlich|téléphone (bureau)',
  'work 2': 'business phone 2|telefon geschäftlich 2|téléphone 2 (bureau)',
  home: 'home phone|telefon privat|téléphone (domicile)',
  'home 2': 'home phone 2|telefon privat 2|téléphone 2 (domicile)',
  primary: 'primary phone|haupttelefon|téléphone principal',
  other: 'other phone|weiteres telefon|téléphone (autre)',
  company: 'company main phone|telefon firma|téléphone société',
  assistant: "assistant's phone|telefon assistent|téléphone de l'assistant(e)",
  car: 'car phone|autotelefon|téléphone (voiture)',
  'work fax': 'business fax|fax geschäftlich|télécopie (bureau)',
  'home fax': 'home fax|fax privat|télécopie (domicile)',
  'other fax': 'other fax|weiteres fax|télécopie (autre)',
  pager: 'pager|récepteur de radiomessagerie',
}

const ADDRESSES = {
  work: [
    'business street|straße geschäftlich|rue (bureau)',
    'business street 2|straße geschäftlich 2|rue (bureau) 2',
    'business street 3|straße geschäftlich 3|rue (bureau) 3',
    'business city|ort geschäftlich|ville (bureau)',
    'business state|region geschäftlich|dép/région (bureau)',
    'business postal code|postleitzahl geschäftlich|code postal (bureau)',
    'business country/region|land/region geschäftlich|pays/région (bureau)',
  ],
  home: [
    'home street|straße privat|rue (domicile)',
    'home street 2|straße privat 2|rue (domicile) 2',
    'home street 3|straße privat 3|rue (domicile) 3',
    'home city|ort privat|ville (domicile)',
    'home state|bundesland/kanton privat|dép/région (domicile)',
    'home postal code|postleitzahl privat|code postal (domicile)',
    'home country/region|land/region privat|pays/région (domicile)',
  ],
  other: [
    'other street|weitere straße|rue (autre)',
    'other street 2|weitere straße 2|rue (autre) 2',
    'other street 3|weitere straße 3|rue (autre) 3',
    'other city|weiterer ort|ville (autre)',
    'other state|weiteres/r bundesland/kanton|dép/région (autre)',
    'other postal code|weitere postleitzahl|code postal (autre)',
    'other country/region|weiteres/e land/region|pays/région (autre)',
  ],
}
/** Columns that repeat others or are filled for every contact. */
const IGNORED_COLUMNS =
  /^(?:e-mail \d? ?(?:type|display name)|e-mail-typ|e-mail.*: (?:typ|angezeigter name)|gender|geschlecht|priority|priorität|private|privat|sensitivity|vertraulichkeit|initials|initialen|initiales)$/

export const isOutlook = (columns: ReadonlySet<string>): boolean =>
  [NAMES.given, NAMES.family, EMAILS[0]!].every((names) => names.split('|').some((name) => columns.has(name)))

export function outlookContact(row: ContactRow): ContactParts {
  const take = (names: string) => row.take(...names.split('|'))
  const isGerman = row.left(/^(?:vorname|nachname|e-mail-adresse|firma)$/).length > 0
  const [given, middle, family] = [take(NAMES.given), take(NAMES.middle), take(NAMES.family)]
  const [title, suffix] = [take(NAMES.title), take(NAMES.suffix)]
  const organisation = lined(take(NAMES.company), take(NAMES.department))
  const emails = valueList(...EMAILS.map((names) => labelled(take(names))))
  const phones = Object.entries(PHONES).flatMap(([label, names]) => valueList(labelled(take(names), label)))
  const addresses = Object.entries(ADDRESSES).flatMap(([label, parts]) =>
    valueList(labelled(lined(...parts.map(take)), label)),
  )
  const birthday = take(NAMES.birthday)
  const read = birthdayOf(birthday, isGerman ? 'dmy' : 'mdy')
  const contact = {
    name: spaced(title, given, middle, family, suffix) ?? organisation ?? emails[0]?.value ?? phones[0]?.value,
    givenName: given,
    familyName: family,
    nickname: take(NAMES.nickname),
    organisation,
    jobTitle: take(NAMES.job),
    emails,
    phones,
    addresses,
    urls: valueList(labelled(take(NAMES.web))),
    birthday: read,
    groups: (take(NAMES.categories) ?? '')
      .split(/[;,]/)
      .map((each) => each.trim())
      .filter((each) => each !== ''),
    note: take(NAMES.notes),
  }
  row.drop(...row.left(IGNORED_COLUMNS))
  return {
    ...contact,
    detail: { ...row.detail(), ...(birthday !== undefined && read === undefined ? { birthday_text: birthday } : {}) },
  }
}

const labelled = (value: string | undefined, label?: string): ContactValue | undefined =>
  value === undefined ? undefined : { value, label }
