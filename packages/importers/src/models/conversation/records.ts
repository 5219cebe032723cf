import type { ImportedBlob, ImportedRecord, InputPosition } from '../../importer.ts'
import { blobReference } from '../../reading/blob.ts'
import { earlier, later } from '../../reading/instants.ts'

export interface Person {
  /** The same in every conversation of the source. */
  readonly id: string
  readonly name?: string | undefined
  readonly handle?: string | undefined
  readonly role?: string | undefined
  readonly isSelf?: boolean | undefined
}

export interface ConversationInfo {
  readonly id: string
  readonly name?: string | undefined
  /** direct, group, channel, … */
  readonly kind?: string | undefined
  readonly topic?: string | undefined
}

export interface Reaction {
  readonly emoji: string
  readonly author?: string | undefined
  readonly at?: string | undefined
}

export interface Attachment {
  readonly filename?: string | undefined
  /** photo, video, voice, sticker, file, … */
  readonly kind?: string | undefined
  readonly mediaType?: string | undefined
  readonly sizeBytes?: number | undefined
  readonly url?: string | undefined
  /** The file itself. Without one, the attachment is missing from the export. */
  readonly blob?: ImportedBlob | undefined
  readonly text?: string | undefined
}

export interface Message {
  readonly id: string
  readonly author?: Person | undefined
  /** RFC 3339. */
  readonly sentAt?: string | undefined
  /** text, media, call, system, … */
  readonly kind?: string | undefined
  readonly text?: string | undefined
  readonly replyTo?: string | undefined
  readonly thread?: string | undefined
  readonly forwardedFrom?: string | undefined
  readonly editedAt?: string | undefined
  readonly isEdited?: boolean | undefined
  readonly isDeleted?: boolean | undefined
  readonly edits?: readonly { readonly at?: string | undefined; readonly text?: string | undefined }[] | undefined
  readonly reactions?: readonly Reaction[] | undefined
  readonly links?: readonly string[] | undefined
  readonly attachments?: readonly Attachment[] | undefined
  readonly detail?: Readonly<Record<string, unknown>> | undefined
}

/** Max. people listed in a conversation. A channel may have a million. */
const MAX_PEOPLE = 10_000
const NAMED_PEOPLE = 50

/**
 * Makes the records of one conversation. Call `message` for each message in any order, then `end` for the conversation
 * and its people, which are known only then.
 */
export class Conversation {
  readonly #info: ConversationInfo
  readonly #people = new Map<string, Person>()
  #messages = 0
  #first: string | undefined
  #last: string | undefined

  constructor(info: ConversationInfo, people: readonly Person[] = []) {
    this.#info = info
    for (const person of people) this.#meet(person)
  }

  /** The message, its reactions and its attachments. */
  *message(message: Message, place: InputPosition): Iterable<ImportedRecord> {
    const { id, author, sentAt, reactions = [], attachments = [] } = message
    this.#messages++
    this.#first = earlier(this.#first, sentAt)
    this.#last = later(this.#last, sentAt)
    if (author) this.#meet(author)
    yield this.#messageRecord(message, place)
    for (const [at, reaction] of reactions.entries()) yield this.#reaction(id, reaction, at, sentAt, reactions, place)
    for (const [at, attachment] of attachments.entries())
      yield this.#attachment(`${id}/${at + 1}`, id, attachment, sentAt, place)
  }

  *end(place: InputPosition): Iterable<ImportedRecord> {
    const { id, name, kind, topic } = this.#info
    const people = [...this.#people.values()]
    const names = people.map((person) => person.name ?? person.handle).filter((each) => each !== undefined)
    const data = {
      id,
      name: name ?? null,
      kind: kind ?? null,
      topic: topic ?? null,
      participants: names.slice(0, NAMED_PEOPLE),
      message_count: this.#messages,
      first_at: this.#first ?? null,
      last_at: this.#last ?? null,
    }
    yield { stream: 'conversations', key: id, data, place }
    for (const person of people) {
      const key = this.#participantId(person)
      const fields = {
        id: key,
        conversation_id: id,
        person_id: person.id,
        name: person.name ?? null,
        handle: person.handle ?? null,
        role: person.role ?? null,
        is_self: person.isSelf ?? null,
      }
      yield { stream: 'participants', key, data: fields, place }
    }
  }

  #meet(person: Person): void {
    const known = this.#people.get(person.id)
    if (known || this.#people.size < MAX_PEOPLE) this.#people.set(person.id, { ...person, ...present(known) })
  }

  #participantId({ id }: Person): string {
    return `${this.#info.id}/${id}`
  }

  #messageRecord(message: Message, place: InputPosition): ImportedRecord {
    const { id, author, attachments = [], edits = [] } = message
    const data = {
      id,
      conversation_id: this.#info.id,
      conversation: this.#info.name ?? null,
      author: author?.name ?? author?.handle ?? null,
      author_id: author ? this.#participantId(author) : null,
      sent_at: message.sentAt ?? null,
      kind: message.kind ?? (attachments.length > 0 && !message.text ? 'media' : 'text'),
      text: message.text ?? null,
      reply_to_id: message.replyTo ?? null,
      thread_id: message.thread ?? null,
      forwarded_from: message.forwardedFrom ?? null,
      edited_at: message.editedAt ?? null,
      is_edited: message.isEdited ?? (message.editedAt !== undefined || edits.length > 0),
      is_deleted: message.isDeleted ?? false,
      edits: edits.map(({ at, text }) => ({ at: at ?? null, text: text ?? null })),
      reactions: (message.reactions ?? []).map(({ emoji }) => emoji),
      links: [...(message.links ?? [])],
      attachment_count: attachments.length,
      detail: message.detail ?? null,
    }
    return { stream: 'messages', key: id, data, place }
  }

  #reaction(
    messageId: string,
    { emoji, author, at }: Reaction,
    number: number,
    sentAt: string | undefined,
    all: readonly Reaction[],
    place: InputPosition,
  ): ImportedRecord {
    // Without a name, the number among equal emoji distinguishes two people.
    const alike = all.slice(0, number).filter((other) => other.emoji === emoji && other.author === author).length
    const key = `${messageId}/${author ?? ''}/${emoji}${alike === 0 ? '' : `/${alike + 1}`}`
    const data = {
      id: key,
      message_id: messageId,
      conversation_id: this.#info.id,
      emoji,
      author: author ?? null,
      reacted_at: at ?? sentAt ?? null,
    }
    return { stream: 'reactions', key, data, place }
  }

  #attachment(
    key: string,
    messageId: string,
    { blob, ...attachment }: Attachment,
    sentAt: string | undefined,
    place: InputPosition,
  ): ImportedRecord {
    const data = {
      id: key,
      message_id: messageId,
      conversation_id: this.#info.id,
      filename: attachment.filename ?? null,
      kind: attachment.kind ?? null,
      media_type: attachment.mediaType ?? blob?.mimeType ?? null,
      size_bytes: blob?.sizeBytes ?? attachment.sizeBytes ?? null,
      sha256: blob?.sha256 ?? null,
      url: attachment.url ?? null,
      is_missing: blob === undefined,
      sent_at: sentAt ?? null,
      extracted_text: attachment.text ?? null,
      blob_ref: blob ? blobReference(blob) : null,
    }
    return { stream: 'attachments', key, data, place, ...(blob ? { blobs: [blob] } : {}) }
  }
}

/** The known members of a person. They win over those of a later mention. */
const present = (person: Person | undefined): Partial<Person> =>
  Object.fromEntries(Object.entries(person ?? {}).filter(([, value]) => value !== undefined))
