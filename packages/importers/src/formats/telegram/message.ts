import type { Attachment, ConversationInfo, Message, Person, Reaction } from '../../models/conversation/records.ts'
import { idText } from '../../reading/json/json-stream.ts'
import { type JsonObject, listOf, objectOf, othersOf, textOf } from '../../reading/json/json-values.ts'
import type { StableIds } from '../../reading/stable-ids.ts'
import { readTime } from '../../reading/times.ts'

export interface ChatContext extends ConversationInfo {
  readonly self: string | undefined
  readonly zone: string
  readonly ids: StableIds
}

export interface TelegramFile {
  /** The path that the export gives. */
  readonly path?: string | undefined
  readonly about: Attachment
}

/** Max. reactions of one kind on a message if the export does not name the people. */
const MAX_UNNAMED = 100

const READ = new Set(
  (
    'id type date date_unixtime edited edited_unixtime from from_id actor actor_id action text text_entities ' +
    'reply_to_message_id reply_to_peer_id forwarded_from reactions file file_name file_size thumbnail thumbnail_file_size ' +
    'photo photo_file_size media_type mime_type width height contact_vcard'
  ).split(' '),
)

/** People, groups and channels are numbered separately, so the id includes the kind. */
export const chatKey = (type: string | undefined, id: string): string =>
  `${/channel$|supergroup$/.test(type ?? '') ? 'channel' : /group$/.test(type ?? '') ? 'group' : 'user'}${id}`

export function messageOf(
  value: JsonObject,
  chat: ChatContext,
): { message: Message; named: TelegramFile[]; leftOut: number } {
  const author = personOf(value, chat)
  const text = wholeText(value)
  const own = idText(value['id'])
  const { reactions, leftOut } = reactionsOf(value)
  const isService = value['type'] === 'service'
  const message = {
    id:
      own === undefined
        ? chat.ids.idOf(chat.id, textOf(value['date_unixtime']) ?? textOf(value['date']), author?.id, text)
        : `${chat.id}/${own}`,
    author,
    sentAt: timeOf(value, 'date', chat.zone),
    kind: kindOf(value),
    text: isService ? serviceText(value, author?.name) : (text ?? shownText(value)),
    replyTo: replyOf(value, chat.id),
    forwardedFrom: textOf(value['forwarded_from']) ?? ('forwarded_from' in value ? 'Deleted account' : undefined),
    editedAt: editedAt(value, chat.zone),
    reactions,
    links: linksOf(value),
    detail: isService ? { action: value['action'], ...othersOf(value, READ) } : othersOf(value, READ),
  }
  return { message, named: filesOf(value), leftOut }
}

function personOf(value: JsonObject, { self, name }: ChatContext): Person | undefined {
  const id = value['from_id'] ?? value['actor_id']
  const shown = textOf(value['from']) ?? textOf(value['actor'])
  // Older exports only have a number.
  const key = typeof id === 'string' ? id : idText(id) && `user${idText(id)}`
  if (key === undefined && shown === undefined) return
  const isNull = value['from'] === null || value['actor'] === null
  const known = shown ?? (isNull ? 'Deleted account' : name)
  return { id: key ?? shown!, name: known, isSelf: self !== undefined && key === `user${self}` ? true : undefined }
}

/** Seconds since 1970, if the export has them. Before 2021, exports only have local times. */
function timeOf(value: JsonObject, member: string, zone: string): string | undefined {
  const seconds = idText(value[`${member}_unixtime`])
  if (seconds !== undefined) return readTime('epoch-s', seconds)?.text
  const local = textOf(value[member])
  return local === undefined ? undefined : readTime('ymd', local.replace('T', ' '), zone)?.text
}

/** Old exports write 1 January 1970 for a message that was never changed. */
const editedAt = (value: JsonObject, zone: string): string | undefined =>
  textOf(value['edited'])?.startsWith('1970') ? undefined : timeOf(value, 'edited', zone)

function wholeText(value: JsonObject): string | undefined {
  const parts = Array.isArray(value['text']) ? value['text'] : [value['text']]
  const text = parts.map((part) => textOf(part) ?? textOf(objectOf(part)['text']) ?? '').join('')
  return text === '' ? undefined : text
}

function linksOf(value: JsonObject): string[] {
  const entities = [...listOf(value['text']), ...listOf(value['text_entities'])].map(objectOf)
  const links = entities.map(({ type, href, text }) =>
    type === 'link' ? textOf(text) : type === 'text_link' ? textOf(href) : undefined,
  )
  return [...new Set(links.filter((link) => link !== undefined))]
}

function kindOf(value: JsonObject): string | undefined {
  if (value['type'] === 'service') return value['action'] === 'phone_call' ? 'call' : 'system'
  if ('location_information' in value) return 'location'
  if ('poll' in value) return 'poll'
  return 'contact_information' in value ? 'contact' : undefined
}

/** `Ida: invite members (Bram, Cleo)`, because the export contains no sentence. */
function serviceText(value: JsonObject, actor: string | undefined): string {
  const action = (textOf(value['action']) ?? 'service message').replaceAll('_', ' ')
  const members = listOf(value['members']).map((member) => textOf(member) ?? 'Deleted account')
  const about = [textOf(value['title']), members.join(', ') || undefined, wholeText(value)].filter(Boolean).join('; ')
  return `${actor ?? 'Telegram'}: ${action}${about === '' ? '' : ` (${about})`}`
}

/** The text of a poll, a contact or a place as people see it. Telegram exports them with an empty text. */
function shownText(value: JsonObject): string | undefined {
  const [poll, contact] = [objectOf(value['poll']), objectOf(value['contact_information'])]
  const lines = [
    poll['question'],
    ...listOf(poll['answers']).map((answer) => objectOf(answer)['text']),
    [textOf(contact['first_name']), textOf(contact['last_name'])].filter(Boolean).join(' '),
    contact['phone_number'],
    value['place_name'],
    value['address'],
  ]
  return lines.map(textOf).filter(Boolean).join('\n') || undefined
}

function replyOf(value: JsonObject, chat: string): string | undefined {
  const id = idText(value['reply_to_message_id'])
  return id && `${textOf(value['reply_to_peer_id']) ?? chat}/${id}`
}

function reactionsOf(value: JsonObject): { reactions: Reaction[]; leftOut: number } {
  const reactions: Reaction[] = []
  let leftOut = 0
  for (const each of listOf(value['reactions']).map(objectOf)) {
    const emoji = textOf(each['emoji']) ?? textOf(each['type']) ?? 'reaction'
    const recent = listOf(each['recent']).map(objectOf)
    for (const person of recent) {
      reactions.push({
        emoji,
        author: textOf(person['from']) ?? textOf(person['from_id']),
        at: reactedAt(value, person),
      })
    }
    const unnamed = Math.max(0, (typeof each['count'] === 'number' ? each['count'] : 0) - recent.length)
    for (let number = Math.min(unnamed, MAX_UNNAMED); number > 0; number--) reactions.push({ emoji })
    leftOut += Math.max(0, unnamed - MAX_UNNAMED)
  }
  return { reactions, leftOut }
}

/**
 * Times of reactions have no zone. The message has its time with and without a zone, and the difference gives the
 * offset.
 */
function reactedAt({ date, date_unixtime: seconds }: JsonObject, { date: reacted }: JsonObject): string | undefined {
  const [sent, instant, local] = [
    Date.parse(`${textOf(date)}Z`),
    Number(idText(seconds)) * 1000,
    Date.parse(`${textOf(reacted)}Z`),
  ]
  const time = local - (sent - instant)
  return Number.isNaN(time) ? undefined : readTime('epoch-ms', String(time))?.text
}

function filesOf(value: JsonObject): TelegramFile[] {
  const kind = textOf(value['media_type'])?.replace(/_(file|message)$/, '')
  const files = [
    fileOf(value['photo'], { kind: 'photo', sizeBytes: sizeOf(value['photo_file_size']) }),
    fileOf(value['file'], {
      kind: kind ?? 'file',
      mediaType: textOf(value['mime_type']),
      filename: textOf(value['file_name']),
      sizeBytes: sizeOf(value['file_size']),
    }),
    fileOf(value['contact_vcard'], { kind: 'contact' }),
  ]
  return files.filter((file) => file !== undefined)
}

function fileOf(path: unknown, about: Attachment): TelegramFile | undefined {
  const text = textOf(path)
  if (text === undefined) return
  // `(File not included. Change data exporting settings to download.)`
  if (text.startsWith('(')) return { about }
  return { path: text, about: { ...about, filename: about.filename ?? text.slice(text.lastIndexOf('/') + 1) } }
}

const sizeOf = (value: unknown): number | undefined => (Number.isSafeInteger(value) ? (value as number) : undefined)
