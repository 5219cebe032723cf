import { createHash } from 'node:crypto'
import { canonicalJson, type SourceDeclaration, type StreamDeclaration } from '@pdpp/protocol'
import type {
  Importer,
  ImportInput,
  ImportItem,
  ImportOverrides,
  InputPosition,
  PlannedStream,
} from '../../importer.ts'
import { readAll, readHead, readOn } from '../../reading/input-bytes.ts'
import { SeenKeys } from '../../reading/seen-keys.ts'
import { looksLikeText } from '../../reading/text-encoding.ts'
import { ImportRefusal, type OverrideName } from '../../refusal.ts'
import { describeFields } from '../../table/plan/planned-stream.ts'
import { MAIL_SOURCE_ID, mailDeclaration } from './declaration.ts'
import { folderOf, maildirFlags } from './folder.ts'
import { splitMbox } from './mbox.ts'
import { type MailboxInfo, type ReadMessage, readMessage } from './message.ts'

const SOURCE = 'mailbox'
const HEAD_BYTES = 16_384
/** Max. bytes of a mail with its attachments. Mail services refuse larger ones. */
const MAX_MESSAGE_BYTES = 67_108_864
const SAMPLED = 50
const SAMPLED_INPUTS = 50

const KNOWN_HEADERS =
  /^(from|to|cc|subject|date|received|message-id|mime-version|return-path|content-type|delivered-to|reply-to|sender|x-[a-z-]+)$/i

/** Imports mbox files, single messages (.eml) and Maildir folders. */
export const mail: Importer = {
  id: 'mail',

  async detect(input) {
    const head = await readHead(input, HEAD_BYTES)
    if (!looksLikeText(head)) return
    const text = head.toString('latin1')
    if (/^\s*From .*\d{1,2}:\d{2}.*\r?\n[!-9;-~]+\s*:/.test(text)) return 'mbox'
    // The ending of the file counts, even if the mail is broken.
    if (/\.(eml|emlx|msg)(\.gz)?$/i.test(input.name)) return head.length === 0 ? undefined : 'eml'
    const headers = countHeaders(text)
    if (isMaildir(input.name)) return headers >= 1 ? 'maildir' : undefined
    return headers >= 3 ? 'eml' : undefined
  },

  async streams(inputs, overrides, known) {
    refuseTableOverrides(overrides)
    const declaration = mailDeclaration(overrides.source ?? SOURCE)
    const before = knownSource(declaration, known)
    const same = before !== undefined && canonicalJson(before) === canonicalJson(declaration)
    return [
      {
        inputs,
        format: await formats(inputs),
        streamByTable: {},
        declaration,
        match: before === undefined ? 'new' : same ? 'same' : 'extended',
        changes: before && !same ? ['the description of mail has a newer version'] : [],
        streams: await sample(inputs, declaration),
        notices: [],
      },
    ]
  },

  async *read({ inputs }) {
    const seen = new SeenKeys()
    for (const input of inputs) yield* readOn(messagesOf(input, seen), input)
  },
}

function countHeaders(text: string): number {
  const block = text.split(/\r?\n\r?\n/, 1)[0] ?? ''
  const lines = block.split(/\r?\n/).slice(0, 60)
  const names = lines.map((line) => /^([!-9;-~]+)\s*:/.exec(line)?.[1]).filter((name) => name !== undefined)
  const strange = lines.filter((line) => line !== '' && !/^(?:[!-9;-~]+\s*:|\s)/.test(line)).length
  return strange > 2 ? 0 : names.filter((name) => KNOWN_HEADERS.test(name)).length
}

const isMaildir = (name: string): boolean => /(?:^|\/)(?:cur|new)\/[^/]+$/.test(name)

async function formats(inputs: readonly ImportInput[]): Promise<string> {
  const found = new Set<string>()
  for (const input of inputs.slice(0, SAMPLED_INPUTS)) found.add((await mail.detect(input)) ?? 'mail')
  return [...found].join(', ')
}

function refuseTableOverrides({ source: _source, zone: _zone, ...others }: ImportOverrides): void {
  const given = Object.entries(others).filter(([, value]) => value !== undefined)
  if (given.length === 0) return
  const overrides = given.map(([name]) => (name === 'types' ? 'type' : name === 'tables' ? 'table' : name))
  throw new ImportRefusal('mail_has_own_fields', { overrides: overrides as OverrideName[] })
}

function knownSource(
  { connector_key: key }: SourceDeclaration,
  known: readonly SourceDeclaration[],
): SourceDeclaration | undefined {
  const found = known.find((source) => source.connector_key === key)
  if (found === undefined || found.source.id === MAIL_SOURCE_ID) return found
  throw new ImportRefusal('other_kind_of_source', { source: key }, 'source')
}

async function* messagesOf(input: ImportInput, seen: SeenKeys): AsyncIterable<ImportItem> {
  if ((await mail.detect(input)) === 'mbox') {
    let row = 0
    for await (const item of splitMbox(input.open(), MAX_MESSAGE_BYTES)) {
      const place: InputPosition = { input: input.name, row: ++row, line: item.line }
      if ('tooLarge' in item) yield tooLarge(place, item.tooLarge)
      else yield* toItems(item.bytes, place, { folder: folderOf(input.name), delivered: item.delivered }, seen)
    }
    return
  }
  const place: InputPosition = { input: input.name }
  const all = await readAll(input, MAX_MESSAGE_BYTES)
  if ('tooLarge' in all) yield tooLarge(place, all.tooLarge)
  else yield* toItems(all.bytes, place, { folder: folderOf(input.name), ...maildirFlags(input.name) }, seen)
}

const tooLarge = (place: InputPosition, bytes: number): ImportItem => ({
  problem: { place, reason: `has ${bytes} bytes; at most ${MAX_MESSAGE_BYTES} are taken`, kept: false },
})

async function* toItems(
  bytes: Buffer,
  place: InputPosition,
  around: MailboxInfo,
  seen: SeenKeys,
): AsyncIterable<ImportItem> {
  let read: ReadMessage
  try {
    read = await readMessage(bytes, around)
  } catch (error) {
    const reason = `cannot be read as a mail: ${(error as Error).message.slice(0, 120)}`
    yield { problem: { place, reason, kept: false } }
    return
  }
  const met = seen.meet(read.id, read.content)
  // A copy in another folder is the same mail. The first one counts.
  if (met === 'same') return
  const other = met === 'other' ? renamed(read) : undefined
  if (other && seen.meet(String(other.message['id']), read.content) === 'same') return
  const { message, attachments } = other ?? read
  yield { record: { stream: 'messages', key: String(message['id']), data: message, place } }
  for (const { data, blob } of attachments)
    yield { record: { stream: 'attachments', key: String(data['id']), data, place, blobs: [blob] } }
  for (const reason of read.faults) yield { problem: { place, reason, kept: true } }
}

/** Gives a mail another id if a different mail has the same one. */
function renamed({ id, message, attachments, content }: ReadMessage): Pick<ReadMessage, 'message' | 'attachments'> {
  const other = `${id}#${createHash('sha256').update(content).digest('hex').slice(0, 16)}`
  return {
    message: { ...message, id: other },
    attachments: attachments.map(({ data, blob }, at) => ({
      data: { ...data, id: `${other}/${at + 1}`, message_id: other },
      blob,
    })),
  }
}

async function sample(inputs: readonly ImportInput[], { streams }: SourceDeclaration): Promise<PlannedStream[]> {
  const records = new Map<string, Readonly<Record<string, unknown>>[]>(streams.map(({ name }) => [name, []]))
  const seen = new SeenKeys()
  let complete = inputs.length <= SAMPLED_INPUTS
  for (const input of inputs.slice(0, SAMPLED_INPUTS)) {
    for await (const item of readOn(messagesOf(input, seen), input)) {
      if (!('record' in item)) continue
      records.get(item.record.stream)?.push(item.record.data)
      if (records.get('messages')!.length < SAMPLED) continue
      complete = false
      break
    }
    if (records.get('messages')!.length >= SAMPLED) break
  }
  return streams.map((stream) => planned(stream, records.get(stream.name) ?? [], complete))
}

function planned(
  stream: StreamDeclaration,
  rows: readonly Readonly<Record<string, unknown>>[],
  complete: boolean,
): PlannedStream {
  const filled = new Map<string, number>()
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) {
      const empty = value === null || (Array.isArray(value) && value.length === 0)
      if (!empty) filled.set(name, (filled.get(name) ?? 0) + 1)
    }
  }
  return {
    name: stream.name,
    sampled: rows.length,
    complete,
    fields: describeFields(stream, filled),
    examples: rows.slice(0, 3),
  }
}
