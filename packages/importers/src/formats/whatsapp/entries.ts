import type { ImportInput } from '../../importer.ts'
import { numberedLines } from '../../reading/numbered-lines.ts'
import { readStamp, type StampedLine, withoutMarks } from './stamp.ts'

/** Max. characters of one message. WhatsApp allows 65,536. */
const MAX_ENTRY_CHARS = 1_000_000

/** One message of the file, with all its lines. */
export interface Entry extends StampedLine {
  /** Undefined in a line that WhatsApp itself wrote. */
  readonly author: string | undefined
  /** The first line of the message, and everything after it. */
  readonly body: string
  readonly line: number
  /** True if it was longer than a message can be, so that its end is missing. */
  readonly isCut: boolean
}

/** A line before the first time belongs to no message. */
export type FileEntry = Entry | { readonly stray: string; readonly line: number }

interface OpenEntry {
  readonly start: StampedLine
  readonly lines: string[]
  readonly line: number
  size: number
}

export async function* readEntries(input: ImportInput): AsyncIterable<FileEntry> {
  let open: OpenEntry | undefined
  for await (const { text: line, line: number } of numberedLines(input, MAX_ENTRY_CHARS)) {
    const start = readStamp(line)
    if (start) {
      if (open) yield entryOf(open)
      open = { start, lines: [start.rest], size: start.rest.length, line: number }
    } else if (!open) {
      if (line.trim() !== '') yield { stray: line, line: number }
    } else {
      open.size += line.length + 1
      if (open.size <= MAX_ENTRY_CHARS) open.lines.push(line)
    }
  }
  if (open) yield entryOf(open)
}

function entryOf({ start, lines, line, size }: OpenEntry): Entry {
  const isCut = size > MAX_ENTRY_CHARS
  const whole = lines.join('\n').trimEnd()
  const match = /^([^\n]{1,90}?):(?: |$)(.*)$/s.exec(whole)
  const isAuthor = match !== null && !endsInQuote(match[1]!)
  const author = isAuthor ? withoutMarks(match[1]!).replace(/^~\s*/, '').trim() : ''
  return author === ''
    ? { ...start, author: undefined, body: whole, line, isCut }
    : { ...start, author, body: match![2]!, line, isCut }
}

/** WhatsApp's own lines may contain a colon, but mostly in a quoted name. People's names have whole quotes. */
function endsInQuote(text: string): boolean {
  const count = (quotes: RegExp) => text.match(quotes)?.length ?? 0
  return count(/["“”„]/g) % 2 === 1 || count(/«/g) !== count(/»/g)
}
