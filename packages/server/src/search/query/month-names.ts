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

export interface NamedMonth {
  readonly month: number
  /** False if the word may mean something else. Then the neighbouring words decide. */
  readonly isSure: boolean
}

/** The month, from 0, that a term names in one of the languages. */
export function monthNamed(term: string): NamedMonth | undefined {
  const month = names.get(term)
  if (month !== undefined) return { month, isSure: !AMBIGUOUS.has(term) }
  const shortMonth = short.get(term)
  return shortMonth === undefined ? undefined : { month: shortMonth, isSure: false }
}
