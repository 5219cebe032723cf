import type { Contact, ContactValue } from '../../models/person/record.ts'
import { blobOf } from '../../reading/blob.ts'
import { birthdayOf, updatedAt } from './dates.ts'
import type { CardLine } from './lines.ts'
import { bytesOf, listOf, partsOf, textOf } from './value.ts'

/** Types that say nothing, or how a number is used, but not which of a person's numbers it is. */
const IGNORED_TYPES = new Set(['pref', 'internet', 'voice', 'x400', ''])
/** Max. properties without a field of their own that are kept, and max. characters of each. */
const MAX_DETAILS = 60
const MAX_DETAIL_CHARS = 4000
const KNOWN = new Set(
  'ADR BDAY BEGIN CATEGORIES EMAIL END FN KEY LOGO MAILER MEMBER N NICKNAME NOTE ORG PHOTO PRODID PROFILE REV SOUND TEL TITLE UID URL VERSION X-ABLABEL X-ABADR'.split(
    ' ',
  ),
)

/** A contact without its id, and the other contents of the card. */
export interface ReadCard {
  readonly contact: Omit<Contact, 'id'>
  readonly uid: string | undefined
  /** Ids of the members, if the card is a group. */
  readonly members: readonly string[]
  /** Number of logos, sounds and keys, which a contact has no field for. */
  readonly otherFiles: number
}

export function readCard(lines: readonly CardLine[]): ReadCard {
  const all = (name: string) => lines.filter((line) => line.name === name)
  const first = (name: string) => all(name)[0]
  const text = (name: string) =>
    all(name)
      .map(textOf)
      .find((each) => each !== '')
  const labels = new Map(all('X-ABLABEL').map((line) => [line.group, textOf(line).replace(/^_\$!<(.*)>!\$_$/, '$1')]))
  const values = (name: string, of = textOf): ContactValue[] =>
    preferredFirst(all(name))
      .map((line) => ({ value: of(line), label: labelOf(line, labels) }))
      .filter(({ value }) => value !== '')
  const n = first('N')
  const [family, given, middle, prefix, suffix] = n ? partsOf(n).map(spaced) : []
  const organisation =
    first('ORG') &&
    partsOf(first('ORG')!)
      .filter((part) => part !== '')
      .join(', ')
  const emails = values('EMAIL')
  const phones = values('TEL', (line) => textOf(line).replace(/^tel:/i, ''))
  const isGroup = /^group$/i.test(text('KIND') ?? text('X-ADDRESSBOOKSERVER-KIND') ?? '')
  const members = [...all('MEMBER'), ...all('X-ADDRESSBOOKSERVER-MEMBER')].map((line) => plainId(textOf(line)))
  const inName = [prefix, given, middle, family, suffix].filter((part) => part).join(' ')
  const contact = {
    name: text('FN') ?? (inName || organisation || emails[0]?.value || phones[0]?.value),
    givenName: given || undefined,
    familyName: family || undefined,
    nickname: all('NICKNAME').flatMap(listOf).join(', ') || undefined,
    organisation: organisation || undefined,
    jobTitle: text('TITLE'),
    emails,
    phones,
    addresses: values('ADR', addressText),
    urls: values('URL'),
    birthday: birthdayOf(first('BDAY')),
    groups: [...new Set(all('CATEGORIES').flatMap(listOf))],
    note:
      all('NOTE')
        .map(textOf)
        .filter((each) => each !== '')
        .join('\n') || undefined,
    updatedAt: updatedAt(text('REV')),
    photo: photoOf(first('PHOTO')),
    detail: detailOf(lines, isGroup, members),
  }
  const otherFiles = lines.filter((line) => /^(LOGO|SOUND|KEY)$/.test(line.name) && bytesOf(line) !== undefined).length
  const uid = text('UID')
  return { contact, uid: uid === undefined ? undefined : plainId(uid), members: isGroup ? members : [], otherFiles }
}

/** `urn:uuid:…` and the bare id are the same. */
const plainId = (id: string): string => id.replace(/^urn:uuid:/i, '')

const spaced = (part: string): string => part.split(',').join(' ').replace(/\s+/g, ' ').trim()

/** A postal address on one line. Its parts keep the order of the card. */
const addressText = (line: CardLine): string =>
  partsOf(line)
    .map((part) => part.replace(/,?\s*\n\s*/g, ', ').replace(/,$/, ''))
    .filter((part) => part !== '')
    .join(', ')

const preferredFirst = (lines: readonly CardLine[]): CardLine[] =>
  lines.toSorted((a, b) => Number(isPreferred(b)) - Number(isPreferred(a)))

const typesOf = ({ parameters }: CardLine): string[] =>
  (parameters.get('TYPE') ?? []).flatMap((type) => type.toLowerCase().split(','))

const isPreferred = (line: CardLine): boolean =>
  typesOf(line).includes('pref') || line.parameters.get('PREF')?.[0] === '1'

/** The label that a person gave, otherwise a type such as home or work. */
function labelOf(line: CardLine, labels: ReadonlyMap<string | undefined, string>): string | undefined {
  const own = line.group === undefined ? undefined : labels.get(line.group)
  const types = typesOf(line).filter((type) => !IGNORED_TYPES.has(type))
  return own || [...new Set(types)].join(' ') || undefined
}

function photoOf(line: CardLine | undefined) {
  const found = line && bytesOf(line)
  if (!found || found.bytes.length === 0) return
  return blobOf('/photo', found.bytes, found.mediaType ?? typeByBytes(found.bytes))
}

function typeByBytes(bytes: Buffer): string {
  if (bytes[0] === 0x89) return 'image/png'
  return bytes[0] === 0x47 ? 'image/gif' : 'image/jpeg'
}

/** Everything without a field: messengers, relatives, anniversaries, additions of single programs. */
function detailOf(lines: readonly CardLine[], isGroup: boolean, members: readonly string[]) {
  const found = new Map<string, string[]>()
  for (const line of lines.filter(({ name }) => !KNOWN.has(name))) {
    const name = line.name.toLowerCase()
    const text = textOf(line)
      .replace(/^;+$|;+$/, '')
      .slice(0, MAX_DETAIL_CHARS)
    if (text === '' || (!found.has(name) && found.size >= MAX_DETAILS)) continue
    found.set(name, [...(found.get(name) ?? []), text].slice(0, MAX_DETAILS))
  }
  const photo = lines.find((line) => line.name === 'PHOTO' && bytesOf(line) === undefined)
  if (photo) found.set('photo_url', [textOf(photo)])
  const birthday = lines.find(({ name }) => name === 'BDAY')
  if (birthday && birthdayOf(birthday) === undefined) found.set('birthday_text', [textOf(birthday)])
  if (isGroup) found.set('members', members.slice(0, 1000))
  if (found.size === 0) return
  return Object.fromEntries(
    [...found].map(([name, texts]) => [name, texts.length === 1 && name !== 'members' ? texts[0] : texts]),
  )
}
