import type { Importer, ImportInput, ImportItem, ReadTally } from '../../importer.ts'
import { conversationSource } from '../../models/conversation/declaration.ts'
import { items, messageItems } from '../../models/conversation/items.ts'
import { Conversation, type Person } from '../../models/conversation/records.ts'
import { fixedPlan } from '../../planning/fixed-source.ts'
import { failuresAsProblems } from '../../reading/input-bytes.ts'
import { FileTree, folderOf, treePath } from '../../reading/input-tree.ts'
import { readJson } from '../../reading/json/json-stream.ts'
import { type JsonObject, listOf, objectOf, readValue, textOf } from '../../reading/json/json-values.ts'
import { SeenKeys } from '../../reading/seen-keys.ts'
import { connectionId, StableIds } from '../../reading/stable-ids.ts'
import { messageOf, personOf } from './message.ts'

const declaration = conversationSource('google-chat', 'Google Chat')

/** Imports Google Chat from Takeout: a folder for each space and direct message. */
export const googleChat: Importer = {
  id: 'google-chat',
  name: 'Google Chat',
  kind: 'chats',
  reads: 'Google Chat in Google Takeout (messages.json of spaces and direct messages, with their files)',

  async detect({ input, head: { text = '' }, files }) {
    if (
      !/^\s*\{\s*"messages"\s*:\s*\[/.test(text) ||
      !/"creator"\s*:\s*\{/.test(text) ||
      !/"created_date"\s*:/.test(text)
    )
      return
    const folder = folderOf(treePath(input.name))
    const root = folderOf(folderOf(folder))
    const users = folder === '' ? [] : files.below(root === '' ? 'Users' : `${root}/Users`)
    // A file outside its original folder must not claim all its neighbours.
    const own = files.near(input, 'group_info.json') ? files.below(folder) : []
    // Several exports of one account are read together.
    const { email } = await ownerOf(users)
    return {
      format: 'google-chat',
      inputs: [...new Set([input, ...own, ...users])],
      group: `google-chat ${email ?? root}`,
    }
  },

  async streams(claim, overrides, known) {
    const { email, name } = await ownerOf(claim.inputs)
    const shown = email ?? name
    const connection = {
      id: connectionId('google-chat', shown ?? 'account'),
      name: shown === undefined ? 'Google Chat' : `Google Chat: ${shown}`,
    }
    return [await fixedPlan({ claim, declaration, connection, read: googleChat.read }, overrides, known)]
  },

  async *read(plan, tally) {
    const { email } = await ownerOf(plan.inputs)
    const files = new FileTree(plan.inputs)
    const found = plan.inputs.filter((each) => isMessages(each, files))
    // Names of exports contain dates. The newest comes first, because the first copy of a message gives its record.
    const newest = found.toSorted((a, b) => (treePath(a.name) > treePath(b.name) ? -1 : 1))
    for (const [id, own] of Map.groupBy(newest, chatOf)) yield* chatItems(id, own, { files, self: email, tally })
  },
}

/** The name of a chat's folder is its id. */
function chatOf(input: ImportInput): string {
  const folder = folderOf(treePath(input.name))
  return folder === '' ? nameOf(input) : folder.slice(folder.lastIndexOf('/') + 1)
}

const nameOf = ({ name }: ImportInput): string => name.slice(name.lastIndexOf('/') + 1)

/** False for a JSON file that somebody sent in the chat. */
const isMessages = (input: ImportInput, files: FileTree): boolean =>
  nameOf(input) === 'messages.json' ||
  (/\.json$/i.test(nameOf(input)) &&
    !/^(group_info|user_info)\.json$/i.test(nameOf(input)) &&
    !files.near(input, 'messages.json'))

async function whole(input: ImportInput | undefined): Promise<JsonObject> {
  try {
    if (input) for await (const item of readJson(input, [''])) if ('value' in item) return objectOf(item.value)
  } catch {
    // Ignored, because the messages can be read without it.
  }
  return {}
}

async function ownerOf(
  inputs: readonly ImportInput[],
): Promise<{ email?: string | undefined; name?: string | undefined }> {
  const { user } = await whole(inputs.find((input) => /^user_info\.json$/i.test(nameOf(input))))
  return { email: textOf(objectOf(user)['email']), name: textOf(objectOf(user)['name']) }
}

interface ChatRun {
  readonly files: FileTree
  readonly self: string | undefined
  readonly tally: ReadTally
}

async function* chatItems(id: string, inputs: readonly ImportInput[], run: ChatRun): AsyncIterable<ImportItem> {
  const info = await whole(run.files.near(inputs[0]!, 'group_info.json'))
  const members = listOf(info['members'])
    .map((each) => personOf(each, run.self))
    .filter((each): each is Person => each !== undefined)
  const others = members.filter(({ isSelf }) => !isSelf).map(({ name, id: address }) => name ?? address)
  const name = textOf(info['name']) ?? (others.length > 0 ? others.join(', ') : id.replace(/^Space /, ''))
  const kind = id.startsWith('DM') ? (members.length > 2 ? 'group' : 'direct') : 'channel'
  const conversation = new Conversation({ id, name, kind }, members)
  const names = new Map(members.map((each) => [each.id, each.name ?? each.id]))
  const seen = new SeenKeys()
  for (const input of inputs)
    yield* failuresAsProblems(messagesOf(input, { ...run, id, names, conversation, seen }), input)
  yield* items(conversation.end({ input: inputs[0]!.name }))
}

interface MessagesRun extends ChatRun {
  readonly id: string
  readonly names: ReadonlyMap<string, string>
  readonly conversation: Conversation
  readonly seen: SeenKeys
}

async function* messagesOf(input: ImportInput, run: MessagesRun): AsyncIterable<ImportItem> {
  const { files, tally, conversation, seen } = run
  const ids = new StableIds()
  for await (const item of readJson(input, ['messages.*'])) {
    const read = readValue(item, input, 'messages', tally)
    if (read === undefined) continue
    if (!('value' in read)) {
      yield read
      continue
    }
    tally.saw('messages')
    const value = objectOf(read.value)
    const { message, files: named } = messageOf(value, run, ids)
    if (message.author === undefined && message.sentAt === undefined) {
      yield {
        problem: { place: read.place, reason: 'has neither an author nor a time', kind: 'messages', kept: false },
      }
      continue
    }
    const found = named.map(({ exported, about }) => ({
      about,
      input: exported === undefined ? undefined : files.near(input, exported),
    }))
    // Some exports repeat messages even within one file.
    yield* messageItems(conversation, message, read.place, tally, found, seen)
  }
}
