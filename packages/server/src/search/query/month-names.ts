import { tokenize } from '../analysis/analyser.ts'

const LOCALES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'ru', 'pl', 'el', 'tr', 'ro', 'sv', 'da', 'cs', 'hi', 'ar']
/** Short forms, where people write them. Most are words of their own too, so they need a number or a word beside them. */
const SHORT = 'jan feb mar apr jun jul aug sep sept oct okt nov dec dez'
const SHORT_MONTHS = [0, 1, 2, 3, 5, 6, 7, 8, 8, 9, 9, 10, 11, 11]

const names = new Map<string, number>()
for (const locale of LOCALES) {
  for (const options of [{ month: 'long' }, { day: 'numeric', month: 'long' }] as const) {
    const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC', calendar: 'gregory' })
    for (let month = 0; month < 12; month++) {
      const part = format.formatToParts(Date.UTC(2001, month, 5)).find(({ type }) => type === 'month')
      const terms = tokenize(part?.value ?? '')
      // What is also the name of another month elsewhere tells nothing.
      if (terms.length === 1 && terms[0]!.term.length > 2) addName(terms[0]!.term, month)
    }
  }
}

function addName(term: string, month: number): void {
  const known = names.get(term)
  if (known === undefined) names.set(term, month)
  else if (known !== month) names.set(term, -1)
}

const short = new Map(SHORT.split(' ').map((name, at) => [name, SHORT_MONTHS[at]!]))
/** Months that are words or names of people as well. */
const AMBIGUOUS: ReadonlySet<string> = new Set(['may', 'march', 'mai', 'mars', 'april', 'june', 'august', 'augustus'])

export interface NamedMonth {
  readonly month: number
  /** False if the word may mean something else, and only the words beside it tell. */
  readonly isSure: boolean
}

/** The month, from 0, that a term names in one of the languages. */
export function monthNamed(term: string): NamedMonth | undefined {
  const month = names.get(term)
  if (month !== undefined && month >= 0) return { month, isSure: !AMBIGUOUS.has(term) }
  const shortMonth = short.get(term)
  return shortMonth === undefined ? undefined : { month: shortMonth, isSure: false }
}
