import type { ImportedRecord, ImportInput, ImportItem, InputPosition, ReadTally } from '../../importer.ts'
import { fileBlob } from '../../reading/file-blob.ts'
import type { SeenKeys } from '../../reading/seen-keys.ts'
import type { Attachment, Conversation, Message } from './records.ts'

/** A file that a message names, and the file itself if the export has it. */
export interface NamedFile {
  readonly about: Attachment
  readonly input?: ImportInput | undefined
}

/**
 * The items of one message: its record, its reactions and its files. The caller has counted the message as seen. With
 * `seen`, a message that another export of the same chat already had is left out, so that the order of exports does not
 * change records.
 */
export async function* messageItems(
  conversation: Conversation,
  message: Message,
  place: InputPosition,
  tally: ReadTally,
  files: readonly NamedFile[] = [],
  seen?: SeenKeys | undefined,
): AsyncIterable<ImportItem> {
  if (seen?.meet(message.id, '') === 'same') {
    tally.leftOut('messages', 'the same message again')
    return
  }
  tally.saw('attachments', files.length)
  tally.saw('reactions', message.reactions?.length ?? 0)
  const attachments: Attachment[] = []
  for (const file of files) {
    const { attachment, reason } = await attached(file)
    attachments.push(attachment)
    if (reason !== undefined) yield { problem: { place, reason, kept: true } }
  }
  yield* items(conversation.message({ ...message, attachments }, place))
}

export function* items(records: Iterable<ImportedRecord>): Iterable<ImportItem> {
  for (const record of records) yield { record }
}

async function attached({ about, input }: NamedFile): Promise<{ attachment: Attachment; reason?: string }> {
  if (input === undefined) return { attachment: about }
  const name = about.filename ?? input.name.slice(input.name.lastIndexOf('/') + 1)
  try {
    const read = await fileBlob(input, about.mediaType === undefined ? {} : { mediaType: about.mediaType })
    if ('tooLarge' in read) {
      const reason = `its file ${name} has ${read.tooLarge} bytes, which is too large`
      return { attachment: { ...about, filename: name, sizeBytes: read.tooLarge }, reason }
    }
    return { attachment: { ...about, filename: name, blob: read.blob, text: read.text?.text } }
  } catch (error) {
    const reason = `its file ${name} cannot be read: ${(error as Error).message.slice(0, 120)}`
    return { attachment: { ...about, filename: name }, reason }
  }
}
