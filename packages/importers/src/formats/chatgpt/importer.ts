import type { Importer, ImportInput, ImportItem, InputPosition, ReadTally } from '../../importer.ts'
import { USER } from '../../models/conversation/ai-people.ts'
import { type Attachment, Conversation, type Reaction } from '../../models/conversation/records.ts'
import { fixedPlan } from '../../planning/fixed-source.ts'
import { fileBlob } from '../../reading/file-blob.ts'
import { failuresAsProblems, readHead } from '../../reading/input-bytes.ts'
import { isObject, present } from '../../reading/json/json-members.ts'
import { idText, readJson } from '../../reading/json/json-stream.ts'
import { type JsonObject, objectOf, textOf } from '../../reading/json/json-values.ts'
import { NewestCopies } from '../../reading/newest-copies.ts'
import { readTime } from '../../reading/times.ts'
import { type Content, contentOf, type FileReference } from './content.ts'
import { chatgptDeclaration } from './declaration.ts'
import { type ExportFiles, givenName, isConversations, otherFilesOf, sortFiles } from './export-files.ts'
import { messagesOf, type TreeMessage } from './tree.ts'

/** Max. votes on answers that are remembered until their answers come. */
const MAX_VOTES = 100_000

/** Imports the data export of ChatGPT. */
export const chatgpt: Importer = {
  id: 'chatgpt',
  name: 'ChatGPT',
  kind: 'ai',
  reads: 'the data export: conversations.json, alone or with its files',

  async detect(candidate) {
    if (!isConversations(candidate.head.text)) return
    // A large export has conversations-000.json, conversations-001.json, …
    return { format: 'chatgpt', inputs: [candidate.input, ...otherFilesOf(candidate)], group: 'chatgpt' }
  },

  async streams(claim, overrides, known) {
    return [await fixedPlan({ claim, declaration: chatgptDeclaration, read: chatgpt.read }, overrides, known)]
  },

  async *read({ inputs }, tally) {
    const files = sortFiles(inputs)
    for (const { input, reason } of files.leftOut) tally.leftOutFile(input, reason)
    const votes = new Map<string, Reaction>()
    for (const input of files.feedback) yield* failuresAsProblems(readVotes(input, votes, tally), input)
    const copies = new NewestCopies()
    for (const input of files.conversations) await offerAll(input, copies).catch(() => {}) // The second reading reports the error.
    for (const input of files.conversations)
      yield* failuresAsProblems(conversations(input, files, copies, votes, tally), input)
    if (votes.size > 0) tally.leftOut('reactions', 'votes on answers that the export does not have', votes.size)
  },
}

/** Patterns for a file with a list of conversations, and for a file with a single one. */
async function patternsFor(input: ImportInput, names: readonly string[]): Promise<string[]> {
  const isList = /^\s*\[/.test((await readHead(input, 1024)).toString('latin1').replace(/^\u00ef\u00bb\u00bf/, ''))
  return names.map((name) => (isList ? (name === '' ? '*' : `*.${name}`) : name))
}

/** Offers all copies, because later exports repeat conversations and only the newest copy is read. */
async function offerAll(input: ImportInput, copies: NewestCopies): Promise<void> {
  const names = ['conversation_id', 'id', 'update_time']
  let [at, found]: [unknown, Record<string, unknown>] = [undefined, {}]
  for await (const item of readJson(input, await patternsFor(input, names))) {
    const place = item.path.length > 1 ? item.path[0] : undefined
    if (place !== at) {
      offer(copies, found)
      ;[at, found] = [place, {}]
    }
    if ('value' in item) found[String(item.path.at(-1))] = item.value
  }
  offer(copies, found)
}

function offer(copies: NewestCopies, conversation: JsonObject): void {
  const id = idOf(conversation)
  if (id !== undefined) copies.offer(id, rankOf(conversation))
}

const idOf = (conversation: JsonObject): string | undefined =>
  textOf(conversation['conversation_id']) ?? textOf(conversation['id'])
const rankOf = ({ update_time: time }: JsonObject): number => Number(idText(time) ?? 0) || 0

async function* conversations(
  input: ImportInput,
  files: ExportFiles,
  copies: NewestCopies,
  votes: Map<string, Reaction>,
  tally: ReadTally,
): AsyncIterable<ImportItem> {
  let row = 0
  for await (const item of readJson(input, await patternsFor(input, ['']))) {
    const place = { input: input.name, row: ++row }
    const value = 'value' in item ? item.value : undefined
    const id = isObject(value) ? idOf(value) : undefined
    if (isObject(value) && id !== undefined && isObject(value['mapping']))
      yield* conversation({ ...value, id }, files, copies, votes, tally, place)
    else if ('cut' in item) yield lost(place, 'ends in the middle of a conversation')
    else
      yield lost(
        place,
        'fault' in item ? `a conversation ${item.fault}` : 'is not a conversation with an id and messages',
      )
  }
}

const lost = (place: InputPosition, reason: string): ImportItem => ({ problem: { place, reason, kept: false } })

async function* conversation(
  value: JsonObject & { id: string },
  files: ExportFiles,
  copies: NewestCopies,
  votes: Map<string, Reaction>,
  tally: ReadTally,
  place: InputPosition,
): AsyncIterable<ImportItem> {
  const { id } = value
  const isOld = !copies.take(id, rankOf(value))
  const chat = new Conversation({ id, name: textOf(value['title']), kind: 'assistant' }, [USER])
  for (const each of messagesOf(value, (message) => !isEmpty(contentOf(message)))) {
    tally.saw('messages')
    const content = contentOf(each.message)
    if (isOld) tally.leftOut('messages', 'older copies of a conversation')
    else if (isEmpty(content)) tally.leftOut('messages', 'messages without content')
    else {
      tally.saw('attachments', content.files.length)
      const attachments: Attachment[] = []
      for (const file of content.files) attachments.push(await attachmentOf(file, files))
      for (const record of chat.message(message(value, each, content, attachments, votes), place)) yield { record }
    }
  }
  if (!isOld) for (const record of chat.end(place)) yield { record }
}

const isEmpty = ({ text, files }: Content): boolean => text === '' && files.length === 0

function message(
  conversation: JsonObject & { id: string },
  { id, message: said, parent, isCurrent }: TreeMessage,
  { author, kind, text, links, detail }: Content,
  attachments: readonly Attachment[],
  votes: Map<string, Reaction>,
) {
  const vote = votes.get(id) ?? votes.get(textOf(said['id']) ?? '')
  votes.delete(id)
  votes.delete(textOf(said['id']) ?? '')
  return {
    // The id includes the conversation, because a chat that branched off another one begins with the same messages.
    id: `${conversation.id}/${id}`,
    author,
    sentAt: timeOf(said['create_time']),
    kind: text === '' && kind === 'text' ? 'media' : kind,
    text: text === '' ? undefined : text,
    replyTo: parent === undefined ? undefined : `${conversation.id}/${parent}`,
    links,
    attachments,
    reactions: vote ? [vote] : [],
    detail: present({
      ...detail,
      gpt: textOf(conversation['gizmo_id']),
      is_current_branch: isCurrent ? undefined : false,
    }),
  }
}

async function attachmentOf({ fileId, ...reference }: FileReference, { attached }: ExportFiles): Promise<Attachment> {
  const input = attached.get(fileId) ?? attached.get(fileId.replace(/^(file[-_][A-Za-z0-9]+).*$/, '$1'))
  if (input === undefined) return reference
  const mediaType = reference.mediaType
  const read = await fileBlob(input, mediaType === undefined ? {} : { mediaType })
  const filename = reference.filename ?? givenName(input)
  return 'tooLarge' in read
    ? { ...reference, filename, sizeBytes: read.tooLarge }
    : { ...reference, filename, blob: read.blob, text: read.text?.text }
}

const timeOf = (value: unknown): string | undefined => readTime('epoch-s', idText(value) ?? '')?.text

/** Reads thumbs up and down. They become reactions to the answers that they rate. */
async function* readVotes(
  input: ImportInput,
  votes: Map<string, Reaction>,
  tally: ReadTally,
): AsyncIterable<ImportItem> {
  let row = 0
  for await (const item of readJson(input, ['*'])) {
    tally.saw('reactions')
    const place = { input: input.name, row: ++row }
    const vote = objectOf('value' in item ? item.value : undefined)
    const [id, rating, at] = [textOf(vote['id']), String(vote['rating']), textOf(vote['create_time'])]
    const emoji = /up/.test(rating) ? '👍' : /down/.test(rating) ? '👎' : undefined
    if (id === undefined || emoji === undefined)
      yield { problem: { place, reason: 'is not a vote on an answer', kind: 'reactions', kept: false } }
    else if (votes.has(id) || votes.size >= MAX_VOTES) tally.leftOut('reactions', 'repeated votes')
    else votes.set(id, { emoji, author: USER.name, at: at && readTime('iso', at)?.text })
  }
}
