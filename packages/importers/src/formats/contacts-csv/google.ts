import type { ContactValue } from '../../models/person/record.ts'
import { birthdayOf, type ContactParts, type ContactRow, lined, spaced } from './row.ts'

/** Separates several values in one cell. */
const VALUE_SEPARATOR = / ::: /

/** Google numbers its columns: `E-mail 1 - Value`. In 2024 it renamed many of them. */
export const isGoogle = (columns: ReadonlySet<string>): boolean =>
  (columns.has('given name') || columns.has('first name')) &&
  ([...columns].some((column) => /^(?:e-mail|phone|address|website|organization) 1 - /.test(column)) ||
    (columns.has('labels') && columns.has('file as')) ||
    (columns.has('group membership') && columns.has('name prefix')))

export function googleContact(row: ContactRow): ContactParts {
  const [given, middle, family] = [
    row.take('given name', 'first name'),
    row.take('additional name', 'middle name'),
    row.take('family name', 'last name'),
  ]
  const [prefix, suffix] = [row.take('name prefix'), row.take('name suffix')]
  const organisation = lined(
    row.take('organization 1 - name', 'organization name'),
    row.take('organization 1 - department', 'organization department'),
  )
  const written = row.take('name', 'file as')
  const [emails, phones, urls] = [numbered(row, 'e-mail'), numbered(row, 'phone'), numbered(row, 'website')]
  const birthday = row.take('birthday')
  const read = birthdayOf(birthday, 'mdy')
  return {
    name:
      spaced(prefix, given, middle, family, suffix) ?? written ?? organisation ?? emails[0]?.value ?? phones[0]?.value,
    givenName: given,
    familyName: family,
    nickname: row.take('nickname', 'short name'),
    organisation,
    jobTitle: row.take('organization 1 - title', 'organization title'),
    emails,
    phones,
    addresses: addresses(row),
    urls,
    birthday: read,
    groups: (row.take('labels', 'group membership') ?? '')
      .split(VALUE_SEPARATOR)
      // A star marks the groups that every account has.
      .map((group) => group.replace(/^\* /, '').trim())
      .filter((group) => group !== '' && group !== 'myContacts'),
    note: row.take('notes'),
    detail: { ...row.detail(), ...(birthday !== undefined && read === undefined ? { birthday_text: birthday } : {}) },
  }
}

/** Returns `E-mail 1 - Value` with its `E-mail 1 - Label`, and so on. A cell may contain several values. */
function numbered(row: ContactRow, what: string): ContactValue[] {
  return row.left(new RegExp(`^${what} \\d+ - value$`)).flatMap((column) => {
    const before = column.replace(/ - value$/, '')
    const label = labelOf(row.take(`${before} - label`, `${before} - type`))
    return (row.take(column) ?? '').split(VALUE_SEPARATOR).map((value) => ({ value: value.trim(), label }))
  })
}

/** A star marks the preferred value. */
const labelOf = (text: string | undefined): string | undefined => text?.replace(/^\* ?/, '').toLowerCase() || undefined

const PARTS = 'street|extended address|po box|city|region|postal code|country'

function addresses(row: ContactRow): ContactValue[] {
  const numbers = new Set(row.left(/^address \d+ - /).map((column) => /^address \d+/.exec(column)![0]))
  return [...numbers].flatMap((before) => {
    const label = labelOf(row.take(`${before} - label`, `${before} - type`))
    const formatted = row.take(`${before} - formatted`)
    const parts = PARTS.split('|').map((part) => row.take(`${before} - ${part}`))
    const whole = formatted?.split(VALUE_SEPARATOR).map((each) => lined(each)!) ?? [lined(...parts)]
    return whole.flatMap((value) => (value === undefined ? [] : [{ value, label }]))
  })
}
