import type { Importer, ImportInput, ImportItem, ImportPlan, ReadTally } from '../../importer.ts'
import { conversationSource } from '../../models/conversation/declaration.ts'
import { items, messageItems, type NamedFile } from '../../models/conversation/items.ts'
import { Conversation, type Message, type Person } from '../../models/conversation/records.ts'
import { fixedPlan } from '../../planning/fixed-source.ts'
import { isDatabase, openDatabase, type ReadDatabase } from '../../reading/database.ts'
import {
  bytesCell,
  columnsOf,
  type DatabaseRow,
  integerCell,
  rowsOf,
  tablesOf,
  textCell,
} from '../../reading/database-rows.ts'
import { failuresAsProblems } from '../../reading/input-bytes.ts'
import { FileTree, folderOf, treePath } from '../../reading/input-tree.ts'
import { balloonOf, bodyText, readSummary, shownText } from './apple-text.ts'
import { appleTime, COLUMNS } from './rows.ts'
import { ChatTapbacks, isTapback } from './tapbacks.ts'

const declaration = conversationSource('imessage', 'iMessage')
/** Max. messages in memory. */
const PAGE = 200
const FROM = 'FROM message JOIN chat_message_join j ON j.message_id = message.ROWID WHERE j.chat_id = ?'
const ME: Person = { id: 'me', name: 'Me', isSelf: true }

/** Imports the database of Messages on a Mac (chat.db), or of an iPhone's backup (sms.db). */
export const imessage: Importer = {
  id: 'imessage',
  name: 'iMessage',
  kind: 'chats',
  reads: 'the database of Messages: chat.db of a Mac with its Attachments, or sms.db of an iPhone backup',

  async detect({ input, head, files }) {
    if (!isDatabase(head.bytes) || input.databasePath === undefined) return
    // The names of the tables are in the first pages of the file.
    const start = head.bytes.toString('latin1')
    if (!start.includes('chat_message_join') || !start.includes('attributedBody')) return
    const folder = folderOf(treePath(input.name))
    return {
      format: 'imessage',
      inputs: [input, ...files.below(folder === '' ? 'Attachments' : `${folder}/Attachments`)],
    }
  },

  async streams(claim, overrides, known) {
    // Refuses a database that cannot be opened before anything is planned.
    const database = await openDatabase(claim.inputs[0]!)
    database.close()
    return [await fixedPlan({ claim, declaration, read: imessage.read }, overrides, known)]
  },

  async *read(plan, tally) {
    const [main] = plan.inputs
    if (main) yield* failuresAsProblems(databaseItems(main, plan, tally), main)
  },
}

async function* databaseItems(input: ImportInput, plan: ImportPlan, tally: ReadTally): AsyncIterable<ImportItem> {
  const database = await openDatabase(input)
  try {
    const people = new Map<bigint, Person>()
    for (const row of rowsOf(database, `SELECT ${columnsOf(database, 'handle', COLUMNS.handle)} FROM handle`))
      people.set(row['ROWID'] as bigint, {
        id: textCell(row['id']) ?? `handle ${row['ROWID']}`,
        handle: textCell(row['id']),
      })
    const reader = new ChatReader(database, input, people, new FileTree(plan.inputs), tally)
    const chats = [...rowsOf(database, `SELECT ${columnsOf(database, 'chat', COLUMNS.chat)} FROM chat ORDER BY ROWID`)]
    // iMessage and SMS with one person are two chats in the database, but one chat for people.
    const identity = (chat: DatabaseRow) =>
      textCell(chat['chat_identifier']) ?? textCell(chat['guid']) ?? `chat ${chat['ROWID']}`
    for (const [id, own] of Map.groupBy(chats, identity)) yield* reader.items(id, own)
    reader.countUnlinked()
  } finally {
    database.close()
  }
}

class ChatReader {
  readonly #database: ReadDatabase
  readonly #input: ImportInput
  readonly #people: ReadonlyMap<bigint, Person>
  readonly #files: FileTree
  readonly #tally: ReadTally
  readonly #columns: string
  readonly #hasFiles: boolean
  readonly #fileColumns: string

  constructor(
    database: ReadDatabase,
    input: ImportInput,
    people: ReadonlyMap<bigint, Person>,
    files: FileTree,
    tally: ReadTally,
  ) {
    this.#database = database
    this.#input = input
    this.#people = people
    this.#files = files
    this.#tally = tally
    this.#columns = columnsOf(database, 'message', COLUMNS.message)
    this.#hasFiles = tablesOf(database).has('message_attachment_join')
    this.#fileColumns = columnsOf(database, 'attachment', COLUMNS.attachment)
  }

  async *items(id: string, chats: readonly DatabaseRow[]): AsyncIterable<ImportItem> {
    const ids = chats.map((chat) => chat['ROWID'] as bigint)
    const members = ids.flatMap((chat) => [
      ...rowsOf(this.#database, 'SELECT handle_id FROM chat_handle_join WHERE chat_id = ?', chat),
    ])
    const people = members
      .map((row) => this.#people.get(row['handle_id'] as bigint))
      .filter((person) => person !== undefined)
    const isGroup = chats.some((chat) => integerCell(chat['style']) === 43 || textCell(chat['room_name']) !== undefined)
    const shown = chats.map((chat) => textCell(chat['display_name'])).find((name) => name !== undefined)
    const name = shown ?? (isGroup ? [...new Set(people.map(({ handle }) => handle))].join(', ') : id)
    const conversation = new Conversation({ id, name, kind: isGroup ? 'group' : 'direct' }, [...people, ME])
    for (const chat of ids) {
      const tapbacks = this.#tapbacksOf(chat)
      for (const row of this.#messagesOf(chat)) yield* this.#message(conversation, row, tapbacks)
      this.#tally.saw('reactions', tapbacks.removed + tapbacks.unmatched)
      if (tapbacks.removed > 0) this.#tally.leftOut('reactions', 'taken back later', tapbacks.removed)
      if (tapbacks.unmatched > 0) this.#tally.leftOut('reactions', 'to a message that is not there', tapbacks.unmatched)
    }
    yield* items(conversation.end({ input: this.#input.name }))
  }

  /** Counts messages that belong to no chat. They remain after a chat was deleted. */
  countUnlinked(): void {
    const sql = 'SELECT count(*) AS n FROM message WHERE ROWID NOT IN (SELECT message_id FROM chat_message_join)'
    const [row] = [...rowsOf(this.#database, sql)]
    const count = integerCell(row?.['n'])
    this.#tally.saw('messages', count)
    if (count > 0) this.#tally.leftOut('messages', 'no longer in any chat', count)
  }

  #tapbacksOf(chat: bigint): ChatTapbacks {
    const isKnown = this.#columns.includes('message.associated_message_type')
    const sql = `SELECT ${this.#columns} ${FROM} AND associated_message_type BETWEEN 2000 AND 3999 ORDER BY date`
    return new ChatTapbacks(isKnown ? rowsOf(this.#database, sql, chat) : [], (row) => this.#author(row))
  }

  /** Reads in pages, so that a chat of many years does not fill the memory. */
  *#messagesOf(chat: bigint): Iterable<DatabaseRow> {
    let last = -1n
    for (;;) {
      const sql = `SELECT ${this.#columns} ${FROM} AND j.message_id > ? ORDER BY j.message_id LIMIT ${PAGE}`
      const page = [...rowsOf(this.#database, sql, chat, last)]
      yield* page
      if (page.length < PAGE) return
      last = page.at(-1)!['ROWID'] as bigint
    }
  }

  async *#message(conversation: Conversation, row: DatabaseRow, tapbacks: ChatTapbacks): AsyncIterable<ImportItem> {
    if (isTapback(row)) return
    const rowid = row['ROWID'] as bigint
    this.#tally.saw('messages')
    const place = { input: this.#input.name, table: 'message', row: Number(rowid) }
    const guid = textCell(row['guid'])
    if (guid === undefined) {
      yield { problem: { place, reason: 'has no guid', kind: 'messages', kept: false } }
      return
    }
    const message = { ...messageOf(row, guid, this.#author(row), this.#people), reactions: tapbacks.of(guid) }
    yield* messageItems(conversation, message, place, this.#tally, this.#hasFiles ? this.#filesOf(rowid) : [])
  }

  #author(row: DatabaseRow): Person | undefined {
    if (integerCell(row['is_from_me']) === 1) return ME
    return typeof row['handle_id'] === 'bigint' ? this.#people.get(row['handle_id']) : undefined
  }

  #filesOf(rowid: bigint): NamedFile[] {
    const sql = `SELECT ${this.#fileColumns} FROM attachment JOIN message_attachment_join j ON j.attachment_id = attachment.ROWID WHERE j.message_id = ? ORDER BY attachment.ROWID`
    return [...rowsOf(this.#database, sql, rowid)].map((row) => {
      const path = textCell(row['filename'])
      const [, below] = /\/(Attachments\/.*)$/.exec(path ?? '') ?? []
      const mediaType = textCell(row['mime_type'])
      const kind = { image: 'photo', video: 'video', audio: 'voice' }[mediaType?.split('/')[0] ?? ''] ?? 'file'
      const filename = textCell(row['transfer_name']) ?? path?.slice(path.lastIndexOf('/') + 1)
      return {
        about: {
          filename,
          mediaType,
          kind: integerCell(row['is_sticker']) === 1 ? 'sticker' : kind,
          sizeBytes: integerCell(row['total_bytes']) || undefined,
        },
        input: below === undefined ? undefined : this.#files.near(this.#input, below),
      }
    })
  }
}

function messageOf(
  row: DatabaseRow,
  guid: string,
  author: Person | undefined,
  people: ReadonlyMap<bigint, Person>,
): Message {
  const summary = readSummary(bytesCell(row['message_summary_info']))
  const balloon = balloonOf(bytesCell(row['payload_data']))
  const written = shownText(textCell(row['text']) ?? bodyText(bytesCell(row['attributedBody']))) ?? summary.lastText
  const isSystem = integerCell(row['item_type']) !== 0
  const retracted = appleTime(row['date_retracted'])
  const reply = textCell(row['thread_originator_guid'])
  const app = textCell(row['balloon_bundle_id'])?.split(/[.:]/).at(-1)
  const details = { service: textCell(row['service']), app, subject: textCell(row['subject']) }
  return {
    id: guid,
    author,
    sentAt: appleTime(row['date']),
    kind: isSystem ? 'system' : integerCell(row['is_audio_message']) === 1 ? 'voice' : undefined,
    text: isSystem ? systemText(row, author, people) : (written ?? balloon.text),
    replyTo: reply,
    thread: reply,
    editedAt: appleTime(row['date_edited']),
    edits: summary.edits,
    isDeleted: retracted !== undefined || (summary.isRetracted && written === undefined),
    links: balloon.link === undefined ? [] : [balloon.link],
    detail: Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined)),
  }
}

/** The database stores a number instead of a sentence. */
function systemText(row: DatabaseRow, author: Person | undefined, people: ReadonlyMap<bigint, Person>): string {
  const who = author?.name ?? author?.handle ?? 'Somebody'
  const other = people.get((row['other_handle'] ?? 0n) as bigint)?.handle ?? 'somebody'
  const action = integerCell(row['group_action_type'])
  const title = textCell(row['group_title'])
  const sentences: Readonly<Record<number, string>> = {
    1: `${who} ${action === 1 ? 'removed' : 'added'} ${other}`,
    2: title === undefined ? `${who} removed the name of the chat` : `${who} named the chat “${title}”`,
    3: action === 0 ? `${who} left` : `${who} changed the picture of the chat`,
    4: `${who} ${action === 1 ? 'stopped sharing' : 'shared'} a location`,
    5: `${who} kept an audio message`,
    6: `${who} made a FaceTime call`,
  }
  return sentences[integerCell(row['item_type'])] ?? `${who} changed the chat`
}
