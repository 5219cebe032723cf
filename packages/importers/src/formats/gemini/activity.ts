import type { ImportInput, InputPosition } from '../../importer.ts'
import { isObject } from '../../reading/json/json-members.ts'
import { readJson } from '../../reading/json/json-stream.ts'
import { listOf, objectOf, textOf } from '../../reading/json/json-values.ts'
import { decodeText, encodingOf } from '../../reading/text-encoding.ts'
import { readTime } from '../../reading/times.ts'
import { htmlText } from '../../text/html-text.ts'

/** One entry of My Activity. */
export interface Activity {
  readonly product: string
  readonly title: string
  /** As written in the file. */
  readonly timeText: string
  readonly sentAt: string | undefined
  readonly answer: string
  readonly files: readonly string[]
}

export type ActivityItem =
  | { readonly activity: Activity; readonly place: InputPosition }
  | { readonly fault: string; readonly place: InputPosition }

/** Max. characters of an entry on a page. */
const MAX_CELL_CHARS = 8_000_000
const CELL = '<div class="outer-cell'

/** Reads the entries of MyActivity.json. */
export async function* jsonActivities(input: ImportInput): AsyncIterable<ActivityItem> {
  let row = 0
  for await (const item of readJson(input, ['*'])) {
    const place = { input: input.name, row: ++row }
    const entry = objectOf('value' in item ? item.value : undefined)
    const [product, title, time] = [textOf(entry['header']), textOf(entry['title']), textOf(entry['time'])]
    if (product === undefined || title === undefined || time === undefined) {
      yield {
        fault: 'cut' in item ? 'ends in the middle of an entry' : 'is not an entry with a title and a time',
        place,
      }
      continue
    }
    const answers = listOf(entry['safeHtmlItem']).map((each) => htmlText(textOf(objectOf(each)['html']) ?? ''))
    const files = ['attachedFiles', 'imageFile', 'audioFiles'].flatMap((name) => namesIn(entry[name]))
    const sentAt = readTime('iso', time)?.text
    yield { activity: { product, title, timeText: time, sentAt, answer: answers.join('\n\n').trim(), files }, place }
  }
}

const namesIn = (value: unknown): string[] =>
  [value].flat().flatMap((each) => textOf(isObject(each) ? each['name'] : each) ?? [])

/** Reads the entries of MyActivity.html. Their times are written for people, in the owner's zone. */
export async function* htmlActivities(input: ImportInput, zone: string): AsyncIterable<ActivityItem> {
  let [held, row]: [string, number] = ['', -1]
  for await (const piece of decodeText(input, await encodingOf(input))) {
    held += piece
    const cells = held.split(CELL)
    held = cells.pop()!
    for (const cell of cells) if (++row > 0) yield fromCell(cell, { input: input.name, row }, zone)
    if (held.length > MAX_CELL_CHARS) throw new Error(`an entry is longer than ${MAX_CELL_CHARS} characters`)
  }
  if (++row > 0) yield fromCell(held, { input: input.name, row }, zone)
}

function fromCell(cell: string, place: InputPosition, zone: string): ActivityItem {
  const product = htmlText(/mdl-typography--title">([\s\S]{0,200}?)<\/p>/.exec(cell)?.[1] ?? '')
  // Two more cells follow: one with a picture, and one that explains why the entry is listed. A truncated page lacks
  // both.
  const body = /class="content-cell[^"]*body-1">([\s\S]*?)<\/div>\s*<div class="content-cell/.exec(cell)?.[1]
  const lines = (body ?? '').split(/<br\s*\/?>/i)
  const at = lines.findIndex((line) => timeIn(line, zone) !== undefined)
  if (body === undefined || at < 1) return { fault: 'is not a complete entry with a title and a time', place }
  const timeText = htmlText(lines[at]!)
  const files = [
    ...lines
      .slice(0, at)
      .join()
      .matchAll(/<a href="([^":]+)"/g),
  ].map((match) => decodedName(match[1]!))
  const activity = {
    product,
    title: htmlText(lines.slice(0, files.length > 0 ? 1 : at).join('<br>')),
    timeText,
    sentAt: timeIn(lines[at]!, zone),
    answer: htmlText(lines.slice(at + 1).join('<br>')),
    files,
  }
  return { activity, place }
}

/** Reads `Nov 13, 2025, 9:50:57 AM CET`. Zone names outside North America are ambiguous, so `zone` replaces them. */
function timeIn(line: string, zone: string): string | undefined {
  if (line.length > 80 || !/\d{4}/.test(line) || !/\d:\d\d/.test(line)) return
  const text = htmlText(line).replace(/ (?:GMT|UTC)(?=[+-]\d)/, ' ')
  const read = readTime('named', text, zone) ?? readTime('named', text.replace(/\s+[A-Z]{2,5}$/, ''), zone)
  return read?.isDate === false ? read.text : undefined
}

function decodedName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
