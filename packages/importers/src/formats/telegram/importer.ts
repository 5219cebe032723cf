import type { Importer, ImportInput, ImportItem, ImportPlan, InputHead, ReadTally } from '../../importer.ts'
import { conversationSource } from '../../models/conversation/declaration.ts'
import { items, messageItems } from '../../models/conversation/items.ts'
import { Conversation } from '../../models/conversation/records.ts'
import { fixedPlan } from '../../planning/fixed-source.ts'
import { failuresAsProblems } from '../../reading/input-bytes.ts'
import { headOf } from '../../reading/input-head.ts'
import { FileTree, folderOf, treePath } from '../../reading/input-tree.ts'
import { idText, readJson } from '../../reading/json/json-stream.ts'
import { objectOf, readValue, textOf } from '../../reading/json/json-values.ts'
import { SeenKeys } from '../../reading/seen-keys.ts'
import { connectionId, StableIds } from '../../reading/stable-ids.ts'
import { type ChatContext, chatKey, messageOf } from './message.ts'

const declaration = conversationSource('telegram', 'Telegram')
/** The folders in which Telegram puts the files of an export. */
const FOLDERS =
  /^(chats|photos|video_files|voice_messages|files|stickers|round_video_messages|contacts|images|animations|audio_files|stories|profile_pictures|css|js|lists)\//
const MEMBERS = ['name', 'type', 'id', 'messages.*']
const PATTERNS = [
  'personal_information',
  ...MEMBERS,
  ...MEMBERS.map((member) => `chats.list.*.${member}`),
  ...MEMBERS.map((member) => `left_chats.list.*.${member}`),
]

/** Imports result.json of Telegram Desktop, with all chats of an account or with one chat. */
export const telegram: Importer = {
  id: 'telegram',
  name: 'Telegram',
  kind: 'chats',
  reads: 'result.json of Telegram Desktop, of the whole account or of one chat, with its files',

  async detect({ input, head, files }) {
    if (!isExport(head)) return
    const folder = folderOf(treePath(input.name))
    const start = folder === '' ? 0 : folder.length + 1
    const own = files.below(folder).filter(({ name }) => FOLDERS.test(treePath(name).slice(start)))
    // Several exports of one account, or of one chat, are read together.
    return { format: 'telegram', inputs: [input, ...own], group: groupOf(head.text ?? '') }
  },

  async streams(claim, overrides, known) {
    const about = await Promise.all((await exportsIn(claim.inputs)).map(aboutExport))
    const { connection } = about[0] ?? (await aboutExport(claim.inputs[0]!))
    const zone = about.every(({ hasInstants }) => hasInstants) ? undefined : (overrides.zone ?? 'UTC')
    return [await fixedPlan({ claim, declaration, connection, zone, read: telegram.read }, overrides, known)]
  },

  async *read(plan, tally) {
    const mains = await exportsIn(plan.inputs)
    // Folder names contain dates. The newest export comes first, because the first copy of a message gives its record.
    const run = {
      plan,
      tally,
      files: new FileTree(plan.inputs),
      seen: new SeenKeys(),
      chats: new Map<string, Conversation>(),
    }
    const newest = mains.toSorted((a, b) => (treePath(a.name) > treePath(b.name) ? -1 : 1))
    for (const input of newest) yield* failuresAsProblems(chatsOf(input, run), input)
    for (const conversation of run.chats.values()) yield* items(conversation.end({ input: plan.inputs[0]!.name }))
  },
}

/** Finds the exports among the files, because files that people sent are among them, too. */
async function exportsIn(inputs: readonly ImportInput[]): Promise<ImportInput[]> {
  const found: ImportInput[] = []
  for (const input of inputs.filter(({ name }, at) => at === 0 || /\.json$/i.test(name)))
    if (isExport(await headOf(input))) found.push(input)
  return found
}

/** The account or the chat, from the first members of the file. */
function groupOf(text: string): string | undefined {
  const [, account] = /"personal_information"\s*:\s*\{\s*"user_id"\s*:\s*(\d+)/.exec(text) ?? []
  if (account !== undefined) return `account ${account}`
  const [, type = '', chat] =
    /^\s*\{\s*(?:"name"\s*:\s*"(?:[^"\\]|\\.)*"\s*,\s*)?"type"\s*:\s*"(\w+)"\s*,\s*"id"\s*:\s*(\d+)/.exec(text) ?? []
  return chat === undefined ? undefined : `chat ${type} ${chat}`
}

function isExport({ text }: InputHead): boolean {
  if (text === undefined || !/^\s*\{/.test(text)) return false
  // In the export of a large account, the list of chats may come long after the contacts.
  if (/^\s*\{\s*"about":/.test(text) && /"personal_information"\s*:\s*\{\s*"user_id"/.test(text)) return true
  return (
    /"messages"\s*:\s*\[\s*\{/.test(text) &&
    /"type"\s*:\s*"(message|service)"/.test(text) &&
    /"(date_unixtime|from_id|actor_id)"\s*:/.test(text)
  )
}

/** The account or the chat that was exported, and whether times have a zone. */
async function aboutExport(input: ImportInput) {
  let owner: string[] | undefined
  let chat: { id?: string | undefined; name?: string | undefined; type?: string | undefined } = {}
  let isAccount = false
  let hasInstants = true
  for await (const item of readJson(input, PATTERNS)) {
    if (!('value' in item)) continue
    if (item.pattern === 'personal_information') {
      const { user_id: id, first_name: first, last_name: last } = objectOf(item.value)
      owner = [idText(id) ?? '', [textOf(first), textOf(last)].filter(Boolean).join(' ')]
    }
    if (item.pattern.endsWith('*')) {
      hasInstants = textOf(objectOf(item.value)['date_unixtime']) !== undefined
      isAccount = item.pattern.includes('list')
      break
    }
    if (MEMBERS.includes(item.pattern)) chat = { ...chat, [item.pattern]: idText(item.value) }
  }
  if (owner || isAccount) {
    const [id = '', name = ''] = owner ?? []
    return {
      hasInstants,
      connection: { id: connectionId('telegram', id), name: name === '' ? 'Telegram' : `Telegram: ${name}` },
    }
  }
  const name = chat.name ?? (chat.type === 'saved_messages' ? 'Saved messages' : 'a chat')
  return {
    hasInstants,
    connection: { id: connectionId('telegram', chatKey(chat.type, chat.id ?? name)), name: `Telegram: ${name}` },
  }
}

interface ExportRun {
  readonly plan: ImportPlan
  readonly tally: ReadTally
  readonly files: FileTree
  readonly seen: SeenKeys
  /** The chats of all exports. They end together. */
  readonly chats: Map<string, Conversation>
}

async function* chatsOf(input: ImportInput, { plan, tally, files, seen, chats }: ExportRun): AsyncIterable<ImportItem> {
  const ids = new StableIds()
  let self: string | undefined
  let open: { key: string; about: Record<string, string | undefined> } = { key: '', about: {} }
  for await (const item of readJson(input, PATTERNS)) {
    const read = readValue(item, input, 'messages', tally)
    if (read === undefined) continue
    if (!('value' in read)) {
      yield read
      continue
    }
    const { value, path, place } = read
    if (path[0] === 'personal_information') {
      self = idText(objectOf(value)['user_id'])
      continue
    }
    const key = path.length > 2 && path[1] === 'list' ? `${path[0]} ${path[2]}` : ''
    if (key !== open.key) open = { key, about: {} }
    const member = path.at(typeof path.at(-1) === 'number' ? -2 : -1)
    if (member !== 'messages') {
      open.about[String(member)] = idText(value)
      continue
    }
    tally.saw('messages')
    const chat = contextOf(open.about, self, plan.zone ?? 'UTC', ids)
    const conversation = chats.get(chat.id) ?? new Conversation(chat)
    chats.set(chat.id, conversation)
    const { message, named, leftOut } = messageOf(objectOf(value), chat)
    if (leftOut > 0) tally.leftOut('reactions', 'without a name, beyond the limit of a message', leftOut)
    const found = named.map(({ path: at, about }) => ({
      about,
      input: at === undefined ? undefined : files.near(input, at),
    }))
    yield* messageItems(conversation, message, place, tally, found, seen)
  }
}

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^(personal|bot)_chat$/, 'direct'],
  [/^saved_messages$/, 'notes to self'],
  [/channel$/, 'channel'],
  [/group$/, 'group'],
]

function contextOf(
  about: Readonly<Record<string, string | undefined>>,
  self: string | undefined,
  zone: string,
  ids: StableIds,
): ChatContext {
  const { type, name = type === 'saved_messages' ? 'Saved messages' : undefined } = about
  const kind = KINDS.find(([form]) => form.test(type ?? ''))?.[1]
  return { id: chatKey(type, about['id'] ?? name ?? 'chat'), name, kind, self, zone, ids }
}
