import type { ImportedRecord, InputPosition } from '../../importer.ts'
import { nameFrom, USER } from './ai-people.ts'
import { Conversation, type ConversationInfo, type Message } from './records.ts'

/** Max. messages that wait for the first question, which names the conversation. */
const MAX_WAITING = 100

interface Session {
  readonly info: { -readonly [Name in keyof ConversationInfo]: ConversationInfo[Name] }
  readonly conversation: Conversation
  waiting: { message: Message; place: InputPosition }[] | undefined
}

/**
 * Conversations whose messages arrive mixed and from several files, as in transcripts of agents. A session gets its
 * name from its first question. That question never changes as the session grows, whereas a summary comes later and
 * changes.
 */
export class Sessions {
  readonly #all = new Map<string, Session>()
  #place: InputPosition | undefined;

  *add(id: string, message: Message, place: InputPosition): Iterable<ImportedRecord> {
    const session = this.#session(id)
    this.#place = place
    const isQuestion = message.kind === 'text' && message.author === USER && message.text !== undefined
    if (isQuestion) session.info.name ??= nameFrom(message.text!)
    if (session.waiting) {
      session.waiting.push({ message, place })
      if (isQuestion || session.waiting.length >= MAX_WAITING) yield* this.#released(session)
    } else yield* session.conversation.message(message, place)
  }

  /** Sets the topic of a session. */
  describe(id: string, topic: string): void {
    this.#session(id).info.topic = topic
  }

  *end(): Iterable<ImportedRecord> {
    for (const session of this.#all.values()) {
      yield* this.#released(session)
      if (this.#place) yield* session.conversation.end(this.#place)
    }
  }

  #session(id: string): Session {
    const known = this.#all.get(id)
    if (known) return known
    const info = { id, kind: 'assistant' }
    const session = { info, conversation: new Conversation(info, [USER]), waiting: [] }
    this.#all.set(id, session)
    return session
  }

  *#released(session: Session): Iterable<ImportedRecord> {
    const waiting = session.waiting ?? []
    session.waiting = undefined
    for (const { message, place } of waiting) yield* session.conversation.message(message, place)
  }
}
