import type { Attachment, Message, Person } from '../../models/conversation/records.ts'
import { type JsonObject, listOf, objectOf, textOf } from '../../reading/json/json-values.ts'
import type { StableIds } from '../../reading/stable-ids.ts'
import { readTime } from '../../reading/times.ts'

export interface ChatFile {
  /** The file's name in the folder of the chat. It may be shortened or numbered. */
  readonly exported?: string | undefined
  readonly about: Attachment
}

/**
 * Reads `Friday, March 17, 2023 at 9:00:00 AM UTC`, also in other languages. Newer exports write a narrow space before
 * AM.
 */
export function timeOf(value: unknown): string | undefined {
  const text = textOf(value)
    ?.replace(/[\u202f\u00a0]/g, ' ')
    .replace(/[,\s]+(?:at|um|à|às|alle|a las|om|kl\.?|o|в)\s+(?=\d)/u, ' ')
  return text === undefined ? undefined : (readTime('named', text) ?? readTime('iso', text))?.text
}

export function personOf(value: unknown, self: string | undefined): Person | undefined {
  const { name, email, user_type: type } = objectOf(value)
  const [shown, address] = [textOf(name), textOf(email)]
  const id = address ?? shown
  if (id === undefined) return
  const isBot = textOf(type)?.toLowerCase() === 'bot'
  return {
    id,
    name: shown,
    handle: address,
    role: isBot ? 'bot' : undefined,
    isSelf: self !== undefined && address === self ? true : undefined,
  }
}

export function messageOf(
  value: JsonObject,
  chat: { readonly id: string; readonly self: string | undefined; readonly names: ReadonlyMap<string, string> },
  ids: StableIds,
): { message: Message; files: ChatFile[] } {
  const author = personOf(value['creator'], chat.self)
  const [created, text] = [textOf(value['created_date']), textOf(value['text'])]
  const files = listOf(value['attached_files']).map(objectOf).map(fileOf)
  const topic = textOf(value['topic_id'])
  const own = textOf(value['message_id'])
  const quoted = objectOf(value['quoted_message_metadata'])
  const edits = listOf(value['previous_message_versions']).map(objectOf)
  const message = {
    id: own ?? ids.idOf(chat.id, created, author?.id, text, files[0]?.about.filename),
    author,
    sentAt: timeOf(created),
    text: text ?? taskText(value),
    replyTo: textOf(quoted['message_id']),
    thread: topic === undefined || own === undefined ? undefined : threadOf(own, topic),
    editedAt: timeOf(value['updated_date']),
    edits: edits.map((each) => ({
      at: timeOf(each['updated_date']) ?? timeOf(each['created_date']),
      text: textOf(each['text']),
    })),
    isDeleted: value['message_state'] === 'DELETED' || 'deletion_metadata' in value || 'deleted_date' in value,
    links: linksOf(value),
    reactions: listOf(value['reactions'])
      .map(objectOf)
      .flatMap((each) => reactionsOf(each, chat.names)),
    detail:
      textOf(quoted['text']) === undefined
        ? undefined
        : { quote: textOf(quoted['text']), quoted_author: textOf(objectOf(quoted['creator'])['name']) },
  }
  return { message, files }
}

/** The thread's id is the last part of the id of its first message. */
const threadOf = (id: string, topic: string): string => `${id.split('/')[0]}/${topic}/${topic}`

function fileOf({ original_name: original, export_name: exported, name }: JsonObject): ChatFile {
  const filename = textOf(original) ?? textOf(name) ?? textOf(exported)
  return { exported: textOf(exported) ?? textOf(name) ?? filename, about: { filename, kind: 'file' } }
}

function linksOf(value: JsonObject): string[] {
  const found = listOf(value['annotations'])
    .map(objectOf)
    .flatMap((each) => {
      const url = objectOf(objectOf(each['url_metadata'])['url'])
      const call = objectOf(objectOf(each['video_call_metadata'])['meeting_space'])
      const video = textOf(objectOf(each['youtube_metadata'])['id'])
      return [
        ...Object.values(url).map(textOf),
        textOf(call['meeting_url']),
        video && `https://www.youtube.com/watch?v=${video}`,
      ]
    })
  return [...new Set(found.filter((link) => link !== undefined && link !== ''))] as string[]
}

/** Messages about a task, an event or a Drive file have no text of their own. */
function taskText(value: JsonObject): string | undefined {
  const titles = listOf(value['annotations'])
    .map(objectOf)
    .flatMap((each) => {
      const integration = objectOf(each['gsuite_integration_metadata'])
      return [
        textOf(objectOf(objectOf(integration['tasks_data'])['task_properties'])['title']),
        textOf(objectOf(objectOf(integration['calendar_event_data'])['calendar_event'])['title']),
        textOf(objectOf(each['drive_metadata'])['title']),
      ]
    })
  return titles.filter((title) => title !== undefined).join('\n') || undefined
}

function reactionsOf(reaction: JsonObject, names: ReadonlyMap<string, string>) {
  const emoji =
    textOf(objectOf(reaction['emoji'])['unicode']) ??
    textOf(objectOf(objectOf(reaction['emoji'])['custom_emoji'])['shortcode']) ??
    'reaction'
  const people = listOf(reaction['reactor_emails'])
    .map(textOf)
    .filter((email) => email !== undefined)
  return people.map((email) => ({ emoji, author: names.get(email) ?? email }))
}
