import { escapeHidden, previewChars } from '@pdpp/protocol/reading'

/**
 * Writes texts, numbers and times of records for the text of a result. Record text, names and titles are third-party
 * data. Hidden characters are escaped, so that they can neither hide words from a person nor pass words to a model
 * unseen. Links in record text are broken up.
 */

/** Makes running text safe. Keeps line breaks and tabs. */
export function safeText(text: string): string {
  return defused(escapeHidden(text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text))
}

/** Makes text safe and puts it on one line. */
export function safeLine(text: string): string {
  return defused(escapeHidden(text.replace(/[\s\u0085]+/gu, ' ').trim()))
}

/** Breaks Markdown links and images, because hosts would show them as ours. */
function defused(text: string): string {
  return text.includes('](') ? text.replaceAll('](', ']\\(') : text
}

/** Untrusted text on one line, shortened to `chars` with a visible "…". */
export function shortLine(text: string, chars: number): string {
  return previewChars(safeLine(text), chars)
}

/**
 * A value that a model can copy into a filter: as it is, or in quotes with escapes if one line would change it or if
 * `ambiguous` finds it.
 */
export function exactValue(text: string, ambiguous: RegExp): string {
  const isPlain = text === text.replace(/[\s\u0085]+/gu, ' ').trim() && !ambiguous.test(text)
  return defused(escapeHidden(isPlain ? text : oneLine(JSON.stringify(text))))
}

/** JSON leaves the line breaks of Unicode as they are. */
const oneLine = (json: string): string =>
  json.replace(/[\u0085\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** A number with thousands separators. */
export const grouped = (value: number): string =>
  Number.isInteger(value) && value >= 0 && value < 1000 ? String(value) : value.toLocaleString('en-US')

/** `2026-02-11T17:01:53Z` becomes `2026-02-11 17:01`. Offsets other than UTC stay. */
export function shortTime(text: string): string {
  const match = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})?$/.exec(text)
  if (!match) return shortLine(text, 40)
  const [, day, minute, zone] = match
  return `${day} ${minute}${zone === 'Z' || zone === undefined ? '' : zone}`
}

/** Like `shortTime`, but keeps the Z of UTC, because a model cannot know the zone otherwise. */
export function zonedTime(text: string): string {
  const short = shortTime(text)
  return /T.*\dZ$/.test(text) && /:\d{2}$/.test(short) ? `${short}Z` : short
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** Like `zonedTime`, with the day of the week, because people say "last weekend": `Wed 2026-02-11 17:01Z`. */
export function weekdayTime(text: string): string {
  const [day] = /^\d{4}-\d{2}-\d{2}(?=$|[Tt ])/.exec(text) ?? []
  const at = day === undefined ? Number.NaN : Date.parse(`${day}T00:00:00Z`)
  const time = zonedTime(text)
  return Number.isNaN(at) ? time : `${WEEKDAYS[new Date(at).getUTCDay()]} ${time}`
}

/** Like `zonedTime`, but keeps seconds that are not zero. Undefined if the text is not a time with a zone. */
export function wholeTime(text: string): string | undefined {
  const [, day, minute, second, zone] =
    /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::(\d{2}(?:\.\d+)?))?(Z|[+-]\d{2}:\d{2})$/.exec(text) ?? []
  if (day === undefined) return
  const kept = second === undefined || /^00(\.0+)?$/.test(second) ? '' : `:${second}`
  return `${day} ${minute}${kept}${zone}`
}
