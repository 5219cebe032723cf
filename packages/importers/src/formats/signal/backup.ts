import { hash } from 'node:crypto'
import type { ImportInput, ImportItem, ReadTally } from '../../importer.ts'
import { messageItems, type NamedFile } from '../../models/conversation/items.ts'
import { Conversation, type Message, type Person } from '../../models/conversation/records.ts'
import { idText } from '../../reading/json/json-stream.ts'
import { type JsonObject, listOf, objectOf, textOf } from '../../reading/json/json-values.ts'
import type { SeenKeys } from '../../reading/seen-keys.ts'
import { readTime } from '../../reading/times.ts'
import { jsonLines } from './json-lines.ts'

/** The chats of all exports of one account, by their permanent ids. */
export interface BackupRun {
  readonly files: readonly ImportInput[]
  readonly conversations: Map<string, Conversation>
  readonly seen: SeenKeys
  readonly tally: ReadTally
}

/** Reads `main.jsonl` from Signal's own export: one frame on each line, with people and chats before their messages. */
export async function* backupItems(
  input: ImportInput,
  { files, conversations, seen, tally }: BackupRun,
): AsyncIterable<ImportItem> {
  const people = new Map<string, Person & { kind?: string }>()
  const chats = new Map<string, { conversation: Conversation; id: string }>()
  const byStem = new Map(files.map((file) => [stemOf(file.name), file]))
  for await (const { value, place, fault } of jsonLines(input)) {
    if (fault !== undefined) {
      yield { problem: { place, reason: fault, kept: false } }
      continue
    }
    const recipient = objectOf(value['recipient'])
    const chat = objectOf(value['chat'])
    if ('recipient' in value) people.set(idText(recipient['id']) ?? '', personOf(recipient))
    else if ('chat' in value) {
      const about = people.get(idText(chat['recipientId']) ?? '') ?? { id: `chat ${idText(chat['id'])}` }
      const members = about.kind === 'direct' ? [about] : []
      const name = about.isSelf ? 'Note to self' : about.name
      const conversation =
        conversations.get(about.id) ?? new Conversation({ id: about.id, name, kind: about.kind }, members)
      conversations.set(about.id, conversation)
      chats.set(idText(chat['id']) ?? '', { id: about.id, conversation })
    } else if ('chatItem' in value) {
      tally.saw('messages')
      const item = objectOf(value['chatItem'])
      const open = chats.get(idText(item['chatId']) ?? '')
      if (!open)
        yield {
          problem: { place, reason: 'belongs to a chat that the file does not have', kind: 'messages', kept: false },
        }
      else {
        const { message, named } = messageOf(item, open.id, people, byStem)
        yield* messageItems(open.conversation, message, place, tally, named, seen)
      }
    } else if (!('account' in value) && !('version' in value))
      tally.leftOut(Object.keys(value)[0]?.slice(0, 40) ?? 'line', 'not a part of chats')
  }
}

const stemOf = (name: string): string => name.slice(name.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '')

function personOf(recipient: JsonObject): Person & { kind?: string } {
  const local = `recipient ${idText(recipient['id'])}`
  if ('self' in recipient) return { id: 'self', name: 'Me', isSelf: true, kind: 'notes to self' }
  if ('group' in recipient) {
    const group = objectOf(recipient['group'])
    const title = textOf(objectOf(objectOf(group['snapshot'])['title'])['title'])
    return { id: textOf(group['masterKey']) ?? local, name: title, kind: 'group' }
  }
  const contact = objectOf(recipient['contact'])
  const nickname = objectOf(contact['nickname'])
  const names = [
    [nickname['given'], nickname['family']],
    [contact['systemGivenName'], contact['systemFamilyName']],
    [contact['profileGivenName'], contact['profileFamilyName']],
  ].map((parts) => parts.map(textOf).filter(Boolean).join(' '))
  const number = idText(contact['e164'])
  const handle = number === undefined ? textOf(contact['username']) : number.startsWith('+') ? number : `+${number}`
  const name = names.find((each) => each !== '') ?? handle ?? ('releaseNotes' in recipient ? 'Signal' : undefined)
  return { id: textOf(contact['aci']) ?? handle ?? local, name, handle, kind: 'direct' }
}

const timeOf = (value: unknown): string | undefined => readTime('epoch-ms', idText(value) ?? '')?.text

function messageOf(
  item: JsonObject,
  chat: string,
  people: ReadonlyMap<string, Person>,
  files: ReadonlyMap<string, ImportInput>,
): { message: Message; named: NamedFile[] } {
  const author = people.get(idText(item['authorId']) ?? '')
  const revisions = listOf(item['revisions']).map(objectOf)
  const sent = idText(revisions[0]?.['dateSent']) ?? idText(item['dateSent'])
  const standard = objectOf(item['standardMessage'])
  const quote = objectOf(standard['quote'])
  const quoted = people.get(idText(quote['authorId']) ?? '')
  const target = idText(quote['targetSentTimestamp'])
  const { kind, text } = saidIn(item)
  const message = {
    // Signal itself identifies a message by author and time.
    id: `${chat}/${author?.id ?? 'nobody'}/${sent}${kind === 'system' ? '/update' : ''}`,
    author: kind === 'system' ? undefined : author,
    sentAt: timeOf(sent),
    kind,
    text,
    replyTo: target === undefined ? undefined : `${chat}/${quoted?.id ?? 'nobody'}/${target}`,
    editedAt: revisions.length > 0 ? timeOf(item['dateSent']) : undefined,
    edits: revisions.map((each) => ({ at: timeOf(each['dateSent']), text: saidIn(each).text })),
    isDeleted: 'remoteDeletedMessage' in item,
    links: listOf(standard['linkPreview'])
      .map((each) => textOf(objectOf(each)['url']))
      .filter((link) => link !== undefined),
    reactions: reactionsOf(item).map(({ emoji, authorId, sentTimestamp }) => ({
      emoji: textOf(emoji) ?? 'reaction',
      author: people.get(idText(authorId) ?? '')?.name,
      at: timeOf(sentTimestamp),
    })),
    detail: kind === 'system' ? { update: item['updateMessage'] } : undefined,
  }
  return { message, named: pointersOf(item).map((pointer) => namedFile(pointer, files)) }
}

function saidIn(item: JsonObject): { kind?: string; text?: string | undefined } {
  const said = (value: unknown) => textOf(objectOf(objectOf(value)['text'])['body'])
  if ('updateMessage' in item) {
    const update = objectOf(item['updateMessage'])
    const [name = 'update'] = Object.keys(update)
    const isCall = /call/i.test(name)
    const words = textOf(objectOf(update['simpleUpdate'])['type']) ?? name.replace(/([a-z])([A-Z])/g, '$1 $2')
    return { kind: isCall ? 'call' : 'system', text: words.replaceAll('_', ' ').toLowerCase() }
  }
  if ('stickerMessage' in item) {
    const sticker = objectOf(objectOf(item['stickerMessage'])['sticker'])
    return { kind: 'sticker', text: textOf(sticker['emoji']) }
  }
  if ('poll' in item) return { kind: 'poll', text: textOf(objectOf(item['poll'])['question']) }
  if ('viewOnceMessage' in item) return { kind: 'media' }
  const story = objectOf(item['directStoryReplyMessage'])
  return { text: said(item['standardMessage']) ?? said(story['textReply']) ?? textOf(story['emoji']) }
}

const reactionsOf = (item: JsonObject): JsonObject[] =>
  Object.values(item).flatMap((member) => listOf(objectOf(member)['reactions']).map(objectOf))

function pointersOf(item: JsonObject): JsonObject[] {
  const standard = objectOf(item['standardMessage'])
  const sticker = objectOf(objectOf(item['stickerMessage'])['sticker'])
  const own = listOf(standard['attachments']).map((each) => objectOf(objectOf(each)['pointer']))
  const others = [sticker['data'], standard['longText']].filter((each) => each !== undefined && each !== null)
  return [...own, ...others.map(objectOf)]
}

/** The name of the file is derived from the hash of its content and from its key. */
function namedFile(pointer: JsonObject, files: ReadonlyMap<string, ImportInput>): NamedFile {
  const locator = objectOf(pointer['locatorInfo'])
  const [content, key] = [textOf(locator['plaintextHash']), textOf(locator['localKey'])]
  const bytes = content && key ? Buffer.concat([Buffer.from(content, 'base64'), Buffer.from(key, 'base64')]) : undefined
  const mediaType = textOf(pointer['contentType'])
  const kind = { image: 'photo', video: 'video', audio: 'voice' }[mediaType?.split('/')[0] ?? ''] ?? 'file'
  const size = locator['size']
  return {
    about: {
      filename: textOf(pointer['fileName']),
      mediaType,
      kind,
      sizeBytes: Number.isSafeInteger(size) ? (size as number) : undefined,
    },
    input: bytes && files.get(hash('sha256', bytes)),
  }
}
