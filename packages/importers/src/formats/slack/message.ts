import type { Attachment, Message, Person } from '../../models/conversation/records.ts'
import { idText } from '../../reading/json/json-stream.ts'
import { type JsonObject, listOf, objectOf, textOf } from '../../reading/json/json-values.ts'
import { readTime } from '../../reading/times.ts'
import { linksIn, type SlackNames, shownText } from './text.ts'

export interface Workspace extends SlackNames {
  readonly people: ReadonlyMap<string, Person>
}

/** Kinds of messages in which a person or a bot says something. All others are notices of Slack itself. */
const SPOKEN =
  /^(bot_message|file_share|file_comment|me_message|thread_broadcast|reply_broadcast|huddle_thread|reminder_add)$/

export function messageOf(
  value: JsonObject,
  channel: string,
  workspace: Workspace,
): { message: Message; files: Attachment[] } | undefined {
  const ts = idText(value['ts'])
  if (ts === undefined) return
  const subtype = textOf(value['subtype'])
  const edited = idText(objectOf(value['edited'])['ts'])
  const thread = idText(value['thread_ts'])
  const raw = wholeText(value)
  const message = {
    id: `${channel}/${ts}`,
    author: authorOf(value, workspace),
    sentAt: instantOf(ts),
    kind: subtype === undefined || SPOKEN.test(subtype) ? undefined : subtype === 'tombstone' ? 'text' : 'system',
    text: raw === '' ? undefined : shownText(raw, workspace),
    replyTo: thread === undefined || thread === ts ? undefined : `${channel}/${thread}`,
    thread: thread === undefined ? undefined : `${channel}/${thread}`,
    editedAt: edited === undefined ? undefined : instantOf(edited),
    isDeleted: subtype === 'tombstone' || textOf(value['hidden']) === 'true',
    links: linksIn(raw),
    reactions: listOf(value['reactions'])
      .map(objectOf)
      .flatMap((each) => reactionsOf(each, workspace)),
    detail: subtype === undefined ? undefined : { subtype },
  }
  return { message, files: filesOf(value) }
}

/** Seconds, and a counter that makes the time unique within its channel. */
const instantOf = (ts: string): string | undefined => readTime('epoch-s', ts)?.text

function authorOf(value: JsonObject, { people }: Workspace): Person | undefined {
  const id = textOf(value['user']) ?? textOf(objectOf(value['comment'])['user'])
  const known = id === undefined ? undefined : people.get(id)
  if (known) return known
  const bot = textOf(value['bot_id'])
  const profile = objectOf(value['bot_profile'])
  const embedded = objectOf(value['user_profile'])
  const name =
    textOf(profile['name']) ??
    textOf(value['username']) ??
    textOf(embedded['real_name']) ??
    textOf(objectOf(value['icons'])['name'])
  const key = bot ?? id ?? name
  return key === undefined ? undefined : { id: key, name: name ?? key, role: bot === undefined ? undefined : 'bot' }
}

/** Messages of bots often have no text, only attachments with a title and a text. */
function wholeText(value: JsonObject): string {
  const cards = listOf(value['attachments']).map(objectOf)
  const cardTexts = cards.flatMap((card) => {
    const parts = [card['pretext'], card['title'], card['text']].map(textOf).filter((part) => part !== undefined)
    return parts.length > 0 ? [...new Set(parts)] : [textOf(card['fallback'])]
  })
  const file = objectOf(value['file'])
  const parts = [textOf(value['text']), ...cardTexts, ...(textOf(value['text']) ? [] : [textOf(file['title'])])]
  return parts.filter((part) => part !== undefined).join('\n')
}

function reactionsOf(reaction: JsonObject, { users }: Workspace) {
  const emoji = textOf(reaction['name'])
  if (emoji === undefined) return []
  const people = listOf(reaction['users']).map((user) => textOf(user))
  return people.map((user) => ({ emoji, author: user === undefined ? undefined : (users.get(user) ?? user) }))
}

function filesOf(value: JsonObject): Attachment[] {
  const files = [...listOf(value['files']), ...(value['file'] === undefined ? [] : [value['file']])].map(objectOf)
  return files.map((file) => ({
    filename: textOf(file['name']) ?? textOf(file['title']),
    kind: kindOf(textOf(file['mimetype'])),
    mediaType: textOf(file['mimetype']),
    sizeBytes: Number.isSafeInteger(file['size']) ? (file['size'] as number) : undefined,
    url: textOf(file['permalink']) ?? textOf(file['url_private']),
    text: textOf(file['plain_text']) ?? textOf(file['preview']),
  }))
}

const kindOf = (mediaType: string | undefined): string =>
  ({ image: 'photo', video: 'video', audio: 'voice' })[mediaType?.split('/')[0] ?? ''] ?? 'file'
