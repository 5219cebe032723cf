import { createHash } from 'node:crypto'
import type { Importer, ImportInput, ImportItem, InputPosition, ReadTally } from '../../importer.ts'
import { fixedPlan } from '../../planning/fixed-source.ts'
import { failuresAsProblems, readAll, readHead } from '../../reading/input-bytes.ts'
import { SeenKeys } from '../../reading/seen-keys.ts'
import { mailDeclaration } from './declaration.ts'
import { HEAD_BYTES, mailFormat } from './detect.ts'
import { unwrapped } from './emlx.ts'
import { folderOf, maildirFlags } from './folder.ts'
import { splitMbox } from './mbox.ts'
import { type MailboxInfo, type ReadMessage, readMessage } from './message.ts'

const SOURCE = 'mailbox'
/** Max. bytes of a mail with its attachments. Mail services refuse larger ones. */
const MAX_MESSAGE_BYTES = 67_108_864

/** Imports mbox files, single messages (.eml) and Maildir folders. */
export const mail: Importer = {
  id: 'mail',

  name: 'Mail',
  kind: 'mail',
  reads: 'mbox files, single mails (.eml, .emlx) and Maildir folders',

  async detect({ input, head }) {
    const format = mailFormat(input.name, head.bytes)
    // All mail belongs to one mailbox, even if it comes in many files.
    return format === undefined ? undefined : { format, inputs: [input], group: SOURCE }
  },

  async streams(claim, overrides, known) {
    return [await fixedPlan({ claim, declaration: mailDeclaration(SOURCE), read: mail.read }, overrides, known)]
  },

  async *read({ inputs }, tally) {
    const seen = new SeenKeys()
    for (const input of inputs) yield* failuresAsProblems(messagesOf(input, seen, tally), input)
  },
}

async function* messagesOf(input: ImportInput, seen: SeenKeys, tally: ReadTally): AsyncIterable<ImportItem> {
  if (mailFormat(input.name, await readHead(input, HEAD_BYTES)) === 'mbox') {
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
  if ('tooLarge' in all) return yield tooLarge(place, all.tooLarge)
  const { bytes, flags } = unwrapped(all.bytes)
  const around = { folder: folderOf(input.name), ...maildirFlags(input.name), ...flags }
  yield* toItems(bytes, place, around, seen, tally)
}

const tooLarge = (place: InputPosition, bytes: number): ImportItem => ({
  problem: {
    place,
    reason: `has ${bytes} bytes; at most ${MAX_MESSAGE_BYTES} are imported`,
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
  // A copy in another folder is the same mail. The first copy is imported.
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
