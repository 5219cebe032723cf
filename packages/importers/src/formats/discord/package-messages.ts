import type { ImportInput, ImportItem, InputPosition, ReadTally } from '../../importer.ts'
import { messageItems } from '../../models/conversation/items.ts'
import { Conversation, type ConversationInfo, type Person } from '../../models/conversation/records.ts'
import { folderOf, treePath } from '../../reading/input-tree.ts'
import { idText, readJson } from '../../reading/json/json-stream.ts'
import { type JsonObject, listOf, objectOf, readValue, textOf } from '../../reading/json/json-values.ts'
import type { SeenKeys } from '../../reading/seen-keys.ts'
import { decodeText } from '../../reading/text-encoding.ts'
import { readTime } from '../../reading/times.ts'
import { DelimitedReader } from '../table/csv/delimited-text.ts'

/** The channels of all packages of one account. */
export interface PackageRun {
  readonly names: ReadonlyMap<string, string>
  readonly owner: Person
  readonly conversations: Map<string, Conversation>
  readonly seen: SeenKeys
  readonly tally: ReadTally
}

/** Reads the messages of one channel of a data package. All of them are by the owner of the account. */
export async function* packageItems(
  input: ImportInput,
  channel: ImportInput | undefined,
  { names, owner, conversations, seen, tally }: PackageRun,
): AsyncIterable<ImportItem> {
  const info = await channelOf(input, channel, names)
  const conversation = conversations.get(info.id) ?? new Conversation(info, [owner])
  conversations.set(info.id, conversation)
  const rows = /\.csv$/i.test(input.name) ? inCsv(input) : inJson(input, tally)
  for await (const row of rows) {
    if ('problem' in row) {
      yield row
      continue
    }
    tally.saw('messages')
    const { value, place } = row
    const id = idText(value['ID'])
    if (id === undefined || !/^\d+$/.test(id)) {
      yield { problem: { place, reason: 'has no id', kind: 'messages', kept: false } }
      continue
    }
    const time = textOf(value['Timestamp'])
    const message = {
      id,
      author: owner,
      // Times without a zone are UTC. The id contains the time, too.
      sentAt: (time && (readTime('iso', time) ?? readTime('ymd', time))?.text) ?? snowflakeTime(id),
      text: textOf(value['Contents']),
    }
    const urls = (textOf(value['Attachments']) ?? '').split(/\s+/).filter((url) => url !== '')
    yield* messageItems(
      conversation,
      message,
      place,
      tally,
      urls.map((url) => ({ about: { url, filename: fileNameOf(url), kind: 'file' } })),
      seen,
    )
  }
}

/** The upper 42 bits of every id are milliseconds since 2015. */
function snowflakeTime(id: string): string | undefined {
  const millis = (BigInt(id) >> 22n) + 1_420_070_400_000n
  return id.length < 15 ? undefined : readTime('epoch-ms', String(millis))?.text
}

const fileNameOf = (url: string): string | undefined =>
  /\/([^/?#]+)(?:[?#]|$)/.exec(url.replace(/^https?:\/\//, ''))?.[1]

async function channelOf(
  input: ImportInput,
  file: ImportInput | undefined,
  names: ReadonlyMap<string, string>,
): Promise<ConversationInfo> {
  const folder = folderOf(treePath(input.name))
  const own = /(?:^|\/)c?(\d+)$/.exec(folder)?.[1]
  let value: JsonObject = {}
  if (file) for await (const item of readJson(file, [''])) if ('value' in item) value = objectOf(item.value)
  const id = idText(value['id']) ?? own ?? folder.slice(folder.lastIndexOf('/') + 1)
  const guild = textOf(objectOf(value['guild'])['name'])
  const named = textOf(value['name'])
  const isDirect =
    value['type'] === 1 || value['type'] === 'DM' || (named === undefined && listOf(value['recipients']).length === 2)
  const kind = isDirect ? 'direct' : value['type'] === 3 || value['type'] === 'GROUP_DM' ? 'group' : 'channel'
  const shown = named === undefined ? names.get(id) : guild === undefined ? named : `${named} (${guild})`
  return { id, name: shown ?? `channel ${id}`, kind }
}

type FoundRow =
  | { readonly value: JsonObject; readonly place: InputPosition }
  | Extract<ImportItem, { problem: unknown }>

async function* inJson(input: ImportInput, tally: ReadTally): AsyncIterable<FoundRow> {
  for await (const item of readJson(input, ['*'])) {
    const read = readValue(item, input, 'messages', tally)
    if (read === undefined || 'record' in read) continue
    yield 'problem' in read ? read : { value: objectOf(read.value), place: read.place }
  }
}

async function* inCsv(input: ImportInput): AsyncIterable<FoundRow> {
  const reader = new DelimitedReader(',')
  let header: string[] | undefined
  const rows = function* (records: Iterable<{ cells: string[]; line: number }>): Iterable<FoundRow> {
    for (const { cells, line } of records) {
      if (header === undefined) header = cells
      else if (cells.some((cell) => cell !== ''))
        yield {
          value: Object.fromEntries(header.map((name, at) => [name, cells[at] ?? ''])),
          place: { input: input.name, line },
        }
    }
  }
  for await (const text of decodeText(input, 'utf-8')) yield* rows(reader.add(text))
  yield* rows(reader.end())
}
