import type { ImportInput, InputHead } from '../../importer.ts'
import type { Attachment, Message } from '../../models/conversation/records.ts'
import { folderOf, treePath } from '../../reading/input-tree.ts'
import { idText, readJson } from '../../reading/json/json-stream.ts'
import { type JsonObject, listOf, objectOf, othersOf, textOf } from '../../reading/json/json-values.ts'
import { repairedText } from '../../reading/repaired-text.ts'
import type { StableIds } from '../../reading/stable-ids.ts'
import { readTime } from '../../reading/times.ts'

export type MetaService = 'facebook' | 'instagram'

/**
 * Recognises a thread of messages by its content. Both services use the same format, and only addresses and paths show
 * which service it is.
 */
export function serviceOf(name: string, { text }: InputHead): MetaService | undefined {
  if (text === undefined || !/^\s*\{/.test(text)) return
  const isUsual = /"sender_name"\s*:/.test(text) && /"timestamp_ms"\s*:/.test(text)
  const isEncrypted = /"senderName"\s*:/.test(text) && /"threadName"\s*:|"isUnsent"\s*:/.test(text)
  if (!isUsual && !isEncrypted) return
  return /instagram/i.test(text) || /instagram/i.test(name) ? 'instagram' : 'facebook'
}

export interface ThreadInfo {
  readonly id: string
  readonly title: string | undefined
  readonly people: readonly string[]
}

/** The thread's own members. The title often comes after the messages. */
export const THREAD_MEMBERS = ['title', 'threadName', 'thread_path', 'participants.*']

export async function readInfo(input: ImportInput): Promise<ThreadInfo> {
  const people: string[] = []
  let title: string | undefined
  let path: string | undefined
  for await (const item of readJson(input, THREAD_MEMBERS)) {
    if (!('value' in item)) continue
    const { pattern, value } = item
    if (pattern === 'participants.*') people.push(repairedText(objectOf(value)['name']) ?? repairedText(value) ?? '')
    else if (pattern === 'thread_path') path = textOf(value)
    else title = repairedText(value)
  }
  const known = people.filter((name) => name !== '')
  const folder = folderOf(treePath(input.name))
  const own = folder.slice(folder.lastIndexOf('/') + 1)
  // A thread of two people has the name of the other person. Without a path, the people are the best available id.
  const id = path ?? (/_[A-Za-z0-9]{6,}$/.test(own) ? `inbox/${own}` : (title ?? known.toSorted().join(', ')))
  return { id: id === '' ? own : id, title, people: known }
}

const FILES: Readonly<Record<string, string>> = {
  photos: 'photo',
  videos: 'video',
  audio_files: 'voice',
  gifs: 'animation',
  files: 'file',
  media: 'file',
}
const READ = new Set([
  ...Object.keys(FILES),
  ...'sender_name senderName timestamp_ms timestamp content text type reactions sticker share is_unsent isUnsent call_duration'.split(
    ' ',
  ),
  ...'is_geoblocked_for_viewer is_unsent_image_by_messenger_kid_parent is_taken_down bumped_message_metadata'.split(
    ' ',
  ),
])

export interface MetaFile {
  readonly uri?: string | undefined
  readonly about: Attachment
}

export function messageOf(
  value: JsonObject,
  thread: string,
  ids: StableIds,
): { message: Message; files: MetaFile[] } | undefined {
  const author = repairedText(value['sender_name']) ?? repairedText(value['senderName'])
  const time = idText(value['timestamp_ms']) ?? idText(value['timestamp'])
  if (author === undefined && time === undefined) return
  const share = objectOf(value['share'])
  const link = repairedText(share['link'])
  const text = repairedText(value['content']) ?? repairedText(value['text']) ?? repairedText(share['share_text'])
  const files = filesOf(value)
  const duration = value['call_duration']
  const others = othersOf(value, READ)
  const message = {
    id: ids.idOf(thread, time, author, text, files[0]?.uri),
    author: author === undefined ? undefined : { id: author, name: author },
    sentAt: time === undefined ? undefined : readTime('epoch-ms', time)?.text,
    kind: duration === undefined ? undefined : 'call',
    text: text ?? (link === undefined ? undefined : link),
    isDeleted: value['is_unsent'] === true || value['isUnsent'] === true,
    links: link === undefined ? [] : [link],
    reactions: listOf(value['reactions']).map(objectOf).map(reactionOf),
    detail: duration === undefined ? others : { ...others, duration_seconds: duration },
  }
  return { message, files }
}

const reactionOf = ({ reaction, actor, timestamp }: JsonObject) => ({
  emoji: repairedText(reaction) ?? 'reaction',
  author: repairedText(actor),
  at: readTime('epoch-s', idText(timestamp) ?? '')?.text,
})

function filesOf(value: JsonObject): MetaFile[] {
  const sticker = repairedText(objectOf(value['sticker'])['uri'])
  const lists = Object.entries(FILES).flatMap(([member, kind]) =>
    listOf(value[member]).map((each) => fileOf(objectOf(each), kind)),
  )
  return [...lists, ...(sticker === undefined ? [] : [fileOf(objectOf(value['sticker']), 'sticker')])]
}

function fileOf(file: JsonObject, kind: string): MetaFile {
  const uri = repairedText(file['uri'])
  const isAddress = uri !== undefined && /^https?:/.test(uri)
  const filename = uri === undefined || isAddress ? undefined : uri.slice(uri.lastIndexOf('/') + 1)
  return { uri: isAddress ? undefined : uri, about: { filename, kind, url: isAddress ? uri : undefined } }
}
