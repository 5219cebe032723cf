/** Languages whose names of months and days are recognised. English comes first and wins if a name has two meanings. */
const LOCALES = 'en en-GB de fr es it pt nl sv da nb fi pl cs sk hu ro tr ru uk el ca'.split(' ')

type Kind = 'month' | 'weekday'

const MONTHS = Array.from({ length: 12 }, (_, month) => Date.UTC(2023, month, 15))
/** Seven days that begin with a Sunday. */
const DAYS = Array.from({ length: 7 }, (_, day) => Date.UTC(2023, 0, 1 + day))
const known = new Map<string, ReadonlyMap<string, number>>()

/** 1 to 12. Returns 0 if the word is not a month, or is a different month in another language. */
export const monthNamed = (name: string): number => numberOf('month', name)

export const isDayName = (name: string): boolean => numberOf('weekday', name) > 0

function numberOf(kind: Kind, name: string): number {
  const word = plain(name)
  const english = namesOf(kind, ['en', 'en-GB'])
  const number = english.get(word) ?? beginning(english, word)
  // Collecting the names of the other languages takes time, and most files need none of them.
  return number ?? namesOf(kind, LOCALES).get(word) ?? 0
}

/** `Sept` and `Tues` are short forms of English names. */
function beginning(english: ReadonlyMap<string, number>, word: string): number | undefined {
  if (word.length < 3) return
  for (const [name, number] of english) if (name.startsWith(word)) return number
  return
}

function namesOf(kind: Kind, locales: readonly string[]): ReadonlyMap<string, number> {
  const key = `${kind} ${locales.length}`
  const names = known.get(key) ?? collected(kind, locales)
  known.set(key, names)
  return names
}

function collected(kind: Kind, locales: readonly string[]): ReadonlyMap<string, number> {
  const names = new Map<string, number>()
  const ambiguous = new Set<string>()
  const english = new Set<string>()
  for (const locale of locales)
    for (const [name, number] of localNames(kind, locale)) {
      if (locale.startsWith('en')) english.add(name)
      if ((names.get(name) ?? number) !== number && !english.has(name)) ambiguous.add(name)
      if (!names.has(name)) names.set(name, number)
    }
  for (const name of ambiguous) names.delete(name)
  return names
}

/** The name alone and the name within a date, because many languages inflect a month's name after a day. */
function* localNames(kind: Kind, locale: string): Iterable<[string, number]> {
  for (const style of ['long', 'short'] as const)
    for (const around of [{}, { day: 'numeric', year: 'numeric', month: 'long' }] as const) {
      const format = new Intl.DateTimeFormat(locale, { ...around, [kind]: style, timeZone: 'UTC' })
      for (const [at, time] of (kind === 'month' ? MONTHS : DAYS).entries()) {
        const name = format.formatToParts(time).find(({ type }) => type === kind)?.value
        if (name === undefined || /\d/.test(name)) continue
        yield [plain(name), at + 1]
        yield [withoutMarks(plain(name)), at + 1]
      }
    }
}

const plain = (name: string): string => name.normalize('NFC').toLowerCase().replace(/\.$/, '')
/** Many people and programs omit the accents: `fevrier`, `marz`. */
const withoutMarks = (name: string): string => name.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC')
