/** Languages in which phones write times with AM and PM or with parts of the day. */
const LOCALES =
  'en en-GB en-AU ar fa he hi bn mr gu ta te kn ml pa ur ne th ja ko zh zh-TW zh-HK vi id ms fil es es-MX es-CO pt de fr it nl el tr ru uk bg sq sw af am my km lo si ka hy az kk uz sv da nb fi pl cs sk hu ro hr sr'.split(
    ' ',
  )

let words: Map<string, Set<number>> | undefined

/**
 * The hour from 0 to 23, from an hour and the words around it: `2` and `下午` are 14. Undefined if there is no such hour.
 */
export function hourOf(hour: number, around: readonly string[]): number | undefined {
  const named = around.map(plain).find((word) => word !== '')
  if (hour > 24) return
  if (named === undefined || hour > 12 || hour === 0) return hour % 24
  words ??= collected()
  const hours = words.get(named)
  if (hours === undefined) return hour
  return [...hours].find((each) => each % 12 === hour % 12) ?? hour
}

/** `a. m.`, `A.M.` and `am` are one word. */
const plain = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{M}]/gu, '')

/** The words for every hour in every language. They come from the same library that phones use. */
function collected(): Map<string, Set<number>> {
  const found = new Map<string, Set<number>>()
  for (const locale of LOCALES)
    for (const options of [{ hour12: true }, { hour12: true, dayPeriod: 'short' }] as const) {
      const format = new Intl.DateTimeFormat(locale, { hour: 'numeric', timeZone: 'UTC', ...options })
      for (let hour = 0; hour < 24; hour++) {
        const parts = format.formatToParts(Date.UTC(2024, 0, 1, hour))
        const word = plain(parts.find(({ type }) => type === 'dayPeriod')?.value ?? '')
        if (word !== '') found.set(word, (found.get(word) ?? new Set()).add(hour))
      }
    }
  return found
}
