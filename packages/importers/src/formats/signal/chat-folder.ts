import type { ImportInput, ImportItem, InputPosition, ReadTally } from '../../importer.ts'
import { items, messageItems, type NamedFile } from '../../models/conversation/items.ts'
import { Conversation, type Message, type Reaction } from '../../models/conversation/records.ts'
import { stem } from '../../reading/input-bytes.ts'
import { type FileTree, folderOf, treePath } from '../../reading/input-tree.ts'
import { type JsonObject, listOf, objectOf, textOf } from '../../reading/json/json-values.ts'
import { numberedLines } from '../../reading/numbered-lines.ts'
import { StableIds } from '../../reading/stable-ids.ts'
import { readTime } from '../../reading/times.ts'
import { jsonLines } from './json-lines.ts'

const MAX_LINE_CHARS = 1_000_000
const START = /^\[(\d{4}-\d{2}-\d{2}),? (\d{2}:\d{2}(?::\d{2})?)\] ([^\n:]{1,100}): ?(.*)$/s
const FILE = /!?\[([^\]\n]*)\]\(\.?\/?((?:media|\.\.)\/[^)\n]*)\)\s*/g
const REACTIONS = /\n?\(- (.*?) -\)\s*/

/** The chat's name: the folder of its file, or the name of the file. */
export function chatName(input: ImportInput): string {
  const folder = folderOf(treePath(input.name))
  const isPlain = /^(chat|data|index)$/i.test(stem(input.name))
  return isPlain && folder !== '' ? folder.slice(folder.lastIndexOf('/') + 1) : stem(input.name)
}

interface ExportedMessage {
  readonly date: string
  readonly sender: string
  readonly message: Omit<Message, 'id'>
  readonly paths: readonly { readonly name: string; readonly path: string }[]
}

/** Reads a chat that a tool exported from Signal Desktop: `data.json` with one message on each line, or `chat.md`. */
export async function* chatItems(
  input: ImportInput,
  files: FileTree,
  zone: string,
  tally: ReadTally,
): AsyncIterable<ImportItem> {
  const name = chatName(input)
  const conversation = new Conversation({ id: name, name })
  const ids = new StableIds()
  for await (const each of /\.json$/i.test(input.name) ? inJson(input) : inText(input)) {
    tally.saw('messages')
    if ('reason' in each) {
      yield { problem: { place: each.place, reason: each.reason, kind: 'messages', kept: false } }
      continue
    }
    const { date, sender, message, paths } = each.said
    const named: NamedFile[] = paths.map(({ name: filename, path }) => ({
      about: { filename: filename || undefined, kind: 'file' },
      input: files.near(input, unescaped(path)),
    }))
    const whole = {
      ...message,
      id: ids.idOf(name, date, sender, message.text),
      author: { id: sender, name: sender, isSelf: sender === 'Me' ? true : undefined },
      sentAt: readTime('ymd', date, zone)?.text,
    }
    yield* messageItems(conversation, whole, each.place, tally, named)
  }
  yield* items(conversation.end({ input: input.name }))
}

type LineResult =
  | { readonly said: ExportedMessage; readonly place: InputPosition }
  | { readonly reason: string; readonly place: InputPosition }

async function* inJson(input: ImportInput): AsyncIterable<LineResult> {
  for await (const { value, place, fault } of jsonLines(input)) {
    const [date, sender] = [textOf(value['date']), textOf(value['sender'])]
    if (fault !== undefined || date === undefined || sender === undefined)
      yield { place, reason: fault ?? 'has no date and sender' }
    else yield { place, said: { date: date.replace('T', ' '), sender, ...fromJson(value) } }
  }
}

function fromJson(value: JsonObject): Pick<ExportedMessage, 'message' | 'paths'> {
  const quote = textOf(value['quote'])?.replace(/^[\n> ]+|\n+$/g, '')
  const reactions = listOf(value['reactions']).map((each): Reaction => {
    const [name, emoji] = Array.isArray(each) ? each : [objectOf(each)['name'], objectOf(each)['emoji']]
    return { emoji: textOf(emoji) ?? 'reaction', author: textOf(name) }
  })
  const paths = listOf(value['attachments'])
    .map(objectOf)
    .map((file) => ({ name: textOf(file['name']) ?? '', path: textOf(file['path']) ?? '' }))
  const text = textOf(value['body'])?.trim() || textOf(objectOf(value['sticker'])['emoji']) || textOf(value['sticker'])
  const kind = value['call'] === true ? 'call' : undefined
  return {
    message: { text, kind, reactions, isDeleted: value['deleted'] === true, detail: quote ? { quote } : undefined },
    paths,
  }
}

async function* inText(input: ImportInput): AsyncIterable<LineResult> {
  let open: { start: RegExpExecArray; lines: string[]; line: number } | undefined
  for await (const { text: line, line: number } of numberedLines(input, MAX_LINE_CHARS)) {
    const start = START.exec(line)
    if (start) {
      if (open) yield { said: fromText(open.start, open.lines), place: { input: input.name, line: open.line } }
      open = { start, lines: [start[4]!], line: number }
    } else if (open) open.lines.push(line)
    else if (line.trim() !== '')
      yield { reason: 'is before the first message', place: { input: input.name, line: number } }
  }
  if (open) yield { said: fromText(open.start, open.lines), place: { input: input.name, line: open.line } }
}

function fromText([, day, clock, sender]: RegExpExecArray, lines: readonly string[]): ExportedMessage {
  let text = lines.join('\n')
  const paths = [...text.matchAll(FILE)].map(([, name = '', path = '']) => ({ name, path }))
  const reactions = (REACTIONS.exec(text)?.[1] ?? '').split(', ').flatMap((each): Reaction[] => {
    const at = each.lastIndexOf(': ')
    return at === -1 ? [] : [{ author: each.slice(0, at), emoji: each.slice(at + 2) }]
  })
  text = text.replace(FILE, '').replace(REACTIONS, '')
  const quote = /^\s*((?:> .*\n?)+)/.exec(text)
  if (quote) text = text.slice(quote[0].length)
  const isDeleted = text.trim() === '(This message was deleted)'
  const detail = quote ? { quote: quote[1]!.replace(/^> /gm, '').trim() } : undefined
  const lined = text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim()
  return {
    date: `${day} ${clock}`,
    sender: sender!,
    message: { text: isDeleted || lined === '' ? undefined : lined, reactions, isDeleted, detail },
    paths,
  }
}

function unescaped(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
