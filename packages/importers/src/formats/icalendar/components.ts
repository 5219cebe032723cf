import type { ImportInput, InputPosition } from '../../importer.ts'
import { numberedLines } from '../../reading/numbered-lines.ts'

/** The lines of one component, such as an event or a task, as they are in the file. */
export interface ComponentText {
  /** VEVENT, VTODO, … */
  readonly name: string
  /** Undefined if it is truncated or too long. */
  readonly text: string | undefined
  readonly fault?: string | undefined
  /** The calendar's properties before this component, such as its name. */
  readonly calendar: Readonly<Record<string, string>>
  readonly place: InputPosition
}

/** Max. characters of a component and of a line. It may contain attached files. */
const MAX_COMPONENT_CHARS = 32_000_000
const MAX_CALENDAR_PROPERTIES = 100

/** Splits calendars into components. A file may also contain components without a calendar around them. */
export async function* componentsOf(input: ImportInput): AsyncIterable<ComponentText> {
  let calendar: Record<string, string> = {}
  let open: { stack: string[]; lines: string[]; chars: number; line: number } | undefined
  let last = ''
  for await (const { text, line } of numberedLines(input, MAX_COMPONENT_CHARS)) {
    const [, edge, name = ''] = /^\s*(BEGIN|END):\s*([^\s:;]*)\s*$/i.exec(text) ?? []
    const [begins, ends] = [edge?.toUpperCase() === 'BEGIN', edge?.toUpperCase() === 'END']
    if (open) {
      open.chars += text.length
      if (open.chars <= MAX_COMPONENT_CHARS) open.lines.push(text)
      if (begins) open.stack.push(name.toUpperCase())
      if (ends) open.stack.pop()
      if (open.stack.length > 0) continue
      yield finished(open, calendar, input)
      open = undefined
    } else if (begins && name.toUpperCase() === 'VCALENDAR') calendar = {}
    else if (begins) open = { stack: [name.toUpperCase()], lines: [text], chars: text.length, line }
    else if (/^[ \t]/.test(text) && last !== '') calendar[last] += text.slice(1)
    else last = keep(calendar, text)
  }
  if (open) yield { ...finished(open, calendar, input), text: undefined, fault: 'is cut off' }
}

function finished(
  { lines, chars, line }: { lines: string[]; chars: number; line: number },
  calendar: Readonly<Record<string, string>>,
  { name: input }: ImportInput,
): ComponentText {
  const name = (/:\s*(\S*)/.exec(lines[0]!)?.[1] ?? '').toUpperCase()
  const place = { input, line }
  if (chars <= MAX_COMPONENT_CHARS) return { name, text: lines.join('\r\n'), calendar: { ...calendar }, place }
  return { name, text: undefined, fault: `is longer than ${MAX_COMPONENT_CHARS} characters`, calendar, place }
}

/** Keeps a property of the calendar and returns its name, because the next line may continue it. */
function keep(calendar: Record<string, string>, text: string): string {
  const match = /^([A-Za-z0-9-]{1,60})(?:;[^:]*)?:(.*)$/.exec(text)
  const name = (match?.[1] ?? '').toUpperCase()
  if (!match || (!(name in calendar) && Object.keys(calendar).length >= MAX_CALENDAR_PROPERTIES)) return ''
  calendar[name] = match[2]!
  return name
}

/** Removes the escapes from a text. */
export const plainText = (value: string): string =>
  value.replace(/\\([\\;,nN])/g, (_, char: string) => (char === 'n' || char === 'N' ? '\n' : char)).trim()

/** The calendar's name for people. Undefined if it has none. */
export function calendarName(calendar: Readonly<Record<string, string>>): string | undefined {
  const name = plainText(calendar['X-WR-CALNAME'] ?? calendar['NAME'] ?? '').slice(0, 200)
  return name === '' ? undefined : name.toWellFormed()
}
