import { tokenize } from '../analysis/analyser.ts'

/** The names of the months in the languages of the analyser, as its terms, one line for each month. */
const NAMES = `january januar janvier enero gennaio janeiro januari январь января styczen stycznia ιανουαριου ocak ianuarie leden ledna जनवरी يناير
february februar fevrier febrero febbraio fevereiro februari февраль февраля luty lutego φεβρουαριου subat februarie unor unora फरवरी فبراير
march marz mars marzo marco maart март марта marzec marca μαρτιου mart martie marts brezen brezna मार्च مارس
april avril abril aprile апрель апреля kwiecien kwietnia απριλιου nisan aprilie duben dubna अप्रैल ابريل
may mai mayo maggio maio mei маи мая maj maja μαιου mayis kveten kvetna مايو
june juni juin junio giugno junho июнь июня czerwiec czerwca ιουνιου haziran iunie cerven cervna जून يونيو
july juli juillet julio luglio julho июль июля lipiec lipca ιουλιου temmuz iulie cervenec cervence जुलाई يوليو
august aout agosto augustus август августа sierpien sierpnia αυγουστου agustos augusti srpen srpna अगस्त اغسطس
september septembre septiembre settembre setembro сентябрь сентября wrzesien wrzesnia σεπτεμβριου eylul septembrie zari सितंबर سبتمبر
october oktober octobre octubre ottobre outubro октябрь октября pazdziernik pazdziernika οκτωβριου ekim octombrie rijen rijna अक्टूबर اكتوبر
november novembre noviembre novembro ноябрь ноября listopad listopada νοεμβριου kasim noiembrie listopadu नवंबर نوفمبر
december dezember decembre diciembre dicembre dezembro декабрь декабря grudzien grudnia δεκεμβριου aralik decembrie prosinec prosince दिसंबर ديسمبر`
/** Short forms. Most are also other words, so they count only next to a number or a certain word. */
const SHORT = 'jan feb mar apr jun jul aug sep sept oct okt nov dec dez'
const SHORT_MONTHS = [0, 1, 2, 3, 5, 6, 7, 8, 8, 9, 9, 10, 11, 11]

const names = new Map(NAMES.split('\n').flatMap((line, month) => line.split(' ').map((name) => [name, month] as const)))
const short = new Map(SHORT.split(' ').map((name, at) => [name, SHORT_MONTHS[at]!]))
/** Months that are also other words or names of people. */
const AMBIGUOUS: ReadonlySet<string> = new Set(['may', 'march', 'mai', 'mars', 'april', 'june', 'august', 'augustus'])

interface NamedMonth {
  readonly month: number
  /** False if the word may mean something else. Then the neighbouring words decide. */
  readonly isSure: boolean
}

/** The month, from 0, that a term names in one of the languages. */
function monthNamed(term: string): NamedMonth | undefined {
  const month = names.get(term)
  if (month !== undefined) return { month, isSure: !AMBIGUOUS.has(term) }
  const shortMonth = short.get(term)
  return shortMonth === undefined ? undefined : { month: shortMonth, isSure: false }
}

/** A span of time that a query names, in microseconds, and by how much it raises records of that time, from 0 to 1. */
export interface NamedTime {
  readonly from: number
  /** Exclusive. */
  readonly to: number
  readonly lift: number
}

export interface NamedTimes {
  readonly times: readonly NamedTime[]
  /** The terms that name these times. */
  readonly terms: ReadonlySet<string>
}

const [FIRST_YEAR, LAST_YEAR] = [1970, 2100]
const DAY = 86_400_000
/** A record is often written soon after the month that it is about, so the following month gets this lift. */
const MONTH_AFTER = 0.5
const YEAR = 0.3
const [WEEK_AROUND, REST_OF_MONTH] = [0.6, 0.4]
const BEFORE_A_TIME: ReadonlySet<string> = new Set(
  'in on since until till during of from before after by last next this im am seit bis vom ab en depuis du de le'.split(
    ' ',
  ),
)
const YEAR_TERM = /^(?:19[7-9]\d|20\d\d)$/
const DAY_TERM = /^([12]?\d|3[01])(?:st|nd|rd|th)?$/

/** The months, days and years that a text names. A month without a year is that month in every year. */
export function namedTimes(text: string): NamedTimes {
  const words = tokenize(text).map(({ term }) => term)
  const [terms, times]: [Set<string>, NamedTime[]] = [new Set(), []]
  const years = words.filter((word) => YEAR_TERM.test(word)).map(Number)
  for (const match of text.matchAll(/\b((?:19|20)\d\d)-(\d\d)(?:-(\d\d))?\b/g)) {
    const [, year, month, day] = match
    addMonth(times, Number(month) - 1, [Number(year)], day === undefined ? undefined : Number(day))
    for (const part of [year, month, day]) if (part !== undefined) terms.add(part)
  }
  if (terms.size === 0) addNamedMonths(words, years, times, terms)
  if (times.length === 0)
    for (const year of years) {
      times.push({ from: instant(year, 0, 1), to: instant(year + 1, 0, 1), lift: YEAR })
      terms.add(String(year))
    }
  return { times, terms }
}

function addNamedMonths(words: readonly string[], years: readonly number[], times: NamedTime[], terms: Set<string>) {
  for (const [at, word] of words.entries()) {
    const named = monthNamed(word)
    if (!named) continue
    const beside = [words[at - 1], words[at + 1]].find((other) => other !== undefined && DAY_TERM.test(other))
    const isSure = named.isSure || beside !== undefined || years.length > 0 || BEFORE_A_TIME.has(words[at - 1] ?? '')
    if (!isSure) continue
    addMonth(times, named.month, years, beside === undefined ? undefined : Number.parseInt(beside, 10))
    terms.add(word)
    if (beside !== undefined) terms.add(beside)
    for (const year of years) terms.add(String(year))
  }
}

function addMonth(times: NamedTime[], month: number, named: readonly number[], day: number | undefined): void {
  const years = named.length > 0 ? named : Array.from({ length: LAST_YEAR - FIRST_YEAR }, (_, at) => FIRST_YEAR + at)
  for (const year of years) {
    const [from, to] = [instant(year, month, 1), instant(year, month + 1, 1)]
    times.push({ from, to, lift: day === undefined ? 1 : REST_OF_MONTH })
    if (named.length > 0 && day === undefined)
      times.push({ from: to, to: instant(year, month + 2, 1), lift: MONTH_AFTER })
    if (day === undefined) continue
    const at = instant(year, month, day)
    times.push({ from: at - 7 * DAY * 1000, to: at + 8 * DAY * 1000, lift: WEEK_AROUND })
    times.push({ from: at - DAY * 1000, to: at + 2 * DAY * 1000, lift: 1 })
  }
}

const instant = (year: number, month: number, day: number): number => Date.UTC(year, month, day) * 1000

/** Returns a function from a time to its lift. If spans overlap, the largest lift counts. */
export function liftBy(times: readonly NamedTime[]): (time: number) => number {
  const edges = [...new Set(times.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b)
  const lifts = edges.map((edge) =>
    times.reduce((max, { from, to, lift }) => (edge >= from && edge < to ? Math.max(max, lift) : max), 0),
  )
  return (time) => {
    let [low, high] = [0, edges.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (edges[middle]! <= time) low = middle + 1
      else high = middle
    }
    return low === 0 ? 0 : lifts[low - 1]!
  }
}
