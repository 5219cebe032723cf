import type {
  Candidate,
  Claim,
  Importer,
  ImportInput,
  ImportItem,
  ImportPlan,
  InputHead,
  InputTree,
  ReadTally,
} from '../../importer.ts'
import { conversationSource } from '../../models/conversation/declaration.ts'
import { items, messageItems } from '../../models/conversation/items.ts'
import { Conversation } from '../../models/conversation/records.ts'
import { fixedPlan } from '../../planning/fixed-source.ts'
import { isDatabase } from '../../reading/database.ts'
import { failuresAsProblems } from '../../reading/input-bytes.ts'
import { headOf } from '../../reading/input-head.ts'
import { FileTree, folderOf, treePath } from '../../reading/input-tree.ts'
import { SeenKeys } from '../../reading/seen-keys.ts'
import { connectionId, StableIds } from '../../reading/stable-ids.ts'
import { readBody } from './body.ts'
import { isChatStorage, storageEnd, storageItems } from './database.ts'
import { type Entry, readEntries } from './entries.ts'
import { type ChatScan, scanChat } from './scan.ts'
import { readStamp, timeOf } from './stamp.ts'

const declaration = conversationSource('whatsapp', 'WhatsApp')
/** The database of the application on iPhones, which backups contain. */
const STORAGE = 'whatsapp-iphone'

/** Imports chats that WhatsApp exports as text, with their media. */
export const whatsapp: Importer = {
  id: 'whatsapp',
  name: 'WhatsApp',
  kind: 'chats',
  reads:
    'exported chats of Android and iPhone (_chat.txt, WhatsApp Chat with ….txt) in any language, with or without media; ChatStorage.sqlite of an iPhone backup',

  async detect({ input, head, files }: Candidate) {
    if (isDatabase(head.bytes) && isChatStorage(head.bytes)) return storageClaim(input, files)
    if (!isChat(input.name, head)) return
    const scan = await scanChat(input)
    const media = scan.files.map((name) => files.near(input, name)).filter((each) => each !== undefined)
    const inputs = [input, ...new Set(media.filter((each) => each !== input))]
    // Several exports of one chat are read together.
    return { format: 'whatsapp', inputs, group: `whatsapp ${scan.name}` }
  },

  async streams(claim, overrides, known) {
    if (claim.format === STORAGE) {
      const connection = { id: connectionId('whatsapp', STORAGE), name: 'WhatsApp on iPhone' }
      return [await fixedPlan({ claim, declaration, connection, read: whatsapp.read }, overrides, known)]
    }
    const { name } = await scanChat(claim.inputs[0]!)
    const connection = { id: connectionId('whatsapp', name), name: `WhatsApp: ${name}` }
    const zone = overrides.zone ?? 'UTC'
    return [await fixedPlan({ claim, declaration, connection, zone, read: whatsapp.read }, overrides, known)]
  },

  async *read(plan, tally) {
    if (plan.format === STORAGE) yield* storagesOf(plan, tally)
    else yield* chatItems(plan, tally)
  },
}

/** The database and its media. Those of several backups are read together. */
function storageClaim(input: ImportInput, files: InputTree): Claim {
  const folder = folderOf(treePath(input.name))
  const below = (name: string) => files.below(folder === '' ? name : `${folder}/${name}`)
  return { format: STORAGE, inputs: [input, ...below('Media'), ...below('Message/Media')], group: STORAGE }
}

async function* storagesOf({ inputs }: ImportPlan, tally: ReadTally): AsyncIterable<ImportItem> {
  const run = {
    conversations: new Map<string, Conversation>(),
    files: new FileTree(inputs),
    seen: new SeenKeys(),
    tally,
  }
  const found: ImportInput[] = []
  for (const input of inputs.filter(({ databasePath }) => databasePath !== undefined)) {
    const { bytes } = await headOf(input)
    if (isDatabase(bytes) && isChatStorage(bytes)) found.push(input)
  }
  for (const input of found.toSorted((a, b) => (treePath(a.name) > treePath(b.name) ? -1 : 1)))
    yield* failuresAsProblems(storageItems(input, run), input)
  yield* storageEnd(run, inputs[0]!)
}

interface ChatFile {
  readonly input: ImportInput
  readonly scan: ChatScan
  readonly media: number
}

/**
 * The export with the most media comes first, then the longest, because the first copy of a message gives its record.
 */
async function chatFiles(inputs: readonly ImportInput[], files: FileTree): Promise<ChatFile[]> {
  const found: ChatFile[] = []
  for (const input of inputs.filter(({ name }) => !/\.(jpe?g|png|webp|mp4|opus|m4a|pdf|vcf)$/i.test(name))) {
    if (!isChat(input.name, await headOf(input))) continue
    const scan = await scanChat(input)
    found.push({ input, scan, media: scan.files.filter((name) => files.near(input, name)).length })
  }
  // A chat that somebody sent as a file within this chat is another chat.
  const own = found.filter(({ scan }) => scan.name === found[0]!.scan.name)
  return own.toSorted(
    (a, b) => b.media - a.media || b.scan.entries - a.scan.entries || (a.input.name < b.input.name ? -1 : 1),
  )
}

async function* chatItems(plan: ImportPlan, tally: ReadTally): AsyncIterable<ImportItem> {
  const files = new FileTree(plan.inputs)
  const chats = await chatFiles(plan.inputs, files)
  const [first] = chats
  if (!first) return
  const { name } = first.scan
  const kind = chats.some(({ scan }) => scan.isGroup) ? 'group' : 'direct'
  const conversation = new Conversation({ id: connectionId('chat', name), name, kind })
  const seen = new SeenKeys()
  for (const { input, scan } of chats)
    yield* failuresAsProblems(messagesOf(input, scan, { plan, files, conversation, seen, tally }), input)
  yield* items(conversation.end({ input: first.input.name }))
}

/**
 * Many programs write lines with times. WhatsApp adds direction marks, and writes seconds only if the time is in
 * brackets.
 */
function isChat(name: string, { text }: InputHead): boolean {
  if (text === undefined) return false
  const lines = text.split('\n', 400).filter((line) => line.trim() !== '')
  const first = readStamp(lines[0]?.replace(/\r$/, '') ?? '')
  if (!first) return false
  const { stamp } = first
  if (/[\u200e\u200f]|whatsapp/i.test(text) || /whatsapp/i.test(name)) return stamp.isBracketed || !stamp.hasSeconds
  if ((stamp.hasSeconds && !stamp.isBracketed) || /^\d{4}-/.test(stamp.text)) return false
  const spoken = lines.filter((line) => /^[^:\n]{1,60}: /.test(readStamp(line)?.rest ?? ''))
  return spoken.length >= 2
}

interface ChatRun {
  readonly plan: ImportPlan
  readonly files: FileTree
  readonly conversation: Conversation
  readonly seen: SeenKeys
  readonly tally: ReadTally
}

async function* messagesOf(
  input: ImportInput,
  scan: ChatScan,
  { plan, files, conversation, seen, tally }: ChatRun,
): AsyncIterable<ImportItem> {
  const id = connectionId('chat', scan.name)
  const ids = new StableIds()
  for await (const entry of readEntries(input)) {
    const place = { input: input.name, line: entry.line }
    tally.saw('messages')
    if ('stray' in entry) {
      const reason = 'is before the first message'
      yield { problem: { place, reason, excerpt: entry.stray.slice(0, 80), kind: 'messages', kept: false } }
      continue
    }
    const { message, file } = messageOf(entry, scan, plan.zone ?? 'UTC', id, ids)
    if (entry.isCut)
      yield { problem: { place, reason: 'is longer than a message can be; its end is left out', kept: true } }
    if (message.sentAt === undefined) yield { problem: { place, reason: 'has a time that does not exist', kept: true } }
    const named = file && [
      {
        about: { filename: file.name, kind: file.kind },
        input: file.name === undefined ? undefined : files.near(input, file.name),
      },
    ]
    yield* messageItems(conversation, message, place, tally, named, seen)
  }
}

function messageOf(entry: Entry, scan: ChatScan, zone: string, conversation: string, ids: StableIds) {
  const { file, ...body } = readBody(entry, scan.omitted)
  // An export without media has other words in place of the file names, but it is the same message.
  const content = file || body.kind === 'media' ? 'media' : body.isDeleted ? 'deleted' : body.text
  const author = body.kind === 'system' ? undefined : entry.author
  const message = {
    ...body,
    id: ids.idOf(conversation, entry.stamp.text, entry.author, content),
    author:
      author === undefined
        ? undefined
        : { id: author, name: author, handle: /^\+[\d\s().-]{6,}$/.test(author) ? author : undefined },
    sentAt: timeOf(entry.stamp, scan.order, zone),
  }
  return { message, file }
}
