import type { Candidate, Importer, ImportInput, ImportItem, InputPosition, ReadTally } from '../../importer.ts'
import { assistant, tool, USER } from '../../models/conversation/ai-people.ts'
import { type MessagePart, partsOf } from '../../models/conversation/content-blocks.ts'
import { type Attachment, Conversation, type Message } from '../../models/conversation/records.ts'
import { fixedPlan } from '../../planning/fixed-source.ts'
import { failuresAsProblems } from '../../reading/input-bytes.ts'
import { headOf } from '../../reading/input-head.ts'
import { treePath } from '../../reading/input-tree.ts'
import { countOf, isObject, present } from '../../reading/json/json-members.ts'
import { readJson } from '../../reading/json/json-stream.ts'
import { type JsonObject, listOf, objectOf, textOf } from '../../reading/json/json-values.ts'
import { NewestCopies } from '../../reading/newest-copies.ts'
import { StableIds } from '../../reading/stable-ids.ts'
import { claudeDeclaration } from './declaration.ts'
import { readMemories, readProjects, timeOf } from './projects.ts'

/** The parent of the first message of a conversation. */
const ROOT = /^0{8}-/

/** Imports the data export of Claude. */
export const claude: Importer = {
  id: 'claude',
  name: 'Claude',
  kind: 'ai',
  reads: 'the data export: conversations.json, projects.json and memories.json, together or alone',

  async detect({ input, head, files }: Candidate) {
    if (formOf(head.text) === undefined) return
    const users = files.near(input, 'users.json')
    return { format: 'claude', inputs: users ? [input, users] : [input], group: 'claude' }
  },

  async streams(claim, overrides, known) {
    return [await fixedPlan({ claim, declaration: claudeDeclaration, read: claude.read }, overrides, known)]
  },

  async *read({ inputs }, tally) {
    const forms = await sorted(inputs, tally)
    const memories = new Map<string, string>()
    for (const input of forms.memories) yield* failuresAsProblems(readMemories(input, memories, tally), input)
    for (const input of forms.projects) yield* failuresAsProblems(readProjects(input, memories, tally), input)
    const copies = new NewestCopies()
    for (const input of forms.conversations) await offerAll(input, copies).catch(() => {}) // The second reading reports the error.
    for (const input of forms.conversations) yield* failuresAsProblems(conversations(input, copies, tally), input)
  },
}

type Form = 'conversations' | 'projects' | 'memories'

function formOf(text: string | undefined): Form | undefined {
  if (text === undefined || !/^\s*(?:\[\s*)?\{/.test(text)) return
  if (/"chat_messages"\s*:\s*\[/.test(text) && /"uuid"\s*:/.test(text)) return 'conversations'
  if (/"prompt_template"\s*:/.test(text) && /"docs"\s*:\s*\[/.test(text)) return 'projects'
  return /^\s*\[\s*\{\s*"(?:conversations_memory|project_memories|account_uuid)"\s*:/.test(text)
    ? 'memories'
    : undefined
}

async function sorted(inputs: readonly ImportInput[], tally: ReadTally): Promise<Record<Form, ImportInput[]>> {
  const forms: Record<Form, ImportInput[]> = { conversations: [], projects: [], memories: [] }
  for (const input of inputs.toSorted((a, b) => (treePath(a.name) < treePath(b.name) ? -1 : 1)))
    if (/(?:^|\/)users\.json$/.test(input.name)) tally.leftOutFile(input, 'account details are not imported')
    else forms[formOf((await headOf(input)).text) ?? 'conversations'].push(input)
  return forms
}

/** Patterns for a list of conversations and for a single one, which has its members at the top. */
async function patternsFor(input: ImportInput, names: readonly string[]): Promise<string[]> {
  const isList = /^\s*\[/.test((await headOf(input)).text ?? '')
  return names.map((name) => (isList ? (name === '' ? '*' : `*.${name}`) : name))
}

async function offerAll(input: ImportInput, copies: NewestCopies): Promise<void> {
  let [at, id]: [unknown, string | undefined] = [undefined, undefined]
  for await (const item of readJson(input, await patternsFor(input, ['uuid', 'updated_at']))) {
    const place = item.path.length > 1 ? item.path[0] : undefined
    if (place !== at) [at, id] = [place, undefined]
    if (!('value' in item)) continue
    if (item.path.at(-1) === 'uuid') id = textOf(item.value)
    // A copy without a time is the oldest.
    if (id !== undefined) copies.offer(id, item.path.at(-1) === 'uuid' ? 0 : rankOf(item.value))
  }
}

const rankOf = (updated: unknown): number => Date.parse(timeOf(updated) ?? '') || 0

async function* conversations(input: ImportInput, copies: NewestCopies, tally: ReadTally): AsyncIterable<ImportItem> {
  let row = 0
  for await (const item of readJson(input, await patternsFor(input, ['']))) {
    const place = { input: input.name, row: ++row }
    const value = objectOf('value' in item ? item.value : undefined)
    const id = textOf(value['uuid'])
    if (id !== undefined && Array.isArray(value['chat_messages'])) yield* conversation(value, id, copies, tally, place)
    else {
      const what =
        id === undefined ? 'is not a conversation with an id' : `the conversation ${id} has no list of messages`
      const reason = 'fault' in item ? `a conversation ${item.fault}` : 'cut' in item ? 'ends in the middle' : what
      yield { problem: { place, reason, kept: false } }
    }
  }
}

function* conversation(
  value: JsonObject,
  id: string,
  copies: NewestCopies,
  tally: ReadTally,
  place: InputPosition,
): Iterable<ImportItem> {
  const all = listOf(value['chat_messages'])
  if (!copies.take(id, rankOf(value['updated_at']))) {
    tally.saw('messages', all.length)
    return tally.leftOut('messages', 'older copies of a conversation', all.length)
  }
  const info = { id, name: textOf(value['name']) ?? textOf(value['title']), topic: textOf(value['summary']) }
  const chat = new Conversation({ ...info, kind: 'assistant' }, [USER])
  const ids = new StableIds()
  const current = new Set(upwards(all, textOf(value['current_leaf_message_uuid'])))
  for (const message of all) {
    if (!isObject(message)) {
      tally.saw('messages')
      yield { problem: { place, reason: 'has a message that is not an object', kind: 'messages', kept: false } }
      continue
    }
    const key =
      textOf(message['uuid']) ?? ids.idOf(timeText(message), textOf(message['sender']), textOf(message['text']))
    if (message['content'] !== undefined && !Array.isArray(message['content']))
      yield {
        problem: { place, reason: `the content of the message ${key} is not a list; its text is used`, kept: true },
      }
    for (const each of messagesOf(message, id, key, current, tally)) {
      tally.saw('attachments', each.attachments?.length ?? 0)
      for (const record of chat.message(each, place)) yield { record }
    }
  }
  for (const record of chat.end(place)) yield { record }
}

const timeText = (message: JsonObject): string | undefined => textOf(message['created_at'])

/** The messages from the last one shown back to the first. Empty if the export does not name the last one. */
function* upwards(messages: readonly unknown[], leaf: string | undefined): Iterable<string> {
  if (leaf === undefined) return
  const parents = new Map(messages.map(objectOf).map((each) => [each['uuid'], textOf(each['parent_message_uuid'])]))
  const seen = new Set<string>()
  for (let at: string | undefined = leaf; at !== undefined && parents.has(at) && !seen.has(at); at = parents.get(at)) {
    seen.add(at)
    yield at
  }
  // Older exports name no parents, so their branches are unknown.
}

/** One record for the texts of a message, and one for each thought, call and result in it. */
function* messagesOf(
  message: JsonObject,
  conversation: string,
  key: string,
  current: ReadonlySet<string>,
  tally: ReadTally,
): Iterable<Message> {
  // The id includes the conversation, because a message that was copied into another conversation keeps its id.
  const id = `${conversation}/${key}`
  const isHuman = message['sender'] === 'human'
  const attachments = attachmentsOf(message)
  const parts = partsOf(listOf(message['content']))
  if (parts[0]?.kind !== 'text') {
    const text = textOf(message['text'])?.trim() ?? ''
    if (text !== '' || attachments.length > 0 || parts.length === 0) parts.unshift({ kind: 'text', text, links: [] })
  }
  if (parts[0]!.text === '' && attachments.length === 0) {
    tally.saw('messages')
    return tally.leftOut('messages', 'messages without content')
  }
  const parent = textOf(message['parent_message_uuid'])
  const isOther = current.size > 1 && !current.has(key)
  for (const [at, part] of parts.entries()) {
    tally.saw('messages')
    yield {
      id: at === 0 ? id : `${id}/${at + 1}`,
      author: isHuman ? USER : authorOf(part),
      sentAt: timeOf(message['created_at']),
      kind: part.kind === 'text' && part.text === '' ? 'media' : part.kind,
      text: part.text === '' ? undefined : part.text,
      replyTo: at > 0 ? id : parent === undefined || ROOT.test(parent) ? undefined : `${conversation}/${parent}`,
      links: part.links,
      attachments: at === 0 ? attachments : [],
      detail: present({ ...part.detail, is_current_branch: isOther ? false : undefined }),
    }
  }
}

const authorOf = ({ kind, toolName }: MessagePart) => (kind === 'tool_result' ? tool(toolName) : assistant('Claude'))

/** The export only names the files. It contains the text of those that Claude read as text. */
function attachmentsOf(message: JsonObject): Attachment[] {
  const read = listOf(message['attachments']).map(objectOf)
  const named = listOf(message['files']).map(objectOf)
  const texts = read.map((each) => ({
    filename: textOf(each['file_name']),
    mediaType: textOf(each['file_type']),
    sizeBytes: countOf(each['file_size']),
    kind: 'file',
    text: textOf(each['extracted_content']),
  }))
  const known = new Set(texts.map(({ filename }) => filename))
  const others = named.map((each) => ({ filename: textOf(each['file_name']), kind: 'file' }))
  return [...texts, ...others.filter(({ filename }) => filename !== undefined && !known.has(filename))]
}
