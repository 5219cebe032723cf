import type { Importer, ImportInput, ImportItem, ReadTally } from '../../importer.ts'
import { conversationSource } from '../../models/conversation/declaration.ts'
import { items, messageItems, type NamedFile } from '../../models/conversation/items.ts'
import { Conversation, type Message, type Person } from '../../models/conversation/records.ts'
import { fixedPlan } from '../../planning/fixed-source.ts'
import { failuresAsProblems, stem } from '../../reading/input-bytes.ts'
import { headOf } from '../../reading/input-head.ts'
import { folderOf, treePath } from '../../reading/input-tree.ts'
import { readJson } from '../../reading/json/json-stream.ts'
import { type JsonObject, objectOf, othersOf, readValue, textOf } from '../../reading/json/json-values.ts'
import { SeenKeys } from '../../reading/seen-keys.ts'
import { connectionId } from '../../reading/stable-ids.ts'
import { type Relations, readRelations, relationOf, timeOf } from './relations.ts'

const declaration = conversationSource('matrix', 'Matrix')
const ROOM_MEMBERS = ['room_name', 'room_creator', 'topic', 'export_date', 'exported_by']
const FOLDERS = /^(files|images|videos|audio)\//
const FILE_KINDS: Readonly<Record<string, string>> = {
  'm.image': 'photo',
  'm.video': 'video',
  'm.audio': 'voice',
  'm.file': 'file',
}

/** Imports a room that Element exported as JSON. */
export const matrix: Importer = {
  id: 'matrix',
  name: 'Matrix',
  kind: 'chats',
  reads: 'rooms that Element exports as JSON, with their files',

  async detect({ input, head: { text = '' }, files }) {
    if (!isRoom(text)) return
    const folder = folderOf(treePath(input.name))
    const start = folder === '' ? 0 : folder.length + 1
    const own = files.below(folder).filter(({ name }) => FOLDERS.test(treePath(name).slice(start)))
    const [, room] = /"room_id"\s*:\s*"([^"]+)"/.exec(text) ?? []
    // Several exports of one room are read together.
    return { format: 'matrix', inputs: [input, ...own], group: room }
  },

  async streams(claim, overrides, known) {
    const { id, name } = await roomOf(claim.inputs[0]!)
    const connection = { id: connectionId('matrix', id), name: `Matrix: ${name}` }
    return [await fixedPlan({ claim, declaration, connection, read: matrix.read }, overrides, known)]
  },

  async *read(plan, tally) {
    const rooms = await roomsIn(plan.inputs)
    const [first] = rooms
    if (!first) return
    const { id, name, topic } = first.room
    const conversation = new Conversation({ id, name, topic, kind: 'group' })
    const seen = new SeenKeys()
    for (const { input, room } of rooms)
      yield* failuresAsProblems(roomItems(input, { room, inputs: plan.inputs, conversation, seen, tally }), input)
    yield* items(conversation.end({ input: first.input.name }))
  },
}

const isRoom = (text: string): boolean =>
  /^\s*\{\s*"room_name"\s*:/.test(text) && /"exported_by"\s*:/.test(text) && /"messages"\s*:\s*\[/.test(text)

/**
 * Finds the exports among the files, because files that people sent are among them, too. The newest date in a name
 * comes first.
 */
async function roomsIn(inputs: readonly ImportInput[]): Promise<{ input: ImportInput; room: Room }[]> {
  const found: { input: ImportInput; room: Room }[] = []
  for (const input of inputs.filter(({ name }, at) => at === 0 || /\.json$/i.test(name)))
    if (isRoom((await headOf(input)).text ?? '')) found.push({ input, room: await roomOf(input) })
  return found.toSorted((a, b) => (treePath(a.input.name) > treePath(b.input.name) ? -1 : 1))
}

interface Room {
  readonly id: string
  readonly name: string
  readonly topic: string | undefined
  readonly owner: string | undefined
}

/** The members before the messages, and the room id from the first message. */
async function roomOf(input: ImportInput): Promise<Room> {
  const about: Record<string, string | undefined> = {}
  for await (const item of readJson(input, [...ROOM_MEMBERS, 'messages.*'])) {
    if (!('value' in item)) continue
    if (item.pattern !== 'messages.*') about[item.pattern] = textOf(item.value)
    else {
      about['id'] = textOf(objectOf(item.value)['room_id'])
      break
    }
  }
  const name = about['room_name'] ?? stem(input.name)
  return { id: about['id'] ?? name, name, topic: about['topic'], owner: about['exported_by'] }
}

interface RoomRun {
  readonly room: Room
  readonly inputs: readonly ImportInput[]
  readonly conversation: Conversation
  readonly seen: SeenKeys
  readonly tally: ReadTally
}

async function* roomItems(
  input: ImportInput,
  { room, inputs, conversation, seen, tally }: RoomRun,
): AsyncIterable<ImportItem> {
  const relations = await readRelations(input)
  const folder = folderOf(treePath(input.name))
  const own = inputs.filter((each) => each !== input && treePath(each.name).startsWith(folder))
  for await (const item of readJson(input, ['messages.*', ...ROOM_MEMBERS])) {
    const read = readValue(item, input, 'messages', tally)
    if (read === undefined) continue
    if (!('value' in read)) {
      yield read
      continue
    }
    if (read.pattern !== 'messages.*') continue
    const event = objectOf(read.value)
    const { type, target } = relationOf(event)
    // They are returned with the message that they refer to.
    if ((type === 'm.replace' || type === 'm.annotation') && target !== undefined && relations.known.has(target))
      continue
    tally.saw('messages')
    const id = textOf(event['event_id'])
    if (id === undefined) {
      yield { problem: { place: read.place, reason: 'has no event_id', kind: 'messages', kept: false } }
      continue
    }
    const message = messageOf(id, event, room, relations)
    yield* messageItems(conversation, message, read.place, tally, filesOf(objectOf(event['content']), own), seen)
  }
}

const READ = new Set(
  'body msgtype format formatted_body m.relates_to m.new_content m.mentions url file info filename'.split(' '),
)

function messageOf(id: string, event: JsonObject, room: Room, { edits, reactions, names }: Relations): Message {
  const changed = edits.get(id) ?? []
  const content = objectOf(event['content'])
  const last = changed.at(-1)?.content ?? content
  const relation = objectOf(content['m.relates_to'])
  const type = textOf(event['type']) ?? ''
  const isDeleted =
    'redacted_because' in event ||
    'redacted_because' in objectOf(event['unsigned']) ||
    (type === 'm.room.message' && Object.keys(content).length === 0)
  const kind = kindOf(type, content)
  return {
    id,
    author: personOf(textOf(event['sender']), room, names),
    sentAt: timeOf(event),
    kind,
    text: kind === 'system' ? systemText(type, event, names) : bodyOf(last),
    replyTo: textOf(objectOf(relation['m.in_reply_to'])['event_id']),
    thread: relation['rel_type'] === 'm.thread' ? textOf(relation['event_id']) : undefined,
    editedAt: changed.at(-1)?.at,
    edits:
      changed.length === 0
        ? []
        : [
            { at: timeOf(event), text: bodyOf(content) },
            ...changed.slice(0, -1).map(({ at, content: each }) => ({ at, text: bodyOf(each) })),
          ],
    isDeleted,
    reactions: reactions.get(id),
    detail: kind === 'system' ? { type } : othersOf(content, READ),
  }
}

function personOf(sender: string | undefined, { owner }: Room, names: ReadonlyMap<string, string>): Person | undefined {
  if (sender === undefined) return
  const name = names.get(sender) ?? sender
  return {
    id: sender,
    name,
    handle: sender,
    isSelf: owner !== undefined && (owner === sender || owner === name) ? true : undefined,
  }
}

function kindOf(type: string, content: JsonObject): string | undefined {
  if (type === 'm.room.message') return content['msgtype'] === 'm.location' ? 'location' : undefined
  if (type === 'm.sticker') return 'sticker'
  if (type === 'm.room.encrypted') return 'encrypted'
  if (/poll\.start$/.test(type)) return 'poll'
  return /^m\.call\./.test(type) ? 'call' : 'system'
}

/** The text without the quoted message that older applications put before a reply. */
function bodyOf(content: JsonObject): string | undefined {
  const poll = objectOf(content['m.poll.start'] ?? content['org.matrix.msc3381.poll.start'])
  const question =
    textOf(objectOf(poll['question'])['body']) ?? textOf(objectOf(poll['question'])['org.matrix.msc1767.text'])
  const text = textOf(content['body']) ?? question
  const isAnswer = 'm.in_reply_to' in objectOf(content['m.relates_to'])
  if (
    content['msgtype'] !== undefined &&
    FILE_KINDS[String(content['msgtype'])] !== undefined &&
    content['filename'] === undefined
  )
    return
  return isAnswer ? text?.replace(/^(?:> .*\n)+\n/, '') : text
}

function systemText(type: string, event: JsonObject, names: ReadonlyMap<string, string>): string {
  const content = objectOf(event['content'])
  const sender = textOf(event['sender']) ?? 'somebody'
  const who = names.get(sender) ?? sender
  if (type === 'm.room.member') {
    const about = textOf(event['state_key']) ?? sender
    return `${names.get(about) ?? about}: ${textOf(content['membership']) ?? 'changed'}${about === sender ? '' : ` (by ${who})`}`
  }
  const what = textOf(content['name']) ?? textOf(content['topic'])
  return `${who}: ${type.replace(/^m\.(room\.)?/, '').replaceAll(/[._]/g, ' ')}${what === undefined ? '' : ` “${what}”`}`
}

/** Element saves a file under its name plus a time, so the beginning of the name identifies it. */
function filesOf(content: JsonObject, inputs: readonly ImportInput[]): NamedFile[] {
  const kind = FILE_KINDS[String(content['msgtype'])]
  if (kind === undefined) return []
  const filename = textOf(content['filename']) ?? textOf(content['body'])
  const info = objectOf(content['info'])
  const size = info['size']
  const start = filename === undefined ? undefined : stem(filename)
  const fitting = inputs.filter(({ name }) => {
    const own = treePath(name).slice(treePath(name).lastIndexOf('/') + 1)
    return start !== undefined && (own === filename || own.startsWith(`${start}-`))
  })
  const about = {
    filename,
    kind,
    mediaType: textOf(info['mimetype']),
    url: textOf(content['url']),
    sizeBytes: Number.isSafeInteger(size) ? (size as number) : undefined,
  }
  return [{ about, input: fitting.length === 1 ? fitting[0] : undefined }]
}
