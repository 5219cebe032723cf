import type { ImportInput, ImportItem, ReadTally } from '../../importer.ts'
import { items, messageItems, type NamedFile } from '../../models/conversation/items.ts'
import { Conversation, type Message, type Person } from '../../models/conversation/records.ts'
import type { FileTree } from '../../reading/input-tree.ts'
import { idText, readJson } from '../../reading/json/json-stream.ts'
import { type JsonObject, listOf, objectOf, othersOf, readValue, textOf } from '../../reading/json/json-values.ts'
import { readTime } from '../../reading/times.ts'

const READ = new Set(
  'id type timestamp timestampEdited callEndedTimestamp content author attachments reactions mentions reference embeds stickers isPinned inlineEmojis'.split(
    ' ',
  ),
)
/** Max. reactions of one kind on a message if the export does not name the people. */
const MAX_UNNAMED = 100

export const CHANNEL_MEMBERS = ['guild', 'channel', 'messageCount', 'exportedAt', 'dateRange']

/** Reads a channel in the format of the tool DiscordChatExporter: everybody's messages, with replies and reactions. */
export async function* channelItems(input: ImportInput, files: FileTree, tally: ReadTally): AsyncIterable<ImportItem> {
  let conversation: Conversation | undefined
  let channel: JsonObject = {}
  for await (const item of readJson(input, ['messages.*', ...CHANNEL_MEMBERS])) {
    const read = readValue(item, input, 'messages', tally)
    if (read === undefined) continue
    if (!('value' in read)) {
      yield read
      continue
    }
    if (read.pattern === 'channel') channel = objectOf(read.value)
    if (read.pattern !== 'messages.*') continue
    tally.saw('messages')
    const value = objectOf(read.value)
    const id = idText(value['id'])
    if (id === undefined) {
      yield { problem: { place: read.place, reason: 'has no id', kind: 'messages', kept: false } }
      continue
    }
    conversation ??= new Conversation({
      id: idText(channel['id']) ?? 'channel',
      name: textOf(channel['name']),
      kind: /DM|Direct/i.test(textOf(channel['type']) ?? '')
        ? /Group/i.test(String(channel['type']))
          ? 'group'
          : 'direct'
        : 'channel',
      topic: textOf(channel['topic']),
    })
    const named = listOf(value['attachments'])
      .map(objectOf)
      .map((file) => fileOf(file, input, files))
    yield* messageItems(conversation, messageOf(id, value, tally), read.place, tally, named)
  }
  if (conversation) yield* items(conversation.end({ input: input.name }))
}

function messageOf(id: string, value: JsonObject, tally: ReadTally): Message {
  const type = textOf(value['type']) ?? 'Default'
  const reference = objectOf(value['reference'])
  const forwarded = objectOf(value['forwardedMessage'])
  const isSaid = /^(Default|Reply|0|19|ChatInputCommand|ContextMenuCommand|ThreadStarterMessage)$/.test(type)
  const embeds = listOf(value['embeds']).map(objectOf)
  const cards = embeds
    .flatMap((embed) => [textOf(embed['title']), textOf(embed['description'])])
    .filter((part) => part !== undefined)
  const written = textOf(value['content']) ?? textOf(forwarded['content'])
  const stickers = listOf(value['stickers'])
    .map((each) => textOf(objectOf(each)['name']))
    .filter((name) => name !== undefined)
  return {
    id,
    author: personOf(objectOf(value['author'])),
    sentAt: timeOf(value['timestamp']),
    kind: isSaid ? undefined : type === 'Call' ? 'call' : 'system',
    text: written ?? (cards.join('\n') || stickers.join(', ') || undefined),
    replyTo: isSaid && !('forwardedMessage' in value) ? idText(reference['messageId']) : undefined,
    forwardedFrom: 'forwardedMessage' in value ? 'another channel' : undefined,
    editedAt: timeOf(value['timestampEdited']),
    links: embeds.map((embed) => textOf(embed['url'])).filter((link) => link !== undefined),
    reactions: listOf(value['reactions'])
      .map(objectOf)
      .flatMap((each) => reactionsOf(each, tally)),
    detail: othersOf(value, READ),
  }
}

const timeOf = (value: unknown): string | undefined => readTime('iso', textOf(value) ?? '')?.text

function personOf(author: JsonObject): Person | undefined {
  const id = idText(author['id'])
  const name = textOf(author['name'])
  if (id === undefined && name === undefined) return
  return {
    id: id ?? name!,
    name: textOf(author['nickname']) ?? name,
    handle: name,
    role: author['isBot'] === true ? 'bot' : undefined,
  }
}

function reactionsOf(reaction: JsonObject, tally: ReadTally) {
  const { name, code } = objectOf(reaction['emoji'])
  const emoji = textOf(name) ?? textOf(code) ?? 'reaction'
  const people = listOf(reaction['users']).map(
    (user) => textOf(objectOf(user)['nickname']) ?? textOf(objectOf(user)['name']),
  )
  const unnamed = Math.max(0, (typeof reaction['count'] === 'number' ? reaction['count'] : 0) - people.length)
  if (unnamed > MAX_UNNAMED)
    tally.leftOut('reactions', 'without a name, beyond the limit of a message', unnamed - MAX_UNNAMED)
  return [...people, ...Array<undefined>(Math.min(unnamed, MAX_UNNAMED)).fill(undefined)].map((author) => ({
    emoji,
    author,
  }))
}

/** The tool can save files next to the channel. Then the address is a path. */
function fileOf(file: JsonObject, input: ImportInput, files: FileTree): NamedFile {
  const url = textOf(file['url'])
  const isPath = url !== undefined && !/^https?:/.test(url)
  const size = file['fileSizeBytes']
  return {
    about: {
      filename: textOf(file['fileName']),
      url: isPath ? undefined : url,
      kind: 'file',
      sizeBytes: Number.isSafeInteger(size) ? (size as number) : undefined,
    },
    input: isPath ? files.near(input, url) : undefined,
  }
}
