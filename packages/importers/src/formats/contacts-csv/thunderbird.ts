import { birthdayOf, type ContactParts, type ContactRow, lined, spaced, valueList } from './row.ts'

export const isThunderbird = (columns: ReadonlySet<string>): boolean =>
  columns.has('display name') && columns.has('primary email')

const PHONES = {
  mobile: 'mobile number',
  home: 'home phone',
  work: 'work phone',
  fax: 'fax number',
  pager: 'pager number',
}
const PARTS = ['address', 'address 2', 'city', 'state', 'zipcode', 'country']

export function thunderbirdContact(row: ContactRow): ContactParts {
  const value = (column: string, label?: string) => {
    const found = row.take(column)
    return found === undefined ? undefined : { value: found, label }
  }
  const [given, family, shown] = [row.take('first name'), row.take('last name'), row.take('display name')]
  const emails = valueList(value('primary email'), value('secondary email'))
  const organisation = lined(row.take('organization'), row.take('department'))
  const [year, month, day] = [row.take('birth year'), row.take('birth month'), row.take('birth day')]
  const addresses = ['home', 'work'].map((label) => {
    const found = lined(...PARTS.map((part) => row.take(`${label} ${part}`)))
    return found === undefined ? undefined : { value: found, label }
  })
  const padded = [month, day].map((each) => each?.padStart(2, '0')).join('-')
  return {
    name: shown ?? spaced(given, family) ?? organisation ?? emails[0]?.value,
    givenName: given,
    familyName: family,
    nickname: row.take('nickname'),
    organisation,
    jobTitle: row.take('job title'),
    emails,
    phones: valueList(...Object.entries(PHONES).map(([label, column]) => value(column, label))),
    addresses: valueList(...addresses),
    urls: valueList(value('web page 1', 'work'), value('web page 2', 'home')),
    birthday: month && day ? birthdayOf(year ? `${year}-${padded}` : `--${padded}`, 'mdy') : undefined,
    note: row.take('notes'),
    detail: row.detail(),
  }
}
