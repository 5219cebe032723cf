import type { ImportInput, ImportItem, ReadTally } from '../../importer.ts'
import { items, messageItems, type NamedFile } from '../../models/conversation/items.ts'
import { Conversation, type Message, type Person } from '../../models/conversation/records.ts'
import { openDatabase, type ReadDatabase } from '../../reading/database.ts'
import { columnsOf, type DatabaseRow, integerCell, rowsOf, tablesOf, textCell } from '../../reading/database-rows.ts'
import type { FileTree } from '../../reading/input-tree.ts'
import type { SeenKeys } from '../../reading/seen-keys.ts'
import { readTime } from '../../reading/times.ts'

const SESSION = 'Z_PK ZCONTACTJID ZPARTNERNAME'.split(' ')
const MESSAGE =
  'Z_PK ZCHATSESSION ZGROUPMEMBER ZISFROMME ZMESSAGEDATE ZTEXT ZMESSAGETYPE ZSTANZAID ZVCARDSTRING ZPARENTMESSAGE'.split(
    ' ',
  )
const MEMBER = 'Z_PK ZMEMBERJID ZCONTACTNAME'.split(' ')
const MEDIA = 'ZMEDIALOCALPATH ZTITLE ZFILESIZE ZLATITUDE ZLONGITUDE'.split(' ')
const ME: Person = { id: 'me', name: 'Me', isSelf: true }
const PAGE = 200

/** WhatsApp's numbers for kinds of messages. */
const FILES: Readonly<Record<number, string>> = {
  1: 'photo',
  2: 'video',
  3: 'voice',
  8: 'file',
  11: 'animation',
  15: 'sticker',
}
const [CONTACT, LOCATION, GROUP_EVENT, CALL, DELETED] = [4, 5, 6, 59, 14]

/** The chats of all databases in one import, by their ids in WhatsApp. */
export interface DatabaseRun {
  readonly conversations: Map<string, Conversation>
  readonly files: FileTree
  readonly seen: SeenKeys
  readonly tally: ReadTally
}

/** Recognises `ChatStorage.sqlite` of an iPhone by the names of its tables, which are in its first pages. */
export const isChatStorage = (head: Buffer): boolean => head.includes('ZWAMESSAGE') && head.includes('ZWACHATSESSION')

export async function* storageItems(input: ImportInput, run: DatabaseRun): AsyncIterable<ImportItem> {
  const database = await openDatabase(input)
  try {
    const people = peopleOf(database)
    const query = mediaQuery(database)
    const sessions = [
      ...rowsOf(database, `SELECT ${columnsOf(database, 'ZWACHATSESSION', SESSION)} FROM ZWACHATSESSION`),
    ]
    for (const session of sessions) {
      const jid = textCell(session['ZCONTACTJID']) ?? `chat ${session['Z_PK']}`
      const isGroup = jid.endsWith('@g.us')
      const name = textCell(session['ZPARTNERNAME'])
      const partner: Person = { id: jid, name, handle: numberOf(jid) }
      const conversation =
        run.conversations.get(jid) ??
        new Conversation({ id: jid, name, kind: isGroup ? 'group' : 'direct' }, isGroup ? [ME] : [partner, ME])
      run.conversations.set(jid, conversation)
      for (const row of messagesOf(database, session['Z_PK'] as bigint)) {
        run.tally.saw('messages')
        const author =
          integerCell(row['ZISFROMME']) === 1
            ? ME
            : (people.get(row['ZGROUPMEMBER'] as bigint) ?? (isGroup ? undefined : partner))
        const place = { input: input.name, table: 'ZWAMESSAGE', row: Number(row['Z_PK']) }
        const [media = {}] = query === undefined ? [] : [...rowsOf(database, query, row['Z_PK'] as bigint)]
        const message = messageOf(row, jid, author, media, database)
        yield* messageItems(conversation, message, place, run.tally, filesOf(row, media, input, run.files), run.seen)
      }
    }
  } finally {
    database.close()
  }
}

export function* storageEnd({ conversations }: DatabaseRun, input: ImportInput): Iterable<ImportItem> {
  for (const conversation of conversations.values()) yield* items(conversation.end({ input: input.name }))
}

const numberOf = (jid: string): string | undefined => /^(\d{6,})@s\.whatsapp\.net$/.exec(jid)?.[1]?.replace(/^/, '+')

/** Members of groups, with the names that they chose. */
function peopleOf(database: ReadDatabase): Map<bigint, Person> {
  const tables = tablesOf(database)
  const names = new Map<string, string>()
  if (tables.has('ZWAPROFILEPUSHNAME'))
    for (const row of rowsOf(database, 'SELECT ZJID, ZPUSHNAME FROM ZWAPROFILEPUSHNAME'))
      names.set(textCell(row['ZJID']) ?? '', textCell(row['ZPUSHNAME']) ?? '')
  const people = new Map<bigint, Person>()
  if (tables.has('ZWAGROUPMEMBER'))
    for (const row of rowsOf(database, `SELECT ${columnsOf(database, 'ZWAGROUPMEMBER', MEMBER)} FROM ZWAGROUPMEMBER`)) {
      const jid = textCell(row['ZMEMBERJID']) ?? `member ${row['Z_PK']}`
      const name = textCell(row['ZCONTACTNAME']) ?? (names.get(jid) || undefined)
      people.set(row['Z_PK'] as bigint, { id: jid, name: name ?? numberOf(jid), handle: numberOf(jid) })
    }
  return people
}

/** Reads in pages, so that a chat of many years does not fill the memory. */
function* messagesOf(database: ReadDatabase, session: bigint): Iterable<DatabaseRow> {
  const columns = columnsOf(database, 'ZWAMESSAGE', MESSAGE)
  const sql = `SELECT ${columns} FROM ZWAMESSAGE WHERE ZCHATSESSION = ? AND Z_PK > ? ORDER BY Z_PK LIMIT ${PAGE}`
  for (let last = -1n; ; ) {
    const page = [...rowsOf(database, sql, session, last)]
    yield* page
    if (page.length < PAGE) return
    last = page.at(-1)!['Z_PK'] as bigint
  }
}

/** The query for the file of a message. Undefined if the database has no files. */
const mediaQuery = (database: ReadDatabase): string | undefined =>
  tablesOf(database).has('ZWAMEDIAITEM')
    ? `SELECT ${columnsOf(database, 'ZWAMEDIAITEM', MEDIA)} FROM ZWAMEDIAITEM WHERE ZMESSAGE = ? LIMIT 1`
    : undefined

function messageOf(
  row: DatabaseRow,
  chat: string,
  author: Person | undefined,
  media: DatabaseRow,
  database: ReadDatabase,
): Message {
  const type = integerCell(row['ZMESSAGETYPE'])
  const isDeleted = type === DELETED
  const vcard = textCell(row['ZVCARDSTRING'])
  const [latitude, longitude] = [media['ZLATITUDE'], media['ZLONGITUDE']]
  const kinds: Readonly<Record<number, string>> = {
    [LOCATION]: 'location',
    [GROUP_EVENT]: 'system',
    [CALL]: 'call',
    [CONTACT]: 'contact',
    10: 'system',
  }
  return {
    id: stanzaOf(row, chat),
    author: type === GROUP_EVENT ? undefined : author,
    sentAt: typeof row['ZMESSAGEDATE'] === 'number' ? readTime('mac', String(row['ZMESSAGEDATE']))?.text : undefined,
    kind: vcard === undefined ? kinds[type] : 'contact',
    // A deleted message may still have its old text. It is left out, because its author deleted it.
    text: isDeleted ? undefined : (textCell(row['ZTEXT']) ?? textCell(media['ZTITLE']) ?? nameIn(vcard)),
    replyTo: parentOf(row, chat, database),
    isDeleted,
    detail: type === LOCATION ? { place: { latitude, longitude } } : undefined,
  }
}

const stanzaOf = (row: DatabaseRow, chat: string): string => textCell(row['ZSTANZAID']) ?? `${chat}/${row['Z_PK']}`

const nameIn = (vcard: string | undefined): string | undefined => /^FN[^:\n]*:(.+)$/m.exec(vcard ?? '')?.[1]?.trim()

function parentOf(row: DatabaseRow, chat: string, database: ReadDatabase): string | undefined {
  if (typeof row['ZPARENTMESSAGE'] !== 'bigint') return
  const [parent] = [...rowsOf(database, 'SELECT Z_PK, ZSTANZAID FROM ZWAMESSAGE WHERE Z_PK = ?', row['ZPARENTMESSAGE'])]
  return parent && stanzaOf(parent, chat)
}

function filesOf(row: DatabaseRow, media: DatabaseRow, input: ImportInput, files: FileTree): NamedFile[] {
  const kind = FILES[integerCell(row['ZMESSAGETYPE'])]
  const path = textCell(media['ZMEDIALOCALPATH'])
  if (kind === undefined && path === undefined) return []
  const filename = path?.slice(path.lastIndexOf('/') + 1)
  const found = path === undefined ? undefined : (files.near(input, path) ?? files.near(input, `Message/${path}`))
  return [
    {
      about: { kind: kind ?? 'file', filename, sizeBytes: integerCell(media['ZFILESIZE']) || undefined },
      input: found,
    },
  ]
}
