import { createHash } from 'node:crypto'
import type { Importer, ImportInput, ImportItem, InputPosition, ReadTally } from '../../importer.ts'
import { fixedPlan } from '../../planning/fixed-source.ts'
import { readAll, readHead, readOn } from '../../reading/input-bytes.ts'
import { SeenKeys } from '../../reading/seen-keys.ts'
import { looksLikeText } from '../../reading/text-encoding.ts'
import { mailDeclaration } from './declaration.ts'
import { folderOf, maildirFlags } from './folder.ts'
import { splitMbox } from './mbox.ts'
import { type MailboxInfo, type ReadMessage, readMessage } from './message.ts'

const SOURCE = 'mailbox'
const HEAD_BYTES = 16_384
/** Max. bytes of a mail with its attachments. Mail services refuse larger ones. */
const MAX_MESSAGE_BYTES = 67_108_864

const KNOWN_HEADERS =
  /^(from|to|cc|subject|date|received|message-id|mime-version|return-path|content-type|delivered-to|reply-to|sender|x-[a-z-]+)$/i

/** Imports mbox files, single messages (.eml) and Maildir folders. */
export const mail: Importer = {
  id: 'mail',

  name: 'Mail',
  kind: 'mail',
  reads: 'mbox files, single mails (.eml) and Maildir folders',

  async detect({ input, head }) {
    const format = formatOf(input, head.bytes)
    // All mail is one mailbox, however many files it comes in.
    return format === undefined ? undefined : { format, inputs: [input], group: SOURCE }
  },

  async streams(claim, overrides, known) {
    return [await fixedPlan({ claim, declaration: mailDeclaration(SOURCE), read: mail.read }, overrides, known)]
  },

  async *read({ inputs }, tally) {
    const seen = new SeenKeys()
    for (const input of inputs) yield* readOn(messagesOf(input, seen, tally), input)
  },
}

function formatOf({ name }: ImportInput, bytes: Buffer): 'mbox' | 'maildir' | 'eml' | undefined {
  const head = bytes.subarray(0, HEAD_BYTES)
  if (head.length === 0 || !looksLikeText(head)) return
  const text = head.toString('latin1')
  if (/^\s*From .*\d{1,2}:\d{2}.*\r?\n[!-9;-~]+\s*:/.test(text)) return 'mbox'
  // The ending of the file counts, even if the mail is broken.
  if (/\.(eml|emlx|msg)(\.gz)?$/i.test(name)) return 'eml'
  const headers = countHeaders(text)
  if (isMaildir(name)) return headers >= 1 ? 'maildir' : undefined
  return headers >= 3 ? 'eml' : undefined
}

function countHeaders(text: string): number {
  const block = text.split(/\r?\n\r?\n/, 1)[0] ?? ''
  const lines = block.split(/\r?\n/).slice(0, 60)
  const names = lines.map((line) => /^([!-9;-~]+)\s*:/.exec(line)?.[1]).filter((name) => name !== undefined)
  const strange = lines.filter((line) => line !== '' && !/^(?:[!-9;-~]+\s*:|\s)/.test(line)).length
  return strange > 2 ? 0 : names.filter((name) => KNOWN_HEADERS.test(name)).length
}

const isMaildir = (name: string): boolean => /(?:^|\/)(?:cur|new)\/[^/]+$/.test(name)

async function* messagesOf(input: ImportInput, seen: SeenKeys, tally: ReadTally): AsyncIterable<ImportItem> {
  if (formatOf(input, await readHead(input, HEAD_BYTES)) === 'mbox') {
    let row = 0
    for await (const item of splitMbox(input.open(), MAX_MESSAGE_BYTES)) {
      const place: InputPosition = { input: input.name, row: ++row, line: item.line }
      tally.saw('messages')
      if ('tooLarge' in item) yield tooLarge(place, item.tooLarge)
      else yield* toItems(item.bytes, place, { folder: folderOf(input.name), delivered: item.delivered }, seen, tally)
    }
    return
  }
  const place: InputPosition = { input: input.name }
  tally.saw('messages')
  const all = await readAll(input, MAX_MESSAGE_BYTES)
  if ('tooLarge' in all) yield tooLarge(place, all.tooLarge)
  else yield* toItems(all.bytes, place, { folder: folderOf(input.name), ...maildirFlags(input.name) }, seen, tally)
}

const tooLarge = (place: InputPosition, bytes: number): ImportItem => ({
  problem: {
    place,
    reason: `has ${bytes} bytes; at most ${MAX_MESSAGE_BYTES} are taken`,
    kind: 'messages',
    kept: false,
  },
})

async function* toItems(
  bytes: Buffer,
  place: InputPosition,
  around: MailboxInfo,
  seen: SeenKeys,
  tally: ReadTally,
): AsyncIterable<ImportItem> {
  let read: ReadMessage
  try {
    read = await readMessage(bytes, around)
  } catch (error) {
    const reason = `cannot be read as a mail: ${(error as Error).message.slice(0, 120)}`
    yield { problem: { place, reason, kind: 'messages', kept: false } }
    return
  }
  const met = seen.meet(read.id, read.content)
  const other = met === 'other' ? renamed(read) : undefined
  // A copy in another folder is the same mail. The first one counts.
  if (met === 'same' || (other && seen.meet(String(other.message['id']), read.content) === 'same'))
    return tally.leftOut('messages', 'copies of a mail that was imported')
  tally.saw('attachments', read.fileCount)
  if (read.fileCount > read.attachments.length)
    tally.leftOut('attachments', 'more files than a mail can have', read.fileCount - read.attachments.length)
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
